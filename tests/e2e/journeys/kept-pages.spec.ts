import type { Page } from '@playwright/test';
import { PAGES } from '#contract/paths';
import { becomeMember, open, PATIENT, REFUSALS, signInButton, toastOf } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: { ...PATIENT, PAGE_LIMIT_PER_MINUTE: '1000' }, expectedConsole: REFUSALS });

const name = (page: Page, username: string) => page.getByRole('banner').getByText(username);

/** The document is loaded anew, as by a link of another site. */
const leave = (page: Page) => page.goto(PAGES.terms);

async function signOut(page: Page, username: string): Promise<void> {
  await name(page, username).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(toastOf(page)).toContainText('Logged out');
}

test('kept pages: a signed-in person sees their own page after every reload, and no other person does', async ({
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
});

test('kept pages: after signing out, neither a reload nor Back shows the person', async ({ page }) => {
  await becomeMember(page, 'leaver');
  await open(page);
  await expect(name(page, 'leaver')).toBeVisible();
  await signOut(page, 'leaver');
  await page.reload();
  await expect(signInButton(page)).toBeVisible();

  await becomeMember(page, 'leaves2');
  await open(page);
  await expect(name(page, 'leaves2')).toBeVisible();
  await signOut(page, 'leaves2');
  await leave(page);
  await page.goBack();
  await expect(signInButton(page)).toBeVisible();
  await expect(page.locator('body')).not.toContainText('leaves2');
});
