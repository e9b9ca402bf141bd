import { expect, it } from 'vitest';
import { formatBytes } from './saved-text-entry.tsx';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1 kB'],
  [1536, '1.5 kB'],
  [150 * 1024, '150 kB'],
  [1.4 * 1024 ** 2, '1.4 MB'],
  [1024 ** 3, '1 GB'],
  [5000 * 1024 ** 3, '5000 GB'],
])('formatBytes: given %d bytes, returns %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
