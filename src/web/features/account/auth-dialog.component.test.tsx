import { http } from 'msw';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import * as people from '#contract/calls/accounts';
import { getUsage } from '#contract/calls/recognition';
import { register as registerCall } from '#contract/calls/registration';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { expectConsole } from '../../../../tests/component/console.ts';
import { gate } from '../../../../tests/component/extraction.ts';
import {
  AVAILABLE,
  dialog,
  logIn,
  member,
  message,
  openAs,
  PASSWORD,
  payment,
  register,
  signInButton,
} from '../../../../tests/component/people.ts';
import {
  answers,
  errorResponse,
  losesConnection,
  requestCount,
  requests,
  respondsWithError,
  worker,
} from '../../../../tests/component/server.ts';

const field = (name: string) => dialog().getByLabelText(name, { exact: true });
const send = (name: string) => dialog().getByRole('button', { name, exact: true });

async function openSignIn(options: Parameters<typeof openAs>[2] = {}) {
  const application = await openAs(null, '/', { site: AVAILABLE, ...options });
  await signInButton().click();
  await expect.element(field('Username')).toHaveFocus();
  return application;
}

describe('login form', () => {
  test('login form: empty fields are reported and marked, and the first one gets the focus', async () => {
    await openSignIn();
    await send('Login').click();
    await expect.poll(message).toContain('Please fill in all fields');
    await expect.element(field('Username')).toHaveAttribute('aria-invalid', 'true');
    await expect.element(field('Username')).toHaveFocus();
    expect(requestCount('POST /api/login')).toBe(0);
  });

  test('login form: an error is shown as a toast and in the form, and the typed values stay', async () => {
    await openSignIn();
    await logIn('ada', 'whatever');
    await expect.poll(message).toContain('Error');
    await expect.element(dialog().getByRole('alert')).toHaveTextContent('Wrong username or password.');
    await expect.element(field('Username')).toHaveValue('ada');
    await expect.element(field('Password')).toHaveValue('whatever');
  });

  test('login form: while it is sent the button is disabled with another label, and a lost connection is reported', async () => {
    await openSignIn();
    const response = gate();
    worker.use(
      answers(people.login, async () => {
        await response.opened;
        return Response.error();
      }),
    );
    await logIn('ada');
    await expect.element(send('Logging in...')).toBeDisabled();
    response.open();
    await expect.element(dialog().getByRole('alert')).toHaveTextContent('Login failed');
  });

  test('login form: a successful attempt removes the toast of a failed one', async () => {
    await openSignIn({ others: [member('ada')] });
    await logIn('ada', 'not the password');
    await expect.poll(message).toContain('Wrong username or password.');
    // Toasts do not time out while the window has no focus.
    window.dispatchEvent(new Event('blur'));
    await logIn('ada');
    await expect.element(page.getByRole('banner').getByText('ada')).toBeVisible();
    await expect.poll(message).toBe('');
  });

  test('login form: if the usage cannot be fetched afterwards, that is reported and the user is signed in', async () => {
    await openSignIn({ others: [member('ada')] });
    worker.use(respondsWithError(getUsage, 500, { error: 'no' }));
    await logIn('ada');
    await expect.poll(message).toContain('Failed to fetch usage');
    await expect.element(page.getByRole('button', { name: 'ada', exact: true })).toBeVisible();
  });

  test('login form: Escape closes the dialog while a toast is shown', async () => {
    await openSignIn();
    await send('Login').click();
    await expect.poll(message).toContain('Please fill in all fields');
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog()).not.toBeInTheDocument();
  });
});

describe('second step of signing in', () => {
  const secondFactor = { since: '2026-05-03T10:00:00.000Z', recoveryCodesLeft: 10 };
  const CODE = '123456';

  /** Opens the sign-in dialog for a user with a second factor. The server accepts only `accepted` as the second step. */
  async function openSecondStep(accepted: object) {
    const ada = member('ada', { secondFactor });
    const application = await openSignIn({ others: [ada] });
    worker.use(
      answers(people.loginSecondFactor, async (request) => {
        if (JSON.stringify(await request.json()) !== JSON.stringify(accepted))
          return errorResponse(401, { error: 'This code is not right.', code: 'second_factor.wrong_code' });
        application.setSession(ada);
        return { user: ada.user };
      }),
    );
    return application;
  }

  test('second step: has a field for a numeric one-time code, reports a wrong code and accepts the right one', async () => {
    await openSecondStep({ code: CODE });
    await logIn('ada');
    const code = field('Code');
    await expect.element(code).toHaveFocus();
    await expect.element(code).toHaveAttribute('inputmode', 'numeric');
    await expect.element(code).toHaveAttribute('autocomplete', 'one-time-code');
    await expectAccessible();
    await code.fill('000000');
    await send('Login').click();
    await expect.element(dialog().getByRole('alert')).toHaveTextContent('This code is not right');
    await code.fill(CODE);
    await send('Login').click();
    await expect.element(dialog()).not.toBeInTheDocument();
    await expect.element(page.getByRole('button', { name: 'ada', exact: true })).toBeVisible();
  });

  test('second step: a recovery code can be used instead', async () => {
    await openSecondStep({ recoveryCode: 'abcd-efgh-jkmn-pqrs' });
    await logIn('ada');
    await send('Use a recovery code instead').click();
    await expect.element(field('Recovery code')).toHaveFocus();
    await field('Recovery code').fill('abcd-efgh-jkmn-pqrs');
    await send('Login').click();
    await expect.element(dialog()).not.toBeInTheDocument();
  });

  test('second step: password and code can be entered with the keyboard only', async () => {
    await openSecondStep({ code: CODE });
    await userEvent.keyboard(`ada{Tab}${PASSWORD}{Enter}`);
    await expect.element(field('Code')).toHaveFocus();
    await userEvent.keyboard('{Tab}');
    await expect.element(send('Use a recovery code instead')).toHaveFocus();
    await userEvent.keyboard(`{Shift>}{Tab}{/Shift}${CODE}{Enter}`);
    await expect.element(page.getByRole('button', { name: 'ada', exact: true })).toBeVisible();
  });
});

