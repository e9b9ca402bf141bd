import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { pay } from '#contract/calls/billing';
import { dropRegistration } from '#contract/calls/registration';
import { PAGES } from '#contract/paths';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { toast } from '../../../../tests/component/application.tsx';
import { gate } from '../../../../tests/component/extraction.ts';
import {
  AVAILABLE,
  button,
  dialog,
  message,
  openAs,
  payment,
  register,
  signInButton,
} from '../../../../tests/component/people.ts';
import {
  answers,
  errorResponse,
  requestCount,
  respondsWithError,
  worker,
} from '../../../../tests/component/server.ts';
import { overlaps } from '../../ui/toast/free-place.ts';

const NO_PROVIDER = { provider: null, payingFor: null, finished: null, claim: null };
const BY_PAYPAL = { provider: 'paypal', payingFor: null, finished: null, claim: null } as const;
const email = () => payment().getByLabelText('Email');
const payButton = () => payment().getByRole('button', { name: /^Pay with/ });

/** Opens the payment dialog of a visitor who has just registered. */
async function openPaying(username: string) {
  await openAs(null, '/', { site: AVAILABLE });
  await signInButton().click();
  await register(username);
  await expect.element(payment()).toHaveTextContent(`For the new account ${username}`);
}

/** Opens the payment dialog with a link from a mail or the sign-in provider. */
const openLink = (address: string, state = {}) =>
  openAs(null, `/?payment=required&email=${encodeURIComponent(address)}`, { site: AVAILABLE, state });

describe('payment link', () => {
  test('payment link: fills in the address, removes it from the URL, and leads to the registration first', async () => {
    await openLink('reader@example.org', { payment: BY_PAYPAL });
    await expect.element(email()).toHaveValue('reader@example.org');
    await expect.poll(message).toContain('Payment Required');
    expect(message()).toContain('Complete your premium subscription to access your account.');
    expect(location.search).toBe('');
    await expectAccessible();

    worker.use(
      respondsWithError(pay, 409, { error: 'Please register first.', code: 'billing.nothing_to_pay_for' }),
    );
    await payButton().click();
    await expect
      .element(dialog().getByRole('tab', { name: 'Register' }))
      .toHaveAttribute('aria-selected', 'true');
    await expect.poll(message).toContain('Please register first');
  });

  test('payment link: a text that is not an address is not shown', async () => {
    await openLink('Your account is closed, call 555 0100', { payment: BY_PAYPAL });
    await expect.element(email()).toHaveValue('');
    expect(document.body.textContent).not.toContain('555 0100');
  });

  test('payment link: after a cancelled payment it says that nothing was charged', async () => {
    await openAs(null, '/?payment=cancelled', { site: AVAILABLE });
    await expect.poll(message).toContain('Nothing was charged.');
    expect(location.search).toBe('');
  });

  test.each([375, 768])('payment link: at %d px the toast covers no field of the dialog', async (width) => {
    await page.viewport(width, 812);
    await openLink('reader@example.org');
    await expect.element(email()).toHaveValue('reader@example.org');
    await expect.poll(message).toContain('Payment Required');
    const fields = () =>
      [...document.querySelectorAll('[data-testid=payment-modal] :is(input, button)')].map((control) =>
        control.getBoundingClientRect(),
      );
    const box = () => document.querySelector('.toast-viewport > li')!.getBoundingClientRect();
    await expect.poll(() => fields().filter((field) => overlaps(field, box()))).toEqual([]);
    // The notice above the field loads later and must not push the field out of view.
    await expect.element(payment().getByText('A payment needs an account')).toBeInTheDocument();
    await expect.element(email()).toHaveFocus();
    await expect.element(email()).toBeInViewport({ ratio: 1 });
  });
});

