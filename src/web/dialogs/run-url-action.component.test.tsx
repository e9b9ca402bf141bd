import { expect, test } from 'vitest';
import { AVAILABLE, message, openAs } from '../../../tests/component/people.ts';

test('return from the sign-in provider: reports a failure and removes the action from the URL', async () => {
  await openAs(null, '/?auth=failed', { site: AVAILABLE });
  await expect.poll(message).toContain('Error');
  expect(message()).toContain('Google authentication failed');
  expect(location.pathname + location.search).toBe('/');
});
