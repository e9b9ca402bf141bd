import type { Page } from '@playwright/test';
import { PAGES } from '#contract/paths';
import { becomeMember, FAILED_REQUESTS, HIGH_RATE_LIMITS, open, signInButton, toastOf } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({
  settings: { ...HIGH_RATE_LIMITS, PAGE_LIMIT_PER_MINUTE: '1000' },
  expectedConsole: FAILED_REQUESTS,
});

const name = (page: Page, username: string) => page.getByRole('banner').getByText(username);

/** Loads another document, like a link of another site. */
const leave = (page: Page) => page.goto(PAGES.terms);

async function signOut(page: Page, username: string): Promise<void> {
  await name(page, username).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(toastOf(page)).toContainText('Logged out');
}

test('cached pages: users see their own page after every reload, other browsers never do, and after signing out neither a reload nor Back shows it', async ({
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
