import { becomeMember, logIn, open, PATIENT, REFUSALS, register, toastOf } from './people.ts';
import { expect, test } from './test.ts';

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

test('a user whose premium has ended sees what is left of today, and pays again for the same account', async ({
  page,
}) => {
  await becomeMember(page, 'lapsed');
  await page.route('**/api/user', (route) =>
    route.fulfill({ json: { user: { username: 'lapsed', email: 'lapsed@example.org', isPremium: false } } }),
  );
  await page.route('**/api/usage', (route) =>
    route.fulfill({
      json: { imageCount: 2, dailyLimit: 3, period: 'day', resetsAt: '2030-01-01T00:00:00.000Z' },
    }),
  );
  await page.context().clearCookies();
  await open(page);
  await page.getByRole('button', { name: 'Premium Sign In' }).click();
  await logIn(page, 'lapsed');
  await expect(page.getByRole('banner').getByText('2/3 images')).toBeVisible();
  const tool = page.getByRole('region', { name: 'Extraction tool' });
  await expect(tool.getByText('Welcome, lapsed!')).toBeVisible();
  await expect(tool.getByText(/^Only 1 extraction remaining today/)).toBeVisible();
  await tool.getByRole('button', { name: 'Upgrade Now' }).click();
  const payment = page.getByTestId('payment-modal');
  await expect(payment.getByLabel('Email')).toHaveValue('lapsed@example.org');
  await page.keyboard.press('Escape');
  await expect(tool.getByRole('button', { name: 'Upgrade Now' })).toBeFocused();

  await page.getByRole('link', { name: 'Premium', exact: true }).first().click();
  const plan = page.getByRole('region', { name: 'Current Plan' });
  await expect(plan).toContainText('Free Plan');
  await expect(plan).toContainText('2/3 images today');
  await expect(plan.getByRole('button', { name: 'Upgrade Now' })).toBeVisible();

  await page.getByRole('button', { name: 'lapsed', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Premium Features', exact: true }).click();
  await expect(payment).toBeVisible();
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

test('two browsers register the same address: who pays first has it, and the other loses nothing', async ({
  page,
  browser,
  server,
}) => {
  const other = await browser.newContext({ baseURL: server.url });
  const slow = await other.newPage();
  await open(slow);
  await slow.getByRole('button', { name: 'Premium Sign In' }).click();
  await register(slow, 'twin');
  await expect(slow.getByTestId('payment-modal')).toBeVisible();

  await open(page);
  await page.getByRole('button', { name: 'Premium Sign In' }).click();
  const dialog = page.getByRole('dialog');
  // Somebody else's name and address, but not their password.
  await register(page, 'twin', 'a pass phrase of another');
  await expect(dialog.getByRole('alert')).toContainText('This username is already taken.');
  await expect(dialog.getByLabel('Email')).toHaveValue('twin@example.org');
  await dialog.getByLabel('Username').fill('twin-two');
  await dialog.getByRole('button', { name: 'Create Account' }).click();
  await page
    .getByTestId('payment-modal')
    .getByRole('button', { name: /^Pay with/ })
    .click();
  await expect(toastOf(page)).toContainText('Registration Successful!');

  await slow
    .getByTestId('payment-modal')
    .getByRole('button', { name: /^Pay with/ })
    .click();
  await expect(toastOf(slow)).toContainText('Payment Failed');
  await expect(slow.getByRole('dialog').getByRole('alert')).toBeVisible();
  const login = await other.request.post('/api/login', {
    data: { username: 'twin', password: 'harbour lights 7' },
  });
  expect(login.status()).toBe(401);
  await other.close();
});
