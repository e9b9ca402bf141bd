import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { PAGES } from '#contract/paths';
import { pictureFile } from '../../../tests/component/extraction.ts';
import {
  AVAILABLE,
  button,
  freeMember,
  logIn,
  member,
  message,
  type OpenPeople,
  openAs,
} from '../../../tests/component/people.ts';

/* The page shows one user, and another tab or device has changed who is signed in. */

const SIGNED_OUT = 'You were signed out. Sign in to continue.';

const banner = () => page.getByRole('banner');
const text = () => page.getByRole('textbox', { name: 'Extracted text', includeHidden: true });
const result = () => page.getByRole('heading', { name: 'Extracted text' });
const signInDialog = () => page.getByRole('dialog', { name: 'Welcome to Glyphlift' });

/** Opens the tool and waits for the initial calls of the page, so that the next call is the one of the test. */
async function openTool(...options: Parameters<typeof openAs>): Promise<OpenPeople> {
  const application = await openAs(...options);
  if (options[0]) await expect.element(button('Language: Found automatically')).toBeVisible();
  await page.elementLocator(document.querySelector('input[type=file]')!).upload(await pictureFile('note'));
  return application;
}

describe('session that has ended', () => {
  test('ended session: a text and its edits stay while the user signs in again', async () => {
    const { setSession } = await openTool(member('keeper'), '/', { site: AVAILABLE });
    await button('Extract Text').click();
    await expect.element(result()).toBeVisible();
    await text().fill('Edited by hand');
    setSession(null);
    await button('Save text').click();
    await expect.element(page.getByRole('dialog').getByLabelText('Name')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(signInDialog()).toHaveTextContent(SIGNED_OUT);
    await expect.element(text()).toHaveValue('Edited by hand');
    await logIn('keeper');
    await expect.element(button('Save text')).toBeVisible();
    await expect.element(text()).toHaveValue('Edited by hand');
  });
});

describe('another user in the same browser', () => {
  test('another user: a page that learns of the change from an automatic call shows a message and the new name', async () => {
    const [third, fourth] = [member('third'), member('fourth')];
    const { setSession, router } = await openAs(third, PAGES.premium, { site: AVAILABLE, others: [fourth] });
    await expect.element(banner().getByText('third')).toBeVisible();
    setSession(fourth);
    // The start page requests the languages automatically.
    await router.navigate(PAGES.home);
    await expect.poll(message).toContain('Another account is signed in');
    await expect.element(banner().getByText('fourth')).toBeVisible();
    await expect.element(button('Language: Found automatically')).toBeVisible();
  });

  test('another user: a page that showed no user shows the signed-in user after the next response', async () => {
    const newcomer = member('newcomer');
    const { setSession } = await openTool(null, '/', { site: AVAILABLE, others: [newcomer] });
    setSession(newcomer);
    await button('Extract Text').click();
    await expect.element(result()).toBeVisible();
    await expect.element(banner().getByText('Premium', { exact: true }).last()).toBeVisible();
    await expect.element(banner().getByText('newcomer')).toBeVisible();
  });
});

describe('premium that has ended', () => {
  test('ended premium: after the next picture the page shows the free plan, with the usage beside the result', async () => {
    const { setSession } = await openTool(member('lapsed'), '/', { site: AVAILABLE });
    await expect.element(banner().getByText('Premium', { exact: true }).last()).toBeVisible();
    setSession(freeMember('lapsed'));
    await button('Extract Text').click();
    await expect.element(result()).toBeVisible();
    await expect.element(banner().getByText('1/3 images')).toBeVisible();
    const main = page.getByRole('main');
    await expect.element(main.getByText('Welcome, lapsed!')).toBeVisible();
    await expect.element(main.getByText('1/3 images used today')).toBeVisible();
    for (const name of ['Upgrade', 'Logout'])
      await expect.element(main.getByRole('button', { name, exact: true })).toBeVisible();
  });
});
