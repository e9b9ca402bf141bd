import type { Page } from '@playwright/test';
import { PAGES } from '#contract/paths';
import { becomeMember, open, PATIENT, REFUSALS, signInButton, toastOf } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: { ...PATIENT, PAGE_LIMIT_PER_MINUTE: '1000' }, expectedConsole: REFUSALS });

const name = (page: Page, username: string) => page.getByRole('banner').getByText(username);

/** Leaves the application for another document, as a link of another site does. */
const leave = (page: Page) => page.goto(PAGES.terms);

async function signOut(page: Page, username: string): Promise<void> {
  await name(page, username).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(toastOf(page)).toContainText('Logged out');
}

test('kept pages: a person sees their own page after every reload, another browser never does, and after signing out neither a reload nor Back shows it', async ({
  page,
  browser,
  baseURL,
}) => {
  await open(page);
  await expect(signInButton(page)).toBeVisible();
  await becomeMember(page, 'stays');
  const stranger = await browser.newContext({ baseURL: baseURL! });
  for (let count = 0; count < 3; count++) {
    await open(page);
    await expect(name(page, 'stays')).toBeVisible();
    const elsewhere = await stranger.request.get(PAGES.home);
    expect(await elsewhere.text()).not.toContain('stays');
  }
  await stranger.close();
  await signOut(page, 'stays');
  await page.reload();
  await expect(signInButton(page)).toBeVisible();

  await becomeMember(page, 'leaves-page');
  await open(page);
  await expect(name(page, 'leaves-page')).toBeVisible();
  await signOut(page, 'leaves-page');
  await leave(page);
  await page.goBack();
  await expect(signInButton(page)).toBeVisible();
  await expect(page.locator('body')).not.toContainText('leaves-page');
});
