import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../tests/component/accessible.ts';
import { openApplication } from '../../../tests/component/application.tsx';

const notice = () => page.getByRole('status').filter({ hasText: /offline|connected/ });

describe('offline notice', () => {
  // The cached page has this attribute.
  beforeEach(() => document.documentElement.setAttribute('data-offline', ''));
  afterEach(() => document.documentElement.removeAttribute('data-offline'));

  test('offline notice: says what still works, and offers to load the page once the network is back', async () => {
    await openApplication();
    await expect
      .element(notice())
      .toHaveTextContent(
        'You are offline. Results that this browser has stored can be opened, changed and copied; a picture can be read once you are connected again.',
      );
    await expectAccessible();

    window.dispatchEvent(new Event('online'));
    await expect.element(notice()).toHaveTextContent('You are connected again.');
    await expect.element(notice().getByRole('button', { name: 'Load the page' })).toBeVisible();
    await expectAccessible();

    window.dispatchEvent(new Event('offline'));
    await expect.element(notice()).toHaveTextContent(/^You are offline\./);
    expect(notice().getByRole('button').query()).toBeNull();
  });
});

test('offline notice: is not shown on a page that came from the server', async () => {
  await openApplication();
  await expect.element(page.getByRole('button', { name: 'Extract Text' })).toBeInTheDocument();
  expect(notice().query()).toBeNull();
});
