import { expect, test } from 'vitest';
import { AVAILABLE, message, openAs } from '../../../tests/component/people.ts';

test('return from the sign-in provider: a failure is reported, and the address bar is cleaned', async () => {
  await openAs(null, '/?auth=failed', { site: AVAILABLE });
  await expect.poll(message).toContain('Error');
  expect(message()).toContain('Google authentication failed');
  expect(location.pathname + location.search).toBe('/');
});
