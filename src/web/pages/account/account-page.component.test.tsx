import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { HEADERS, shownPerson } from '#contract/headers';
import { PAGES } from '#contract/paths';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { toast } from '../../../../tests/component/application.tsx';
import {
  AVAILABLE,
  button,
  dialog,
  logIn,
  type Member,
  member,
  openAs,
  PASSWORD,
  pressKey,
  savedText,
  session,
} from '../../../../tests/component/people.ts';
import { requestCount, requests } from '../../../../tests/component/server.ts';

const SIGNED_OUT = 'You were signed out. Sign in to continue.';

const heading = (name: string, level?: number) =>
  page.getByRole('heading', { name, exact: true, ...(level !== undefined && { level }) });
const search = () => page.getByLabelText('Search your texts');
const signInDialog = () => page.getByRole('dialog', { name: 'Welcome to Glyphlift' });

async function openAccount(who: Member) {
  const application = await openAs(who, PAGES.account, { site: AVAILABLE });
  // Each element appears after a separate call. A test may change the session only after the last call.
  await expect.element(page.getByText('this browser')).toBeVisible();
  for (const name of ['Turn on', 'Make a key', 'Make a secret'])
    await expect.element(button(name)).toBeVisible();
  return application;
}

const withTexts = () =>
  member('keeper', {
    texts: [
      savedText('Letter home', 'The words of Letter home'),
      savedText('Till receipt', 'The words of Till receipt'),
    ],
  });

test('account page: the first calls already send the shown user', async () => {
  await openAccount(withTexts());
  const first = requests.filter(({ call }) => call === 'GET /api/account' || call === 'GET /api/sessions');
  expect(first.length).toBeGreaterThan(0);
  for (const { request } of first)
    expect(request.headers.get(HEADERS.shownPerson)).toBe(shownPerson('keeper'));
});

describe('saved texts of the account page', () => {
  test('saved texts: can be searched, opened, renamed and deleted', async () => {
    await openAccount(withTexts());
    await expect.element(heading('Letter home')).toBeVisible();
    await expectAccessible();

    await search().fill('receipt');
    await expect.element(heading('Letter home')).not.toBeInTheDocument();
    await expect
      .element(page.getByRole('status').filter({ hasText: /^1 texts?$/ }))
      .toHaveTextContent(/^1 text$/);
    await page.getByRole('link', { name: 'Open Till receipt' }).click();
    await expect
      .element(page.getByRole('textbox', { name: 'Extracted text' }))
      .toHaveValue('The words of Till receipt');
    history.back();

    await button('Rename Till receipt').click();
    await dialog().getByLabelText('Name').fill('Stationer’s receipt');
    await userEvent.keyboard('{Enter}');
    await expect.element(heading('Stationer’s receipt')).toBeVisible();

    await button('Delete Stationer’s receipt').click();
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.element(page.getByText('No text contains these words.')).toBeVisible();
    await search().fill('');
    await expect.element(heading('Letter home')).toBeVisible();
  });
});

describe('account page', () => {
  test('account page: a visitor is asked to sign in and then sees their settings', async () => {
    await openAs(null, PAGES.account, { site: AVAILABLE, others: [member('ada')] });
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await logIn('ada');
    await expect.element(heading('Saved texts')).toBeVisible();
    await expect.element(page.getByText('ada, here since')).toBeVisible();
  });

  test('account page: the browser’s Back button closes the confirmation of deleting the account', async () => {
    await openAccount(member('ada'));
    await button('Delete account').click();
    await expect.element(dialog()).toBeVisible();
    history.back();
    await expect.element(dialog()).not.toBeInTheDocument();
    expect(location.pathname).toBe(PAGES.account);
  });

  test('account page: after the session has ended, sending a form opens the sign-in dialog and then shows the settings', async () => {
    const ada = member('ada');
    const { setSession } = await openAccount(ada);
    await button('Change password').click();
    await page.getByLabelText('Current password').fill(PASSWORD);
    await page.getByLabelText('New password', { exact: true }).fill('another harbour 8');
    await page.getByLabelText('Confirm new password').fill('another harbour 8');
    setSession(null);
    await button('Save password').click();
    await expect.element(signInDialog()).toHaveTextContent(SIGNED_OUT);
    await logIn('ada');
    await expect.element(signInDialog()).not.toBeInTheDocument();
    await expect.element(page.getByText('ada, here since')).toBeVisible();
    await expect.element(toast()).not.toBeInTheDocument();
  });

  test('account page: after the session has ended, a download opens the sign-in dialog', async () => {
    const { setSession } = await openAccount(member('ada'));
    const before = requestCount('GET /api/account');
    setSession(null);
    await page.getByRole('link', { name: 'Download your data' }).click();
    await expect.element(signInDialog()).toHaveTextContent(SIGNED_OUT);
    expect(requestCount('GET /api/account')).toBeGreaterThan(before);
    // A download would have left this page, because the test server does not know its URL.
    expect(location.pathname).toBe(PAGES.account);
  });
});

/** Expects that an element of the page has the focus. */
const expectFocus = () =>
  expect
    .poll(() => document.activeElement !== document.body && document.activeElement?.isConnected)
    .toBe(true);

describe('focus on the account page', () => {
  test('focus: is never lost when the user opens and deletes texts, ends a session and signs out', async () => {
    await openAccount({ ...withTexts(), sessions: [session({ id: 'this', current: true }), session()] });
    for (const name of ['Letter home', 'Till receipt']) {
      await expect.element(page.getByRole('link', { name: `Open ${name}` })).toBeVisible();
      await pressKey(() => page.getByRole('link', { name: `Open ${name}` }).element());
      await expect.element(heading(name, 1)).toBeVisible();
      await expectFocus();
      history.back();
      await expect.element(heading(name, 3)).toBeVisible();
      await pressKey(() => button(`Delete ${name}`).element());
      const sure = dialog().getByRole('button', { name: 'Delete', exact: true });
      await expect.element(sure).toBeVisible();
      await pressKey(() => sure.element());
      await expect.element(dialog()).not.toBeInTheDocument();
      await expect.element(heading(name)).not.toBeInTheDocument();
      await expectFocus();
    }
    const end = button(/^Sign out (?!everywhere)/);
    await expect.element(end).toBeVisible();
    await pressKey(() => end.element());
    await expect.element(end).not.toBeInTheDocument();
    await expectFocus();
    await pressKey(() => button('keeper').element());
    await expect.element(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible();
    await pressKey(() => page.getByRole('menuitem', { name: 'Sign Out' }).element());
    await expect.element(toast()).toHaveTextContent('Logged out');
    await expectFocus();
  });
});
