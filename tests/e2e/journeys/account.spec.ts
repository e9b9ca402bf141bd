import { readFileSync } from 'node:fs';
import { PAGES } from '#contract/paths';
import { NOTE } from '../extraction-page.ts';
import {
  becomeMember,
  FAILED_REQUESTS,
  HIGH_RATE_LIMITS,
  logIn,
  mailedLink,
  open,
  PASSWORD,
  register,
  signInButton,
  toastOf,
} from '../people.ts';
import { expect, test } from '../test.ts';

test.use({
  settings: { ...HIGH_RATE_LIMITS, PREMIUM_AVAILABILITY: 'available' },
  expectedConsole: FAILED_REQUESTS,
});

test('account: a visitor registers, pays, signs in, reads a picture and signs out', async ({
  page,
  expectAccessible,
}) => {
  await open(page);
  await signInButton(page).click();
  const auth = page.getByRole('dialog', { name: 'Welcome to Glyphlift' });
  await expect(auth.getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true');
  await expectAccessible();
  await register(page, 'ada');

  const payment = page.getByTestId('payment-modal');
  await expect(payment.getByLabel('Email')).toHaveValue('ada@example.org');
  await expect(auth).toBeHidden();
  await expect(payment.getByText('For the new account ada')).toBeVisible();
  await expect(payment.getByText('Demo payment')).toBeVisible();
  await expect(payment.getByText(/Premium Monthly\s+\$4\.99/)).toBeVisible();
  await expectAccessible();
  await payment.getByRole('button', { name: 'Pay with the demo provider' }).click();

  await expect(toastOf(page)).toContainText('Registration Successful!');
  await expect(payment).toBeHidden();
  await expect(auth.getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true');
  await logIn(page, 'ada');
  await expect(auth).toBeHidden();
  await expect(page.getByRole('banner').getByText('Premium', { exact: true }).last()).toBeVisible();

  await page.locator('input[type=file]').setInputFiles(NOTE);
  await page.getByRole('button', { name: 'Extract Text' }).click();
  await page.getByRole('heading', { name: 'Extracted text' }).waitFor({ timeout: 30_000 });
  const usage = await (await page.request.get('/api/usage')).json();
  expect(usage).toMatchObject({ imageCount: 1, dailyLimit: 1500, period: 'month' });

  await page.getByRole('button', { name: 'ada', exact: true }).click();
  await expect(page.getByRole('menuitem', { name: 'ada@example.org' })).toBeDisabled();
  await expect(page.getByRole('menuitem', { name: 'Coming Soon - Premium Features' })).toHaveCount(0);
  await expectAccessible();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(toastOf(page)).toContainText('Successfully logged out');
  await expect(signInButton(page)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Extracted text' })).toHaveCount(0);
  await expect(page.getByText('Drop a picture here')).toBeVisible();
});

test('account: registering, paying, signing in and opening the settings by keyboard alone', async ({
  page,
}) => {
  await open(page);
  const tabTo = async (name: string | RegExp) => {
    for (let presses = 0; presses < 30; presses++) {
      const label = await page.evaluate(() => {
        const element = document.activeElement;
        if (element instanceof HTMLInputElement) return element.labels?.[0]?.textContent ?? '';
        return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
      });
      if (typeof name === 'string' ? label === name : name.test(label)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${name}`);
  };
  await tabTo('Premium Sign In');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Username')).toBeFocused();

  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(signInButton(page)).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Username')).toBeFocused();
  // The panel itself can be focused too, so that the keyboard can scroll it.
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('tab', { name: 'Login' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Register' })).toBeFocused();
  await tabTo('Username');
  await page.keyboard.type('keys');
  await page.keyboard.press('Tab');
  await page.keyboard.type('keys@example.org');
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');

  await expect(page.getByTestId('payment-modal').getByLabel('Email')).toBeFocused();
  await tabTo(/^Pay with/);
  await page.keyboard.press('Enter');
  await expect(toastOf(page)).toContainText('Registration Successful!');
  await expect(page.getByRole('dialog').getByLabel('Username')).toBeFocused();
  await page.keyboard.type('keys');
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  const menu = page.getByRole('button', { name: 'keys', exact: true });
  await expect(menu).toBeVisible();
  // The button that opened the dialog was removed, so the focus moves to the content.
  await expect(page.getByRole('main')).toBeFocused();

  await menu.focus();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'keys@example.org' })).toBeFocused();
  await page.keyboard.press('a');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Your account' })).toBeVisible();
});

test('account: a forgotten password is replaced by a mailed link, which works once', async ({
  page,
  server,
}) => {
  await becomeMember(page, 'forgetful');
  await page.context().clearCookies();
  await open(page);
  await signInButton(page).click();
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await page.getByRole('dialog').getByLabel('Email').fill('forgetful@example.org');
  await page.getByRole('button', { name: 'Mail me a link' }).click();
  await expect(page.getByText('Look into your mailbox')).toBeVisible();

  const link = await mailedLink(server.dataDir, 'forgetful@example.org', /http\S+#reset=[\w-]+/);
  await page.goto('about:blank');
  await open(page, link);
  await expect(page).toHaveURL(`${server.url}/reset-password`);
  await page.getByLabel('New password', { exact: true }).fill('remembered at last');
  await page.getByLabel('Confirm new password').fill('remembered at last');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByText('Your new password is set')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await logIn(page, 'forgetful', 'remembered at last');
  await expect(page.getByRole('button', { name: 'forgetful', exact: true })).toBeVisible();

  await page.goto('about:blank');
  await open(page, link);
  await page.getByLabel('New password', { exact: true }).fill('a second time');
  await page.getByLabel('Confirm new password').fill('a second time');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('This link has expired');
});

test('account: a new address replaces the old one once its signed-in owner confirms it by a mailed link', async ({
  page,
  server,
  expectAccessible,
}) => {
  await becomeMember(page, 'remover');
  await open(page, PAGES.account);
  await page.getByRole('button', { name: 'Change address' }).click();
  const address = page.getByLabel('New address');
  await address.fill('no address');
  await page.getByLabel('Current password').fill(PASSWORD);
  const send = page.getByRole('main').getByRole('button', { name: 'Change address' }).last();
  await send.click();
  await expect(address).toHaveAttribute('aria-invalid', 'true');
  await address.fill('moved@example.org');
  await send.click();
  await expect(toastOf(page)).toContainText('Almost done');
  await expect(page.getByText(/moved@example.org becomes your address once you open the link/)).toBeVisible();
  await expect(page.getByText('remover@example.org').first()).toBeVisible();
  await expectAccessible();

  const link = await mailedLink(server.dataDir, 'moved@example.org', /http\S+#verify=[\w-]+/);
  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByText('Sign in to confirm your address')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await logIn(page, 'remover');
  await page.getByRole('button', { name: 'Confirm for remover' }).click();
  await expect(page.getByText('Your address is confirmed')).toBeVisible();
  await open(page, PAGES.account);
  await expect(page.getByText('moved@example.org confirmed')).toBeVisible();
  await expect(page.getByText('remover@example.org')).toHaveCount(0);
});

test('account: other devices are signed out, and the password is changed with the current one', async ({
  page,
  browser,
  server,
}) => {
  await becomeMember(page, 'mover');
  const elsewhere = await browser.newContext({ baseURL: server.url });
  await elsewhere.request.post('/api/login', { data: { username: 'mover', password: PASSWORD } });
  await open(page, PAGES.account);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(toastOf(page)).toContainText('Signed out everywhere else');
  expect((await elsewhere.request.get('/api/user')).status()).toBe(401);
  await elsewhere.close();

  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByLabel('Current password').fill('not it at all');
  await page.getByLabel('New password', { exact: true }).fill('another harbour 8');
  await page.getByLabel('Confirm new password').fill('another harbour 8');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByRole('alert')).toContainText('The current password is not right.');
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(toastOf(page)).toContainText('Password changed');
});

test('account: all data is exported without secrets, and the account is deleted after typing its name', async ({
  page,
}) => {
  await becomeMember(page, 'goer');
  const kept = { name: 'Ferry times', text: 'Every hour from seven', language: 'eng' };
  expect((await page.request.post('/api/texts', { data: kept })).status()).toBe(201);
  await open(page, PAGES.account);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download your data' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/\.json$/);
  const text = readFileSync(await file.path(), 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    username: 'goer',
    email: 'goer@example.org',
    savedTexts: [expect.objectContaining(kept)],
  });
  expect(text).not.toMatch(/argon2|passwordHash|password_hash/);

  await page.getByRole('button', { name: 'Delete account' }).click();
  const question = page.getByRole('dialog', { name: 'Delete your account?' });
  await question.getByLabel('Type your username, goer').fill('someone');
  await question.getByLabel('Current password').fill(PASSWORD);
  await question.getByRole('button', { name: 'Delete for good' }).click();
  await expect(question.getByRole('alert')).toContainText('Please type your username exactly as it is.');
  await question.getByLabel('Type your username, goer').fill('goer');
  await question.getByRole('button', { name: 'Delete for good' }).click();
  await expect(toastOf(page)).toContainText('Account deleted');
  await expect(signInButton(page)).toBeVisible();
  const again = await page.request.post('/api/login', { data: { username: 'goer', password: PASSWORD } });
  expect(again.status()).toBe(401);
});

test('account page: is rendered for its owner only, needs no calls, and is requested again after Back', async ({
  page,
  browser,
}) => {
  await becomeMember(page, 'nell');
  const answer = await page.request.get(PAGES.account);
  expect(answer.headers()['cache-control']).toContain('no-store');
  const markup = await answer.text();
  expect(markup).toContain('nell@example.org');
  expect(markup).toContain('Where you are signed in');
  const stranger = await browser.newContext();
  const theirs = await stranger.request.get(answer.url());
  expect(await theirs.text()).not.toContain('nell');
  await stranger.close();

  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(pathname);
  });
  await open(page, PAGES.account);
  await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeVisible();
  await expect(page.getByText('nell, here since')).toBeVisible();
  await expect(page.getByText('this browser')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Make a key' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Webhook secret' })).toBeVisible();
  await page.getByRole('button', { name: 'Change address' }).click();
  await page.getByLabel('New address').fill('nobody@nowhere');
  await page.getByRole('button', { name: 'Change address' }).last().click();
  await expect(toastOf(page)).toContainText('Please enter a valid email address');
  expect(calls).toEqual([]);

  await page.getByRole('link', { name: 'Glyphlift' }).first().click();
  await expect(page.getByRole('button', { name: 'Extract Text' })).toBeVisible();
  await page.goBack();
  await expect(page.getByText('this browser')).toBeVisible();
  await expect.poll(() => calls).toContain('/api/account/sessions');
  await expect.poll(() => calls).toContain('/api/account/keys');
});
