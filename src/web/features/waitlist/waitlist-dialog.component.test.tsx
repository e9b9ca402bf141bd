import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { joinWaitlist } from '#contract/calls/waitlist';
import { PAGES } from '#contract/paths';
import { expectAccessible } from '../../../../tests/component/accessible.ts';
import { gate } from '../../../../tests/component/extraction.ts';
import { button, logIn, member, message, openAs, signInButton } from '../../../../tests/component/people.ts';
import { answers, errorResponse, losesConnection, worker } from '../../../../tests/component/server.ts';

const waitlist = () => page.getByRole('dialog', { name: 'Coming Soon - Premium Features' });
const comingSoon = () => page.getByRole('dialog', { name: 'Coming Soon', exact: true });
const email = () => waitlist().getByLabelText('Email');

describe('waitlist dialog', () => {
  test('waitlist: a missing address, an error response and a lost connection leave the form unchanged', async () => {
    await openAs(null, PAGES.premium);
    await button('Get Notified When Available').click();
    const send = waitlist().getByRole('button', { name: 'Notify Me' });
    await send.click();
    await expect.poll(message).toContain('Email Required');
    expect(message()).toContain('Please enter your email address.');

    const response = gate();
    worker.use(
      answers(joinWaitlist, async () => {
        await response.opened;
        return errorResponse(500, { error: '' });
      }),
    );
    await email().fill('reader@example.org');
    await send.click();
    await expect.element(waitlist().getByRole('button', { name: 'Saving...' })).toBeDisabled();
    response.open();
    await expect.poll(message).toContain('Submission Failed');
    await expect.element(waitlist().getByRole('alert')).toHaveTextContent('Failed to save email');
    await expect.element(email()).toHaveValue('reader@example.org');

    worker.use(losesConnection(joinWaitlist));
    await send.click();
    await expect.element(waitlist().getByRole('alert')).toHaveTextContent('Please try again.');
  });

  test('waitlist: compares the monthly pictures of premium with the configured free limit', async () => {
    await openAs(null, '/', { site: { freeDailyLimit: 2 } });
    await signInButton().click();
    await comingSoon().getByRole('button', { name: 'Notify Me When Ready' }).click();
    await expect.element(waitlist()).toHaveTextContent('1,500 pictures a month instead of two a day.');
  });
});

describe('coming soon dialog', () => {
  test('coming soon: focuses "Notify Me When Ready" first, and returns the focus when it closes', async () => {
    await openAs(null, '/');
    await signInButton().click();
    await expect.element(comingSoon().getByRole('button', { name: 'Notify Me When Ready' })).toHaveFocus();
    await expectAccessible();
    await comingSoon().getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect.element(comingSoon()).not.toBeInTheDocument();
    await expect.element(signInButton()).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(comingSoon()).toBeVisible();
  });

  test('coming soon: shows the free limit, and a subscriber can sign in from it', async () => {
    await openAs(null, '/', {
      staticParts: true,
      site: { freeDailyLimit: 1 },
      others: [member('returning')],
    });
    await expect.element(page.getByText('One picture a day without an account')).toBeVisible();
    await signInButton().click();
    await expect.element(comingSoon()).toHaveTextContent('Until then, one picture a day is free');
    await comingSoon().getByRole('button', { name: 'Sign in' }).click();
    await logIn('returning');
    await expect.element(button('returning')).toBeVisible();
  });
});