describe('register form', () => {
  test('register form: different or short passwords are reported, and closing the dialog keeps the typed values', async () => {
    await openSignIn();
    await dialog().getByRole('tab', { name: 'Register' }).click();
    await field('Username').fill('grace');
    await field('Email').fill('grace@example.org');
    await field('Password').fill('short');
    await field('Confirm Password').fill('shorter');
    await send('Create Account').click();
    await expect.poll(message).toContain('Passwords do not match');
    await field('Confirm Password').fill('short');
    await send('Create Account').click();
    await expect.poll(message).toContain('Password must be at least 6 characters long');
    await expect.element(field('Email')).toHaveValue('grace@example.org');

    await send('Close').click();
    await signInButton().click();
    await dialog().getByRole('tab', { name: 'Register' }).click();
    await expect.element(field('Username')).toHaveValue('grace');
  });

  test('register form: a taken username is reported in the form, and another one leads to the payment', async () => {
    await openSignIn();
    const taken = () => errorResponse(409, { error: 'This username is already taken.' });
    worker.use(http.post(registerCall.path, taken, { once: true }));
    await register('twin');
    await expect.element(dialog().getByRole('alert')).toHaveTextContent('This username is already taken.');
    await expect.element(field('Email')).toHaveValue('twin@example.org');
    await field('Username').fill('twin-two');
    await send('Create Account').click();
    await expect.element(payment()).toHaveTextContent('For the new account twin-two');
    const sent = requests.filter(({ call }) => call === 'POST /api/register');
    expect(await Promise.all(sent.map(({ request }) => request.json()))).toEqual([
      { username: 'twin', email: 'twin@example.org', password: PASSWORD },
      { username: 'twin-two', email: 'twin@example.org', password: PASSWORD },
    ]);
  });

  test('register form: a registration that another browser is paying for is reported in the form', async () => {
    await openSignIn();
    const error = 'A payment for this registration was started in another browser.';
    worker.use(respondsWithError(registerCall, 409, { error, code: 'accounts.payment_under_way' }));
    await register('zora');
    await expect.element(dialog().getByRole('alert')).toHaveTextContent('started in another browser');
  });

  test('register form: without a payment provider it has no fields and leads to the waitlist', async () => {
    await openAs(null, '/', {
      site: { thirdPartySignIn: null },
      state: { payment: { provider: null, payingFor: null, finished: null, claim: null } },
    });
    await signInButton().click();
    await send('Sign in').click();
    await expect.element(dialog()).toHaveTextContent('Welcome to Glyphlift');
    await expect.element(field('Username')).toBeVisible();
    expect(
      dialog()
        .getByRole('button', { name: /^Continue with/ })
        .query(),
    ).toBeNull();
    await dialog().getByRole('tab', { name: 'Register' }).click();
    await expect.element(dialog()).toHaveTextContent('Registration is currently closed on this server');
    expect(field('Username').query()).toBeNull();
    await send('Get Notified When Available').click();
    await expect.element(page.getByRole('dialog', { name: 'Coming Soon - Premium Features' })).toBeVisible();
  });
});

describe('forgotten password', () => {
  test('forgotten password: a lost connection is reported and the typed address stays', async () => {
    await openSignIn();
    worker.use(losesConnection(people.forgotPassword));
    await send('Forgot password?').click();
    await field('Email').fill('ada@example.org');
    await send('Mail me a link').click();
    await expect
      .element(dialog().getByRole('alert'))
      .toHaveTextContent('The mail could not be sent. Please try again.');
    await expect.element(field('Email')).toHaveValue('ada@example.org');
  });
});

test('login: if the user cannot be fetched afterwards, signing in succeeds and is announced once', async () => {
  expectConsole(/500/);
  await openSignIn({ others: [member('ada')] });
  worker.use(http.get('/api/user', () => new Response('{}', { status: 500 })));
  await logIn('ada');
  await expect.element(page.getByRole('button', { name: 'ada', exact: true })).toBeVisible();
  await expect.poll(message).toContain('Failed to fetch user');
  expect(requestCount('GET /api/user')).toBe(1);
});
