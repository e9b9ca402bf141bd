import { crc32 } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { randomFrom } from '../../scripts/random.ts';
import { dissect, FORMATS, mend, readField } from './anatomy.ts';
import { inputOf } from './inputs.ts';
import { mutate, type SeedPicture } from './mutations.ts';
import { drawnPictures } from './seed-pictures.ts';

let pictures: SeedPicture[];
beforeAll(async () => {
  pictures = await drawnPictures();
});

describe('a mutated picture', () => {
  it('is the same for the same chance, and another for another', () => {
    const [seed] = pictures as [SeedPicture];
    const make = (chance: number) => mutate(seed, pictures, randomFrom(chance)).bytes.toString('base64');
    expect(make(1)).toBe(make(1));
    expect(new Set(Array.from({ length: 50 }, (_, i) => make(i))).size).toBeGreaterThan(40);
  });

  it.each(FORMATS)('of the format %s keeps its seed as it was and differs from it', (format) => {
    const seed = pictures.find((one) => one.format === format)!;
    const before = Buffer.from(seed.bytes);
    const changed = Array.from({ length: 60 }, (_, i) => mutate(seed, pictures, randomFrom(i)));
    expect(seed.bytes.equals(before)).toBe(true);
    expect(changed.filter(({ bytes }) => !bytes.equals(before)).length).toBeGreaterThan(45);
    expect(new Set(changed.flatMap(({ steps }) => steps)).size).toBeGreaterThan(8);
  });

  it('is dissected again after any change, and never costs more than its size', () => {
    for (const seed of pictures) {
      for (let chance = 0; chance < 20; chance++) {
        const { bytes, format } = mutate(seed, pictures, randomFrom(chance));
        const { parts, fields } = dissect(format, bytes);
        expect(parts.length).toBeLessThanOrEqual(2_000);
        expect(fields.length).toBeLessThanOrEqual(100 * 2_000 + bytes.length);
      }
    }
  });
});

describe('the anatomy of a picture', () => {
  it.each(FORMATS)('of the format %s has parts and its dimensions', (format) => {
    const { bytes } = pictures.find((one) => one.format === format)!;
    const { parts, fields } = dissect(format, bytes);
    expect(parts.length).toBeGreaterThan(0);
    const sides = fields.filter(({ kind }) => kind === 'dimension').map((field) => readField(bytes, field));
    // 480 pixels wide; WebP keeps fourteen bits of that, and without loss one less.
    expect(sides.map((side) => side & 0x3fff)).toEqual(
      expect.arrayContaining([expect.toSatisfy((side: number) => [480, 479].includes(side))]),
    );
  });

  it('is mended with a right checksum in every chunk of a PNG', () => {
    const png = Buffer.from(pictures.find(({ name }) => name === 'png interlaced')!.bytes);
    png[20]! ^= 1;
    mend('png', png);
    for (const { start, end } of dissect('png', png).parts) {
      expect(png.readUInt32BE(end - 4)).toBe(crc32(png.subarray(start + 4, end - 4)));
    }
  });
});

describe('a run', () => {
  it('sends the same input under the same number, whatever was sent before', () => {
    const request = (number: number) => inputOf(5, number, pictures).request.toString('base64');
    expect(request(17)).toBe(request(17));
    expect(request(17)).not.toBe(request(18));
    expect(inputOf(6, 17, pictures).request.toString('base64')).not.toBe(request(17));
  });

  it('sends every format, forms, calls and addresses, four of five of them pictures', () => {
    const inputs = Array.from({ length: 500 }, (_, i) => inputOf(3, i, pictures));
    const kinds = new Set(inputs.map(({ kind }) => kind));
    expect([...kinds].toSorted()).toEqual([...FORMATS, 'address', 'call', 'form'].toSorted());
    expect(inputs.filter(({ picture }) => picture).length).toBeGreaterThan(370);
  });
});
