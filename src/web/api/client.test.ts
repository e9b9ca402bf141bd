import { afterEach, describe, expect, test, vi } from 'vitest';
import { ApiError, failedBy, reasonOf } from './client.ts';

const error = new ApiError(
  429,
  'Too Many Requests',
  JSON.stringify({ error: 'Wait a minute.', code: 'http.too_many_requests' }),
);

afterEach(() => {
  vi.doUnmock('#contract/errors');
  vi.resetModules();
});

describe('ApiError', () => {
  test('details are the parsed body', async () => {
    expect(await error.details()).toMatchObject({ error: 'Wait a minute.', code: 'http.too_many_requests' });
    expect(await failedBy(error, 'http.too_many_requests')).toBe(true);
  });

  test('details are empty if the schema cannot be loaded', async () => {
    vi.doMock('#contract/errors', () => {
      throw new Error('Failed to fetch dynamically imported module');
    });
    expect(await error.details()).toEqual({});
    expect(await failedBy(error, 'http.too_many_requests')).toBe(false);
    expect(await reasonOf(error, 'The server could not be reached.')).toBe(
      'The server could not be reached.',
    );
  });
});