describe('payment dialog', () => {
  test('payment dialog: requires an address, is busy while paying, and keeps the address after a failure', async () => {
    await openPaying('retry');
    await email().fill('');
    await payButton().click();
    await expect.poll(message).toContain('Email Required');
    expect(message()).toContain('Please enter your email address to continue with payment.');
    expect(requestCount('POST /api/payment/paypal')).toBe(0);

    await email().fill('retry@example.org');
    const response = gate();
    worker.use(
      answers(pay, async () => {
        await response.opened;
        return errorResponse(502, { error: '' });
      }),
    );
    await payButton().click();
    await expect.element(payment().getByRole('button', { name: 'Processing Payment...' })).toBeDisabled();
    response.open();
    await expect.poll(message).toContain('Payment Failed');
    await expect
      .element(payment().getByRole('alert'))
      .toHaveTextContent('There was an error processing your payment. Please try again.');
    await expect.element(email()).toHaveValue('retry@example.org');
  });

  test('payment dialog: reports that someone else has taken the username and that nothing was charged', async () => {
    await openPaying('twin');
    const error = 'The username or the address was taken meanwhile. Nothing was charged.';
    worker.use(respondsWithError(pay, 409, { error, code: 'billing.registration_lapsed' }));
    await payButton().click();
    await expect.poll(message).toContain('Payment Failed');
    await expect.element(dialog().getByRole('alert')).toHaveTextContent(error);
  });

  test('payment dialog: after returning from the provider with the Back button it can be used again', async () => {
    await openPaying('xaver');
    // This URL does not leave the page. So the page stays as if the browser had restored it from its cache.
    const approvalUrl = 'javascript:void document.body.setAttribute("data-left", "")';
    worker.use(answers(pay, () => ({ status: 'approval' as const, approvalUrl })));
    await payButton().click();
    await expect.poll(() => document.body.hasAttribute('data-left')).toBe(true);
    document.body.removeAttribute('data-left');
    await expect.element(payment().getByRole('button', { name: 'Processing Payment...' })).toBeDisabled();
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await expect.element(payButton()).toBeEnabled();
  });

  test('payment dialog: a completed payment finishes the registration and opens the login', async () => {
    await openPaying('quentin');
    await payButton().click();
    await expect.poll(message).toContain('Registration Successful!');
    await expect
      .element(dialog().getByRole('tab', { name: 'Login' }))
      .toHaveAttribute('aria-selected', 'true');
    expect(page.getByRole('region', { name: 'Finish your registration' }).query()).toBeNull();
  });

  test.each([375, 768, 1440])(
    'payment dialog: without a payment provider it says so at %d px and leads to the waitlist',
    async (width) => {
      await page.viewport(width, 812);
      await openAs(null, '/?payment=required&email=reader%40example.org', {
        state: { payment: NO_PROVIDER },
      });
      await expect.element(payment()).toHaveTextContent('Nothing can be paid on this server at the moment');
      expect(email().query()).toBeNull();
      expect(payButton().query()).toBeNull();
      await expectAccessible();
      await payment().getByRole('button', { name: 'Get Notified When Available' }).click();
      await expect
        .element(page.getByRole('dialog', { name: 'Coming Soon - Premium Features' }))
        .toBeVisible();
    },
  );
});

describe('unfinished registration', () => {
  const notice = () => page.getByRole('region', { name: 'Finish your registration' });

  test('unfinished registration: dropping it frees the username and removes the notice from every page', async () => {
    const { router, state } = await openAs(null, '/', {
      site: AVAILABLE,
      state: {
        payment: {
          provider: 'paypal',
          payingFor: {
            kind: 'registration',
            username: 'yvonne',
            email: 'yvonne@example.org',
            keptUntil: '2026-05-05T10:00:00.000Z',
            underWay: false,
            lost: false,
          },
          finished: null,
          claim: null,
        },
      },
    });
    await expect.element(notice()).toHaveTextContent('yvonne (yvonne@example.org) waits for its payment');
    await expect.element(notice()).toHaveTextContent('UTC');
    await expectAccessible();
    worker.use(
      answers(dropRegistration, () => {
        state.payment = BY_PAYPAL;
        return {};
      }),
    );
    await button('Drop it').click();
    await expect.element(toast()).toHaveTextContent('the username is free again');
    await expect.element(notice()).not.toBeInTheDocument();
    await router.navigate(PAGES.premium);
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(notice().query()).toBeNull();
  });
});
