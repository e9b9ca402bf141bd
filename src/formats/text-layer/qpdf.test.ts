import { zlibSync } from 'fflate';
import { expect, it } from 'vitest';
import { inflated } from './qpdf.ts';

const content = new Uint8Array(500_000).fill(7);

it('inflated: given data of at most so many bytes, returns them', () => {
  // Vitest's own comparison takes seconds for as many bytes.
  expect(Buffer.compare(inflated(zlibSync(content), content.length)!, content)).toBe(0);
  expect(inflated(zlibSync(new Uint8Array()), 0)).toEqual(new Uint8Array());
});

it.each([
  ['more bytes', zlibSync(content)],
  ['data that is none', new Uint8Array([0x78, 0x9c, 0xff, 0xff, 0xff])],
  ['half of its data', zlibSync(content).subarray(0, 40)],
])('inflated: given %s, returns nothing', (_, data) => {
  expect(inflated(data, content.length - 1)).toBeUndefined();
});
