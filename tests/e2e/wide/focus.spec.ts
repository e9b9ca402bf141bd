import type { Locator, Page } from '@playwright/test';
import { PAGES } from '#contract/paths';
import { note, openTool, payloadOf } from '../extraction-page.ts';
import { becomeMember, logIn, open, PATIENT, REFUSALS, signInButton, toastOf } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: { ...PATIENT, PREMIUM_AVAILABILITY: 'available' }, expectedConsole: REFUSALS });

/** Something has the keyboard, and it can be seen. */
async function expectFocusSomewhere(page: Page, after: string): Promise<void> {
  await expect
    .poll(
      () =>
        page.evaluate(() => {
          const { activeElement } = document;
          return activeElement !== null && activeElement !== document.body && activeElement.isConnected;
        }),
      { message: `the focus after ${after}` },
    )
    .toBe(true);
}

/** By the keyboard alone. */
async function press(target: Locator, key = 'Enter'): Promise<void> {
  await target.focus();
  await target.press(key);
}

async function read(page: Page, name: string): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(payloadOf({ ...note, name }));
  await press(page.getByRole('button', { name: 'Extract Text' }));
  const recent = page.getByRole('region', { name: 'Recent results' });
  await expect(recent).toContainText('The text above is kept.', { timeout: 30_000 });
}

test.describe('the keyboard’s focus', () => {
  test('is never lost with a picture: cancelled, read, removed, begun anew, brought back', async ({
    page,
  }) => {
    const tool = await openTool(page);
    await read(page, 'first.png');
    await expectFocusSomewhere(page, 'a reading');
    await press(page.getByRole('button', { name: 'Upload Another Image' }));
    await expectFocusSomewhere(page, 'Upload Another Image');
    await press(tool.toast.getByRole('button', { name: 'Undo' }));
    await expectFocusSomewhere(page, 'Undo in a toast');
    await press(page.getByRole('button', { name: 'Upload Another Image' }));
    await press(tool.toast.getByRole('button', { name: 'Close' }));
    await expectFocusSomewhere(page, 'a toast was closed');
    const recent = page.getByRole('region', { name: 'Recent results' });
    await press(recent.getByRole('button', { name: /^Remove first\.png/ }));
    await expect(recent).toHaveCount(0);
    await expectFocusSomewhere(page, 'the last result was removed');
  });

  test('is never lost with dialogs and menus', async ({ page }) => {
    await open(page);
    for (const [opener, dialog] of [
      [signInButton(page), page.getByRole('dialog')],
      [page.getByRole('link', { name: /Upgrade for upto/ }), null],
    ] as const) {
      await press(opener);
      if (!dialog) {
        await expect(page).toHaveURL(PAGES.premium);
        await expectFocusSomewhere(page, 'another page');
        continue;
      }
      await expect(dialog).toBeVisible();
      await expectFocusSomewhere(page, 'a dialog opened');
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await expectFocusSomewhere(page, 'a dialog closed');
    }
  });

  test('is never lost in the account: texts, sessions, sign-out', async ({ page, browser }) => {
    await open(page);
    await becomeMember(page, 'focused');
    for (const name of ['One', 'Two']) {
      await page.request.post('/api/texts', { data: { name, text: `The words of ${name}` } });
    }
    const other = await browser.newPage();
    await open(other, new URL('/', page.url()).href);
    await signInButton(other).click();
    await logIn(other, 'focused');
    await expect(other.getByRole('dialog')).toHaveCount(0);
    await open(page, PAGES.account);
    for (const name of ['Two', 'One']) {
      await press(page.getByRole('link', { name: `Open ${name}` }));
      await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
      await expectFocusSomewhere(page, 'a text was opened');
      await page.goBack();
      await expect(page.getByRole('heading', { name, level: 3 })).toBeVisible();
      await press(page.getByRole('button', { name: `Delete ${name}` }));
      await press(page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }));
      await expect(page.getByRole('heading', { name, exact: true })).toHaveCount(0);
      await expectFocusSomewhere(page, 'a text was deleted');
    }
    const ends = page.getByRole('button', { name: /^Sign out (?!everywhere)/ });
    await press(ends.first());
    await expect(ends).toHaveCount(0);
    await expectFocusSomewhere(page, 'a session was ended');
    await press(page.getByRole('button', { name: 'focused', exact: true }));
    await press(page.getByRole('menuitem', { name: 'Sign Out' }));
    await expect(toastOf(page)).toContainText('Logged out');
    await expectFocusSomewhere(page, 'the sign-out');
    await other.close();
  });
});

/** Notes from now on every part of the page that is read aloud by itself and says `words`. */
async function listenFor(page: Page, words: string): Promise<() => Promise<number>> {
  await page.evaluate((said) => {
    const heard = new Set<Element>();
    Object.assign(window, { heard });
    const listen = () => {
      for (const region of document.querySelectorAll(
        '[role=alert], [role=status], [role=log], [aria-live]',
      )) {
        const live = region.getAttribute('aria-live');
        if (live === 'off' || !region.textContent?.includes(said)) continue;
        const inner = region.querySelector('[role=alert], [role=status], [aria-live]');
        if (!inner?.textContent?.includes(said)) heard.add(region);
      }
    };
    new MutationObserver(listen).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
      attributes: true,
    });
  }, words);
  return () => page.evaluate(() => (window as unknown as { heard: Set<Element> }).heard.size);
}

test.describe('a message', () => {
  test('of a wrong file is announced once, though a toast and a note in place say it', async ({ page }) => {
    const tool = await openTool(page);
    const times = await listenFor(page, 'Please select an image file (PNG, JPG, WebP)');
    await tool.file.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('text') });
    await expect(tool.toast).toContainText('Invalid file type');
    await expect.poll(times).toBe(1);
    await expect(tool.toast).toHaveCount(0, { timeout: 8_000 });
    expect(await times()).toBe(1);
  });

  test('of a failed sign-in is announced once', async ({ page }) => {
    await open(page);
    const times = await listenFor(page, 'Wrong username or password.');
    await signInButton(page).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Username').fill('nobody-here');
    await dialog.getByLabel('Password').fill('not the password');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('alert')).toContainText('Wrong username or password.');
    await expect.poll(times).toBe(1);
  });

  test('of a success is announced once', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await openTool(page);
    await read(page, 'copied.png');
    const times = await listenFor(page, 'Text copied to clipboard');
    await press(page.getByRole('button', { name: 'Copy' }).first());
    await expect.poll(times).toBe(1);
  });
});
