import type { Page } from '@playwright/test';
import { NOTE } from '../extraction-page.ts';
import {
  becomeMember,
  boxesOf,
  gate,
  logIn,
  open,
  PASSWORD,
  PATIENT,
  REFUSALS,
  register,
  signInButton,
  toastOf,
  untilNoDialogInHistory,
} from '../people.ts';
import { expect, test } from '../test.ts';

test.use({
  settings: { ...PATIENT, PREMIUM_AVAILABILITY: 'available' },
  expectedConsole: REFUSALS,
});

const dialogOf = (page: Page) => page.getByRole('dialog');

/** The toast would go by itself after five seconds; while the window is not looked at it stays. */
const holdToast = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('blur')));

test.describe('the browser’s Back', () => {
  test('closes the dialog and leaves the page where it was', async ({ page }) => {
    await open(page, '/blog');
    await page
      .getByRole('navigation', { name: 'Main', exact: true })
      .getByRole('link', { name: 'Home' })
      .click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.locator('input[type=file]').setInputFiles(NOTE);
    await signInButton(page).click();
    await dialogOf(page).getByLabel('Username').fill('half-typed');
    await page.goBack();
    await expect(dialogOf(page)).toHaveCount(0);
    await expect(page).toHaveURL('/');
    await expect(page.getByText('note.png', { exact: true })).toBeVisible();
    await expect(signInButton(page)).toBeFocused();

    await signInButton(page).click();
    await expect(dialogOf(page).getByLabel('Username')).toHaveValue('half-typed');
    await page.goBack();
    await expect(dialogOf(page)).toHaveCount(0);
    await page.goBack();
    await expect(page).toHaveURL('/blog');
  });

  test('has nothing left to close once a dialog was closed otherwise, through however many dialogs it led', async ({
    page,
  }) => {
    await open(page, '/blog');
    await page
      .getByRole('navigation', { name: 'Main', exact: true })
      .getByRole('link', { name: 'Home' })
      .click();
    await signInButton(page).click();
    await register(page, 'walker');
    const payment = page.getByTestId('payment-modal');
    await payment.getByRole('button', { name: 'Pay with the demo provider' }).click();
    await logIn(page, 'walker');
    await expect(dialogOf(page)).toHaveCount(0);
    await untilNoDialogInHistory(page);
    await page.goBack();
    await expect(page).toHaveURL('/blog');
  });

  test('closes a dialog that belongs to one part of a page as well', async ({ page }) => {
    await becomeMember(page, 'hesitant');
    await open(page, '/account');
    await page.getByRole('button', { name: 'Delete account' }).click();
    await expect(dialogOf(page)).toBeVisible();
    await page.goBack();
    await expect(dialogOf(page)).toHaveCount(0);
    await expect(page).toHaveURL('/account');
  });
});

test.describe('a toast', () => {
  test('never keeps Escape from the dialog that somebody is in', async ({ page }) => {
    await open(page);
    await signInButton(page).click();
    await dialogOf(page).getByRole('button', { name: 'Login', exact: true }).click();
    await expect(toastOf(page)).toContainText('Please fill in all fields');
    await page.keyboard.press('Escape');
    await expect(dialogOf(page)).toHaveCount(0);
  });

  for (const width of [375, 768]) {
    test(`leaves every field of a dialog free at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 812 });
      await open(page, '/?payment=required&email=reader%40example.org');
      const payment = page.getByTestId('payment-modal');
      await expect(payment.getByLabel('Email')).toHaveValue('reader@example.org');
      await expect(toastOf(page)).toContainText('Payment Required');
      await expect
        .poll(async () => {
          const [toast, sheet] = await boxesOf(toastOf(page), payment);
          return sheet.bottom <= toast.y;
        })
        .toBe(true);
      // What arrived late above it has not pushed it out of sight.
      await expect(payment.getByText('A payment needs an account')).toBeAttached();
      await expect(payment.getByLabel('Email')).toBeFocused();
      await expect(payment.getByLabel('Email')).toBeInViewport({ ratio: 1 });
    });
  }

  test('goes as soon as what it says is no longer so', async ({ page }) => {
    await open(page);
    const shown = toastOf(page).and(page.locator('[data-state=open]'));
    const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') };
    await page.locator('input[type=file]').setInputFiles(text);
    await expect(shown).toContainText('Invalid file type');
    await holdToast(page);
    await page.locator('input[type=file]').setInputFiles(NOTE);
    await expect(page.getByText('note.png', { exact: true })).toBeVisible();
    await expect(shown).toHaveCount(0);

    await page.route('**/api/extract-text', (route) =>
      route.fulfill({ status: 500, json: { error: 'Broken' } }),
    );
    const extract = page.getByRole('button', { name: 'Extract Text' });
    await extract.click();
    await expect(shown).toContainText('Broken');
    await holdToast(page);
    await signInButton(page).click();
    await expect(dialogOf(page)).toBeVisible();
    await expect(shown).toHaveCount(0);
    await page.keyboard.press('Escape');

    await extract.click();
    await expect(shown).toContainText('Broken');
    await holdToast(page);
    const held = gate();
    await page.unroute('**/api/extract-text');
    await page.route('**/api/extract-text', async (route) => {
      await held.opened;
      await route.continue();
    });
    await extract.click();
    await expect(page.getByText('Processing your image...').first()).toBeVisible();
    await expect(shown).toHaveCount(0);
    held.open();
    await expect(shown).toContainText('Success!', { timeout: 30_000 });
  });

  test('of a failed sign-in does not stand beside the one who is signed in', async ({ page }) => {
    await becomeMember(page, 'second-try');
    await page.request.post('/api/logout');
    await open(page);
    await signInButton(page).click();
    await logIn(page, 'second-try', 'not the password');
    await expect(toastOf(page)).toContainText('Wrong username or password.');
    await holdToast(page);
    await logIn(page, 'second-try', PASSWORD);
    await expect(page.getByRole('banner').getByText('second-try')).toBeVisible();
    await expect(toastOf(page).and(page.locator('[data-state=open]'))).toHaveCount(0);
  });
});

test('at the limit the sign-in dialog leads on to premium, and so does what stands beside the tool', async ({
  page,
}) => {
  await page.route('**/api/extract-text', (route) =>
    route.fulfill({
      status: 429,
      json: { error: 'Daily limit reached.', limitExceeded: true, requiresAuth: true },
    }),
  );
  await page.route('**/api/usage', (route) =>
    route.fulfill({
      json: { imageCount: 3, dailyLimit: 3, period: 'day', resetsAt: '2038-01-01T00:00:00.000Z' },
    }),
  );
  await open(page);
  await page.locator('input[type=file]').setInputFiles(NOTE);
  await page.getByRole('button', { name: 'Extract Text' }).click();
  const dialog = dialogOf(page);
  await expect(dialog).toContainText('You have used 3 of 3 free extractions today');
  await expect(dialog.getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true');
  await dialog.getByRole('button', { name: 'Get Premium' }).press('Enter');
  await expect(dialog.getByRole('tab', { name: 'Register' })).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Create Account' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  const refusal = page.getByRole('alert').filter({ hasText: 'Extraction failed' });
  await expect(refusal).toContainText('You have read 3 of 3 pictures today. Your count starts anew in');
  await refusal.getByRole('button', { name: 'Get Premium' }).click();
  await expect(dialog.getByRole('tab', { name: 'Register' })).toHaveAttribute('aria-selected', 'true');
});
