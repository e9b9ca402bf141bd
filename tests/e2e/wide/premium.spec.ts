import { open, PATIENT, REFUSALS } from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: { ...PATIENT, PREMIUM_AVAILABILITY: 'available' }, expectedConsole: REFUSALS });

test('the premium page while premium can be bought', { tag: '@every-width' }, async ({
  page,
  expectAccessible,
}) => {
  await open(page, '/premium');
  const main = page.getByRole('main');
  await expect(main.getByText('Coming Soon')).toHaveCount(0);
  await expect(main.getByText('$4.99')).toBeVisible();
  await expectAccessible();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);

  await main.getByRole('button', { name: 'Subscribe' }).click();
  const auth = page.getByRole('dialog', { name: 'Welcome to Glyphlift' });
  await expect(auth.getByRole('tab', { name: 'Register' })).toHaveAttribute('aria-selected', 'true');
  await expectAccessible();
});

test('a limit opens what can be done about it', async ({ page }) => {
  await open(page);
  const picture = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('iVBORw0KGgo=', 'base64') };
  const limited = (flags: object) =>
    page.route('**/api/extract-text', (route) =>
      route.fulfill({ status: 429, json: { error: 'Daily limit reached.', limitExceeded: true, ...flags } }),
    );
  const extract = async () => {
    await page.locator('input[type=file]').setInputFiles(picture);
    await page.getByRole('button', { name: 'Extract Text' }).click();
  };
  await limited({ requiresAuth: true });
  await extract();
  await expect(page.getByRole('dialog', { name: 'Welcome to Glyphlift' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Daily limit reached.');

  await page.unroute('**/api/extract-text');
  await limited({ requiresPayment: true });
  await extract();
  await expect(page.getByTestId('payment-modal')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.unroute('**/api/extract-text');
  await limited({});
  await extract();
  await expect(page.getByTestId('payment-modal')).toBeVisible();
});
