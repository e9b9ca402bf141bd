import { expect, it } from 'vitest';
import { textFileName } from './copy-and-save.ts';

it('textFileName: has the local date and time', () => {
  expect(textFileName(new Date(2025, 2, 9, 4, 5, 6), 'txt')).toBe('extracted-text-2025-03-09-040506.txt');
});
