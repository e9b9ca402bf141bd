import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { extractText } from '#contract/calls/recognition';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import type { OpenOptions } from '../../../../tests/component/application.tsx';
import { openTool, pictureFile } from '../../../../tests/component/extraction.ts';
import { AVAILABLE, dialog, payment } from '../../../../tests/component/people.ts';
import { respondsWithError, worker } from '../../../../tests/component/server.ts';

/* The daily limit, and the dialog that opens at it. */

const USED_UP = {
  imageCount: 3,
  dailyLimit: 3,
  period: 'day',
  resetsAt: '2038-01-01T00:00:00.000Z',
} as const;

const signIn = () => page.getByRole('dialog', { name: 'Welcome to Glyphlift' });
const waitlist = () => page.getByRole('dialog', { name: 'Coming Soon - Premium Features' });

/** Extracts a picture at the limit. The flags are those of the server's 429 response. */
async function reachLimit(
  flags: { requiresAuth?: boolean; requiresPayment?: boolean },
  { state, ...options }: OpenOptions = {},
) {
  const tool = await openTool({ ...options, state: { usage: USED_UP, ...state } });
  worker.use(
    respondsWithError(extractText, 429, { error: 'Daily limit reached.', limitExceeded: true, ...flags }),
  );
  await tool.choose(await pictureFile('note'));
  await tool.extract.click();
  await expect.element(dialog()).toBeVisible();
}

describe('at the limit while premium is available', () => {
  test.each([
    ['requiresAuth opens the sign-in dialog', { requiresAuth: true }, signIn],
    ['requiresPayment opens the payment dialog', { requiresPayment: true }, payment],
    ['neither flag opens the payment dialog', {}, payment],
  ])('limit: a response with %s, and the error stays on the page', async (_case, flags, find) => {
    await reachLimit(flags, { site: AVAILABLE });
    await expect.element(find()).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('main').getByRole('alert')).toHaveTextContent('Daily limit reached.');
  });

  test('limit: buttons in the sign-in dialog and in the error on the page lead to the registration', async () => {
    await reachLimit({ requiresAuth: true }, { site: AVAILABLE });
    await expect.element(signIn()).toHaveTextContent('You have used 3 of 3 free extractions today');
    const tab = (name: string) => signIn().getByRole('tab', { name });
    await expect.element(tab('Login')).toHaveAttribute('aria-selected', 'true');
    await expect.element(signIn().getByRole('button', { name: 'Get Premium' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(tab('Register')).toHaveFocus();
    await expect.element(signIn().getByRole('button', { name: 'Create Account' })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(signIn()).not.toBeInTheDocument();

    const error = page.getByRole('alert').filter({ hasText: 'Extraction failed' });
    await expect
      .element(error)
      .toHaveTextContent('You have read 3 of 3 pictures today. Your count resets in');
    await error.getByRole('button', { name: 'Upgrade Now' }).click();
    await expect.element(tab('Register')).toHaveAttribute('aria-selected', 'true');
  });
});

describe('at the limit while premium is coming soon', () => {
  test('limit: the sign-in dialog shows the limit on both tabs, and a button opens the waitlist', async () => {
    await reachLimit({ requiresAuth: true });
    const notice = signIn().getByRole('status').filter({ hasText: 'You have used 3 of 3' });
    await expect.element(notice).toHaveTextContent('You have used 3 of 3 free extractions today');
    await expect.element(notice).toHaveTextContent(/The count resets in \d+ \w+ \(00:00 UTC\)\./);
    expect(notice.element().querySelector('time')?.title).toBe('January 1, 2038, 00:00 UTC');
    await expect.element(signIn()).not.toHaveTextContent(/coming soon|later/i);
    await expectAccessible();
    await signIn().getByRole('tab', { name: 'Register' }).click();
    await expect.element(notice).toBeVisible();
    await notice.getByRole('button', { name: 'Join the waitlist' }).click();
    await expect.element(waitlist()).toBeVisible();
  });

  test('limit: on a phone the dialog shows the notice first', async () => {
    await page.viewport(375, 812);
    await reachLimit({ requiresAuth: true });
    const title = signIn().getByRole('heading', { name: 'Welcome to Glyphlift' });
    await expect.element(title).toBeInViewport({ ratio: 1 });
    await expect.element(signIn().getByRole('button', { name: 'Join the waitlist' })).toHaveFocus();
  });

  test('limit: the payment dialog shows the limit and mentions payment only', async () => {
    await reachLimit({ requiresPayment: true });
    await expect.element(payment()).toHaveTextContent('You have used 3 of 3 free extractions today');
    await expect.element(payment()).not.toHaveTextContent(/coming soon|waitlist|later/i);
  });
});
