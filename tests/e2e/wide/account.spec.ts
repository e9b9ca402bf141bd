import { readFileSync } from 'node:fs';
import { PAGES } from '#contract/paths';
import { NOTE } from '../extraction-page.ts';
import {
  becomeMember,
  gate,
  logIn,
  mailedLink,
  open,
  PASSWORD,
  PATIENT,
  REFUSALS,
  register,
  signInButton,
  toastOf,
} from '../people.ts';
import { expect, test } from '../test.ts';

test.use({ settings: { ...PATIENT, PREMIUM_AVAILABILITY: 'available' }, expectedConsole: REFUSALS });

test('registering, paying, signing in, reading a picture and signing out', async ({
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

test('the user’s menu fits every screen', { tag: '@every-width' }, async ({ page, expectAccessible }) => {
  await becomeMember(page, 'wide-name-that-goes-on-and-on-32');
  await open(page);
  const small = page.getByRole('button', { name: 'Open menu' });
  if (await small.isVisible()) await small.click();
  await page.getByRole('button', { name: 'wide-name-that-goes-on-and-on-32' }).first().click();
  const box = await page.getByRole('menu').boundingBox();
  const width = await page.evaluate(() => innerWidth);
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  await expectAccessible();
});

test('the whole way by keyboard alone', async ({ page }) => {
  await open(page);
  const focusReaches = async (name: string | RegExp) => {
    for (let presses = 0; presses < 30; presses++) {
      const label = await page.evaluate(() => {
        const element = document.activeElement;
        if (element instanceof HTMLInputElement) return element.labels?.[0]?.textContent ?? '';
        return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
      });
      if (typeof name === 'string' ? label === name : name.test(label)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`the focus never came to ${name}`);
  };
  await focusReaches('Premium Sign In');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Username')).toBeFocused();

  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(signInButton(page)).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Username')).toBeFocused();
  // The panel itself can be reached too, so that it can be scrolled.
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('tab', { name: 'Login' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Register' })).toBeFocused();
  await focusReaches('Username');
  await page.keyboard.type('keys');
  await page.keyboard.press('Tab');
  await page.keyboard.type('keys@example.org');
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');

  await expect(page.getByTestId('payment-modal').getByLabel('Email')).toBeFocused();
  await focusReaches(/^Pay with/);
  await page.keyboard.press('Enter');
  await expect(toastOf(page)).toContainText('Registration Successful!');
  await expect(page.getByRole('dialog').getByLabel('Username')).toBeFocused();
  await page.keyboard.type('keys');
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  const menu = page.getByRole('button', { name: 'keys', exact: true });
  await expect(menu).toBeVisible();
  // The button that opened the dialog is gone, so the keyboard goes on at the content.
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

test('what is wrong with a form is said in a toast and in place, and nothing typed is lost', async ({
  page,
}) => {
  await open(page);
  await signInButton(page).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(toastOf(page)).toContainText('Please fill in all fields');
  await expect(dialog.getByLabel('Username')).toHaveAttribute('aria-invalid', 'true');
  await expect(dialog.getByLabel('Username')).toBeFocused();
  await logIn(page, 'nobody', 'whatever');
  await expect(toastOf(page)).toContainText('Error');
  await expect(dialog.getByRole('alert')).toContainText('Wrong username or password.');
  await expect(dialog.getByLabel('Username')).toHaveValue('nobody');
  await expect(dialog.getByLabel('Password')).toHaveValue('whatever');

  await dialog.getByRole('tab', { name: 'Register' }).click();
  await dialog.getByLabel('Username').fill('grace');
  await dialog.getByLabel('Email').fill('grace@example.org');
  await dialog.getByLabel('Password', { exact: true }).fill('short');
  await dialog.getByLabel('Confirm Password').fill('shorter');
  const send = dialog.getByRole('button', { name: 'Create Account' });
  await send.click();
  await expect(toastOf(page)).toContainText('Passwords do not match');
  await dialog.getByLabel('Confirm Password').fill('short');
  await send.click();
  await expect(toastOf(page)).toContainText('Password must be at least 6 characters long');
  await expect(dialog.getByLabel('Email')).toHaveValue('grace@example.org');

  await dialog.getByRole('button', { name: 'Close' }).click();
  await signInButton(page).click();
  await dialog.getByRole('tab', { name: 'Register' }).click();
  await expect(dialog.getByLabel('Username')).toHaveValue('grace');
});

test('busy buttons say what they are doing', async ({ page }) => {
  await open(page);
  await signInButton(page).click();
  const held = gate();
  await page.route('**/api/login', async (route) => {
    await held.opened;
    await route.abort();
  });
  await logIn(page, 'ada', PASSWORD);
  await expect(page.getByRole('button', { name: 'Logging in...' })).toBeDisabled();
  held.open();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Login failed');
});

test('a failed sign-out is told, and the person stays signed in', async ({ page }) => {
  await becomeMember(page, 'stays');
  await open(page);
  await page.route('**/api/logout', (route) => route.fulfill({ status: 500, json: { error: 'no' } }));
  await page.getByRole('button', { name: 'stays', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(toastOf(page)).toContainText('Logout failed');
  await expect(toastOf(page)).toContainText('Please try again');
  await expect(page.getByRole('button', { name: 'stays', exact: true })).toBeVisible();
});

test('who is here, or what they have used, could not be asked', async ({ page }) => {
  await becomeMember(page, 'unlucky');
  await page.context().clearCookies();
  await open(page);
  await signInButton(page).click();
  await page.route('**/api/usage', (route) => route.fulfill({ status: 500, json: { error: 'no' } }));
  await logIn(page, 'unlucky');
  await expect(toastOf(page)).toContainText('Failed to fetch usage');
  await expect(page.getByRole('button', { name: 'unlucky', exact: true })).toBeVisible();
  await page.unroute('**/api/usage');
});

test.describe('the account page', () => {
  test('keeps texts: found, opened, renamed, deleted', async ({ page, expectAccessible }) => {
    await becomeMember(page, 'keeper');
    for (const name of ['Till receipt', 'Letter home']) {
      const saved = await page.request.post('/api/texts', {
        data: { name, text: `The words of ${name}`, language: 'eng' },
      });
      expect(saved.status()).toBe(201);
    }
    await open(page, '/account');
    await expect(page.getByRole('heading', { name: 'Letter home' })).toBeVisible();
    await expectAccessible();

    await page.getByLabel('Search your texts').fill('receipt');
    await expect(page.getByRole('heading', { name: 'Letter home' })).toHaveCount(0);
    await expect(page.getByRole('status').filter({ hasText: /^1 texts?$/ })).toHaveText('1 text');
    await page.getByRole('link', { name: 'Open Till receipt' }).click();
    await expect(page.getByRole('textbox', { name: 'Extracted text' })).toHaveValue(
      'The words of Till receipt',
    );
    await page.goBack();

    await page.getByRole('button', { name: 'Rename Till receipt' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Stationer’s receipt');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Stationer’s receipt' })).toBeVisible();

    await page.getByRole('button', { name: 'Delete Stationer’s receipt' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByText('No text holds these words.')).toBeVisible();
    await page.getByLabel('Search your texts').fill('');
    await expect(page.getByRole('heading', { name: 'Letter home' })).toBeVisible();
  });

  test('cancels the subscription and keeps premium until the period ends', async ({ page }) => {
    await becomeMember(page, 'leaver');
    await open(page, '/account');
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    const question = page.getByRole('dialog', { name: 'Cancel your subscription?' });
    await expect(question.getByRole('button', { name: 'Keep premium' })).toBeFocused();
    await question.getByRole('button', { name: 'Cancel subscription' }).click();
    await expect(toastOf(page)).toContainText('Subscription cancelled');
    await expect(page.getByText(/premium stays yours until/).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Cancel subscription' })).toHaveCount(0);
  });

  test('signs other devices out, and changes the password', async ({ page, browser, server }) => {
    await becomeMember(page, 'mover');
    const elsewhere = await browser.newContext({ baseURL: server.url });
    await elsewhere.request.post('/api/login', { data: { username: 'mover', password: PASSWORD } });
    await open(page, '/account');
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

  test('changes the address once the new one is confirmed', async ({ page, server, expectAccessible }) => {
    await becomeMember(page, 'remover');
    await open(page, '/account');
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
    await expect(
      page.getByText(/moved@example.org becomes your address once you open the link/),
    ).toBeVisible();
    await expect(page.getByText('remover@example.org').first()).toBeVisible();
    await expectAccessible();

    const link = await mailedLink(server.dataDir, 'moved@example.org', /http\S+#verify=[\w-]+/);
    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm for remover' }).click();
    await expect(page.getByText('Your address is confirmed')).toBeVisible();
    await open(page, '/account');
    await expect(page.getByText('moved@example.org confirmed')).toBeVisible();
    await expect(page.getByText('remover@example.org')).toHaveCount(0);
  });

  test('hands out everything that is kept, as a file without secrets', async ({ page }) => {
    await becomeMember(page, 'owner');
    const kept = { name: 'Ferry times', text: 'Every hour from seven', language: 'eng' };
    expect((await page.request.post('/api/texts', { data: kept })).status()).toBe(201);
    await open(page, '/account');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download your data' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/\.json$/);
    const text = readFileSync(await file.path(), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      username: 'owner',
      email: 'owner@example.org',
      savedTexts: [expect.objectContaining(kept)],
    });
    expect(text).not.toMatch(/argon2|passwordHash|password_hash/);
  });

  test('deletes the account only for somebody who types its name', async ({ page }) => {
    await becomeMember(page, 'goer');
    await open(page, '/account');
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

  test('asks a stranger to sign in, and shows the settings when they have', async ({
    page,
    browser,
    server,
  }) => {
    const other = await browser.newContext({ baseURL: server.url });
    await becomeMember(await other.newPage(), 'returner');
    await other.close();
    await open(page, '/account');
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await logIn(page, 'returner');
    await expect(page.getByRole('heading', { name: 'Saved texts' })).toBeVisible();
  });
});

test.describe('mailed links', () => {
  test('a forgotten password is replaced, once', async ({ page, server }) => {
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

  test('an address is confirmed by its own person only', async ({ page, server }) => {
    await becomeMember(page, 'verifier');
    const link = await mailedLink(server.dataDir, 'verifier@example.org', /http\S+#verify=[\w-]+/);
    await page.context().clearCookies();
    await page.goto(link);
    await expect(page.getByText('Sign in to confirm your address')).toBeVisible();
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await logIn(page, 'verifier');
    await page.getByRole('button', { name: 'Confirm for verifier' }).click();
    await expect(page.getByText('Your address is confirmed')).toBeVisible();
  });

  test('a page without its token says so', async ({ page, expectAccessible }) => {
    for (const path of ['/reset-password', '/verify-email', '/claim', '/unsubscribe']) {
      await open(page, path);
      await expect(page.getByText('This link is incomplete')).toBeVisible();
    }
    await expectAccessible();
  });
});

test('the settings come with the page for who is signed in, are kept nowhere, and are nobody else’s', async ({
  page,
  browser,
}) => {
  await open(page);
  await becomeMember(page, 'nell');
  const answer = await page.request.get('/account');
  expect(answer.headers()['cache-control']).toContain('no-store');
  const markup = await answer.text();
  expect(markup).toContain('nell@example.org');
  expect(markup).toContain('Where you are signed in');

  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeVisible();
  await expect(page.getByText('nell, here since')).toBeVisible();
  expect(asked).not.toContain('/api/account');
  expect(asked).not.toContain('/api/texts');

  const stranger = await (await browser.newContext()).newPage();
  const theirs = await stranger.request.get(new URL('/account', page.url()).href);
  expect(await theirs.text()).not.toContain('nell');
});

test('the account page comes with all that it shows, and is of now when one comes back to it', async ({
  page,
}) => {
  await becomeMember(page, 'whole');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const calls = () => asked.filter((path) => path.startsWith('/api/'));
  await open(page, PAGES.account);
  await expect(page.getByText('this browser')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Make a key' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Webhook secret' })).toBeVisible();
  await page.getByRole('button', { name: 'Change address' }).click();
  await page.getByLabel('New address').fill('nobody@nowhere');
  await page.getByRole('button', { name: 'Change address' }).last().click();
  await expect(toastOf(page)).toContainText('Please enter a valid email address');
  expect(calls()).toEqual([]);

  await page.getByRole('link', { name: 'Glyphlift' }).first().click();
  await expect(page.getByRole('button', { name: 'Extract Text' })).toBeVisible();
  await page.goBack();
  await expect(page.getByText('this browser')).toBeVisible();
  await expect.poll(calls).toContain('/api/account/sessions');
  await expect.poll(calls).toContain('/api/account/keys');
});

test('a dialog whose code cannot be had says so, and opens once it can', async ({ page }) => {
  await becomeMember(page, 'late-dialog');
  await open(page, PAGES.account);
  await page.route(/\/assets\/dialog-/, (route) => route.abort());
  const press = page.getByRole('button', { name: 'Delete account' });
  await press.click();
  await expect(toastOf(page)).toContainText('This could not be loaded. Check your connection and try again.');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.unroute(/\/assets\/dialog-/);
  await page.reload();
  await press.click();
  await expect(page.getByRole('dialog', { name: 'Delete your account?' })).toBeVisible();
});
