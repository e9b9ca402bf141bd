import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { patched } from '../../../tests/support/broken-pictures.ts';
import { fixture, textPicture } from '../../../tests/support/pictures.ts';
import { OCR_ERRORS } from '../errors.ts';
import { type DecodeContext, decodePicture } from './decode.ts';

const context: DecodeContext = {
  maxPixels: 10_000_000,
  decodeRaw: () => Promise.reject(new Error('sharp reads these formats')),
};
const codesOf = ({ notices }: { notices: readonly { code: string }[] }) => notices.map(({ code }) => code);
const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();

describe('decodePicture: small pictures', () => {
  test.each([
    [520, 100, 2],
    [100, 520, 2],
    [521, 100, 1],
    [30, 521, 1],
  ])('%i × %i pixels are enlarged by %i', async (width, height, scale) => {
    const picture = await decodePicture(await blank(width, height), { ...context, enlargesSmall: true });
    expect(picture).toMatchObject({
      width: width * scale,
      height: height * scale,
      scale,
      original: { width, height },
    });
    expect(picture.gray).toHaveLength(width * height * scale * scale);
    expect(codesOf(picture)).toEqual([]);
  });

  test('stay as they are where no enlargement is requested', async () => {
    expect(await decodePicture(await blank(100, 50), context)).toMatchObject({ width: 100, scale: 1 });
  });
});

describe('decodePicture: a truncated file', () => {
  /** Ink in a share of the picture's rows, from the top. */
  const inkIn = ({ gray }: { gray: Uint8Array }, from: number, to: number) =>
    gray.slice(Math.round(gray.length * from), Math.round(gray.length * to)).filter((level) => level < 90)
      .length;

  test.each(['jpeg', 'png'] as const)('a %s is read up to the damage, with a notice', async (format) => {
    // A PNG without compression, so that half of the bytes are about half of the rows.
    const whole = await textPicture().toFormat(format, { compressionLevel: 0, quality: 90 }).toBuffer();
    const [complete, cut] = await Promise.all(
      [whole, whole.subarray(0, whole.length / 2)].map((bytes) => decodePicture(bytes, context)),
    );
    expect(codesOf(complete!)).toEqual([]);
    expect(codesOf(cut!)).toEqual(['incomplete']);
    expect(cut).toMatchObject({ width: complete!.width, height: complete!.height });
    expect(inkIn(cut!, 0, 0.3)).toBe(inkIn(complete!, 0, 0.3));
    expect(inkIn(cut!, 0, 0.3)).toBeGreaterThan(100);
  });

  test('a PNG whose header declares more rows than it has: no row is repeated in place of a missing one', async () => {
    const whole = fixture('harbour-lights.png');
    const height = whole.readUInt32BE(20);
    const taller = patched(whole, (png) => {
      png.writeUInt32BE(4 * height, 20);
      png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
    });
    const picture = await decodePicture(taller, context);
    expect(codesOf(picture)).toEqual(['incomplete']);
    expect(picture.height).toBe(4 * height);
    expect(new Set(picture.gray.slice(picture.width * height)).size).toBe(1);
  });

  test('a JPEG without its end marker is read without a notice', async () => {
    const bytes = await textPicture().jpeg().toBuffer();
    expect(codesOf(await decodePicture(bytes.subarray(0, -2), context))).toEqual([]);
  });

  test.each(['webp', 'gif', 'tiff'] as const)('a %s is refused as damaged', async (format) => {
    const bytes = await textPicture().toFormat(format).toBuffer();
    const reading = decodePicture(bytes.subarray(0, bytes.length / 2), context);
    await expect(reading).rejects.toMatchObject({ code: OCR_ERRORS.damaged });
  });
});

/** A gray TIFF of one strip. `values` are 32-bit floats, or bytes where `bits` is 8. */
function tiff(
  values: readonly number[],
  width: number,
  { bits = 32, compression = 1, strip = undefined as Buffer | undefined } = {},
): Buffer {
  const plain = bits === 32 ? Buffer.from(new Float32Array(values).buffer) : Buffer.from(values);
  const data = strip ?? plain;
  const tags: [tag: number, value: number][] = [
    [256, width],
    [257, values.length / width],
    [258, bits],
    [259, compression],
    [262, 1],
    [273, 8],
    [277, 1],
    [278, values.length / width],
    [279, data.length],
    [339, bits === 32 ? 3 : 1],
  ];
  const directory = Buffer.alloc(2 + tags.length * 12 + 4);
  directory.writeUInt16LE(tags.length, 0);
  for (const [i, [tag, value]] of tags.entries()) {
    directory.writeUInt16LE(tag, 2 + i * 12);
    directory.writeUInt16LE(4, 4 + i * 12);
    directory.writeUInt32LE(1, 6 + i * 12);
    directory.writeUInt32LE(value, 10 + i * 12);
  }
  const header = Buffer.from('II*\0\0\0\0\0', 'latin1');
  header.writeUInt32LE(8 + data.length, 4);
  return Buffer.concat([header, data, directory]);
}

