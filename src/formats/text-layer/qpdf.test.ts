import { zlibSync } from 'fflate';
import { expect, it } from 'vitest';
import { inflate } from './qpdf.ts';

const content = new Uint8Array(500_000).fill(7);

it('inflate: decompresses data up to the limit', () => {
  // Vitest's `toEqual` takes seconds for this many bytes.
  expect(Buffer.compare(inflate(zlibSync(content), content.length)!, content)).toBe(0);
  expect(inflate(zlibSync(new Uint8Array()), 0)).toEqual(new Uint8Array());
});

it.each([
  ['more bytes than the limit', zlibSync(content)],
  ['damaged data', new Uint8Array([0x78, 0x9c, 0xff, 0xff, 0xff])],
  ['truncated data', zlibSync(content).subarray(0, 40)],
])('inflate: returns undefined for %s', (_, data) => {
  expect(inflate(data, content.length - 1)).toBeUndefined();
});
