import { crc32, deflateSync, inflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import { fixture } from '../../../tests/support/pictures.ts';
import { OCR_ERRORS } from '../errors.ts';
import { inflate } from './decode.ts';
import { completedPng } from './png-end.ts';

const MAX = 1_000_000;
const [WIDTH, HEIGHT] = [240, 240];
/** Noise, so that each part of the file is a part of the picture. */
let state = 1;
const level = () => {
  state = (state * 48_271) % 2_147_483_647;
  return state & 255;
};
const noise = sharp(Buffer.from(Array.from({ length: WIDTH * HEIGHT * 4 }, level)), {
  raw: { width: WIDTH, height: HEIGHT, channels: 4 },
});
const pixelsOf = (png: Uint8Array) => sharp(png, { failOn: 'warning' }).raw({ depth: 'uchar' }).toBuffer();

/** The same PNG with all pixels in one chunk, as some programs write it. */
function inOneChunk(png: Buffer): Buffer {
  const first = png.indexOf('IDAT') - 4;
  const parts: Buffer[] = [];
  for (let at = first; png.toString('latin1', at + 4, at + 8) === 'IDAT'; at += 12 + png.readUInt32BE(at))
    parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const body = Buffer.concat([Buffer.from('IDAT'), deflateSync(inflateSync(Buffer.concat(parts)))]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(body.length - 4, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([png.subarray(0, first), frame.subarray(0, 4), body, frame.subarray(4)]);
}

describe('completedPng', () => {
  test.each<[string, (from: Sharp) => Sharp]>([
    ['color', (from) => from.removeAlpha().png()],
    ['gray', (from) => from.removeAlpha().grayscale().png()],
    ['color with alpha', (from) => from.png()],
    ['16 bits', (from) => from.removeAlpha().toColourspace('rgb16').png()],
    ['a palette', (from) => from.removeAlpha().png({ palette: true, colors: 200 })],
    ['a palette of 4 bits', (from) => from.removeAlpha().png({ palette: true, colors: 12 })],
  ])(
    'a PNG in %s that is cut off keeps its whole rows, and the missing ones have one color',
    async (_, encode) => {
      const whole = await encode(noise.clone()).toBuffer();
      const pixels = await pixelsOf(whole);
      const row = pixels.length / HEIGHT;
      for (const file of [whole, inOneChunk(whole)]) {
        for (const share of [0.45, 0.71, 0.99]) {
          const cut = file.subarray(0, Math.floor(file.length * share));
          const completed = await pixelsOf((await completedPng(cut, MAX, inflate))!);
          const kept = Math.floor(completed.findIndex((level, at) => level !== pixels[at]) / row);
          expect(kept / HEIGHT).toBeGreaterThan(share - 0.1);
          expect(kept / HEIGHT).toBeLessThan(share + 0.1);
          const missing = completed.subarray((kept + 1) * row);
          const channels = row / WIDTH;
          expect(missing.findIndex((level, at) => level !== missing[at % channels])).toBe(-1);
        }
      }
    },
  );

  test('a PNG whose header declares more rows than it has gets the missing ones', async () => {
    const taller = Buffer.from(await noise.clone().removeAlpha().png().toBuffer());
    taller.writeUInt32BE(2 * HEIGHT, 20);
    taller.writeUInt32BE(crc32(taller.subarray(12, 29)), 29);
    const completed = await pixelsOf((await completedPng(taller, MAX, inflate))!);
    expect(completed).toHaveLength(2 * HEIGHT * WIDTH * 3);
    expect(completed.subarray(HEIGHT * WIDTH * 3).every((level) => level === 0)).toBe(true);
  });

  test('a complete PNG, and a truncated interlaced one, are unchanged', async () => {
    expect(await completedPng(fixture('harbour-lights.png'), MAX, inflate)).toBeUndefined();
    const interlaced = await noise.clone().png({ progressive: true }).toBuffer();
    expect(await completedPng(interlaced.subarray(0, interlaced.length / 2), MAX, inflate)).toBeUndefined();
  });

  test('a file that ends before its pixels is unchanged', async () => {
    expect(await completedPng(fixture('harbour-lights.png').subarray(0, 20), MAX, inflate)).toBeUndefined();
  });

  test('a header of too many pixels is refused before anything is inflated', async () => {
    const huge = Buffer.from(fixture('harbour-lights.png'));
    huge.writeUInt32BE(20_000, 16);
    huge.writeUInt32BE(20_000, 20);
    await expect(completedPng(huge, MAX, inflate)).rejects.toMatchObject({ code: OCR_ERRORS.tooManyPixels });
  });
});