/** A frame of Zstandard with one block that is not compressed (RFC 8878). */
function zstandard(content: Uint8Array): Buffer {
  const header = Buffer.alloc(4 + 1 + 4 + 3);
  header.writeUInt32LE(0xfd2fb528, 0);
  // One segment, and its size in four bytes.
  header[4] = 0b1010_0000;
  header.writeUInt32LE(content.length, 5);
  header.writeUIntLE((content.length << 3) | 1, 9, 3);
  return Buffer.concat([header, content]);
}

/** 40 × 30 bytes, 0 in the first eight columns and 255 in the others, as Esri's encoder writes them. */
const LERC_STRIPES =
  'TGVyYzIgBgAAAMEz1pEeAAAAKAAAAAEAAACwBAAACAAAAIYAAAABAAAAAAAAAAAAAAAAAAAAAADgPwAAAAAAAAAAAAAAAADgb0AAAAAAAAAAAAAAAAAAAAAA' +
  'AAAAAAD/AAACA/8L/wv/E/8CA/8L/wv/E/8CA/8L/wv/E/8CA/8L/wv/E/8=';

describe('decodePicture: a TIFF', () => {
  const [width, height] = [40, 30];
  const stripes = (ink: number, paper: number) =>
    Array.from({ length: width * height }, (_, i) => (i % width < 8 ? ink : paper));
  const levelsOf = async (bytes: Uint8Array) => {
    const { gray } = await decodePicture(bytes, context);
    return [gray[2], gray[width - 2]];
  };

  test.each([
    ['from 0 to 1: 1 is white', stripes(0, 1), 32, [0, 255]],
    ['from 0 to 255: 255 is white', stripes(0, 255), 32, [0, 255]],
    ['from 0 to 1 as integers: 1 is nearly black', stripes(0, 1), 8, [0, 1]],
  ])('with levels %s', async (_, values, bits, levels) => {
    expect(await levelsOf(tiff(values, width, { bits }))).toEqual(levels);
  });

  test('of floats of 0.5 is mid-gray', async () => {
    const [ink, paper] = await levelsOf(tiff(stripes(0.5, 1), width));
    expect(ink).toBeGreaterThan(120);
    expect(ink).toBeLessThan(135);
    expect(paper).toBe(255);
  });

  test('compressed by Zstandard is read', async () => {
    const frame = zstandard(Uint8Array.from(stripes(0, 255)));
    const bytes = tiff(stripes(0, 255), width, { bits: 8, compression: 50_000, strip: frame });
    expect(await levelsOf(bytes)).toEqual([0, 255]);
  });

  test('compressed by LERC is read', async () => {
    const strip = Buffer.from(LERC_STRIPES, 'base64');
    expect(await levelsOf(tiff(stripes(0, 255), width, { bits: 8, compression: 34_887, strip }))).toEqual([
      0, 255,
    ]);
  });

  test.each([50_000, 34_887])(
    'with a broken strip of compression %i is refused as damaged',
    async (compression) => {
      const strip = Buffer.from('this is no compressed strip');
      const reading = decodePicture(tiff(stripes(0, 255), width, { bits: 8, compression, strip }), context);
      await expect(reading).rejects.toMatchObject({ code: OCR_ERRORS.damaged });
    },
  );

  test('whose strip holds more than its size says is refused as damaged', async () => {
    const frame = zstandard(Uint8Array.from([...stripes(0, 255), ...stripes(0, 255)]));
    const reading = decodePicture(
      tiff(stripes(0, 255), width, { bits: 8, compression: 50_000, strip: frame }),
      context,
    );
    await expect(reading).rejects.toMatchObject({ code: OCR_ERRORS.damaged });
  });

  test.each([34_712, 50_001, 9])(
    'with the unknown compression %i is refused, not read as empty',
    async (compression) => {
      const reading = decodePicture(tiff(stripes(0, 255), width, { bits: 8, compression }), context);
      await expect(reading).rejects.toMatchObject({ code: OCR_ERRORS.damaged });
    },
  );

  test.each(['none', 'lzw', 'deflate', 'packbits', 'jpeg', 'ccittfax4'] as const)(
    'compressed by %s is read',
    async (compression) => {
      const page = textPicture().toColourspace('b-w').threshold(128);
      const bytes = await page
        .tiff({ compression, ...(compression === 'ccittfax4' && { bitdepth: 1 as const }) })
        .toBuffer();
      const { gray } = await decodePicture(bytes, context);
      expect(gray.filter((level) => level < 90).length).toBeGreaterThan(1000);
    },
  );
});
