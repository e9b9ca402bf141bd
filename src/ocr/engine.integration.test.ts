import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BROKEN_PICTURES, INCOMPLETE_PICTURES, patched } from '../../tests/support/broken-pictures.ts';
import { type BmpKind, bmp, FIXTURE_TEXT, fixture, textPicture } from '../../tests/support/pictures.ts';
import { createEngine } from './engine.ts';
import { OCR_ERRORS, OcrError } from './errors.ts';
import type { Box } from './types.ts';

const MAX_PIXELS = 100_000_000;

const engine = createEngine({
  maxPixels: MAX_PIXELS,
  concurrency: 2,
  queueLimit: 50,
  premiumReserve: 0,
  timeoutMs: 20_000,
  languageDirs: [],
});

beforeAll(() => engine.ready());
afterAll(() => engine.close());

async function textOf(bytes: Uint8Array): Promise<string> {
  return (await engine.recognize(bytes)).text;
}

/** White letters on a transparent background. */
async function lightOnTransparent(): Promise<Buffer> {
  const ink = await textPicture().greyscale().negate().raw().toBuffer();
  const white = Buffer.alloc(ink.length * 4, 255);
  for (let i = 0; i < ink.length; i++) white[i * 4 + 3] = ink[i]!;
  return sharp(white, { raw: { width: 480, height: 160, channels: 4 } })
    .png()
    .toBuffer();
}

describe('recognize: formats', () => {
  const encoders: Record<string, () => Promise<Buffer>> = {
    'a JPEG': () => textPicture().jpeg().toBuffer(),
    'a progressive JPEG': () => textPicture().jpeg({ progressive: true }).toBuffer(),
    'a JPEG in CMYK': () => textPicture().toColourspace('cmyk').jpeg().toBuffer(),
    'a grey JPEG': () => textPicture().toColourspace('b-w').jpeg().toBuffer(),
    'a JPEG that lies on its side by its EXIF tag': () =>
      textPicture().rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    'a JPEG that is mirrored by its EXIF tag': () =>
      textPicture().flop().withMetadata({ orientation: 2 }).jpeg().toBuffer(),
    'a PNG of one bit': () => textPicture().png({ palette: true, colours: 2 }).toBuffer(),
    'a PNG with a palette': () => textPicture().png({ palette: true, colours: 16 }).toBuffer(),
    'a PNG of 16 bits': () => textPicture().toColourspace('rgb16').png().toBuffer(),
    'a grey PNG of 16 bits': () => textPicture().toColourspace('grey16').png().toBuffer(),
    'an interlaced PNG': () => textPicture().png({ progressive: true }).toBuffer(),
    'a PNG with dark letters on nothing': async () => {
      const gray = await textPicture().greyscale().raw().toBuffer();
      const pixels = Buffer.alloc(gray.length * 4);
      for (let i = 0; i < gray.length; i++) pixels[i * 4 + 3] = 255 - gray[i]!;
      return sharp(pixels, { raw: { width: 480, height: 160, channels: 4 } })
        .png()
        .toBuffer();
    },
    'a PNG with white letters on nothing': lightOnTransparent,
    'a PNG in Display P3': () => textPicture().toColourspace('srgb').withIccProfile('p3').png().toBuffer(),
    'a WebP': () => textPicture().webp().toBuffer(),
    'a lossless WebP': () => textPicture().webp({ lossless: true }).toBuffer(),
    'a GIF': () => textPicture().gif().toBuffer(),
    'a TIFF': () => textPicture().tiff({ compression: 'none' }).toBuffer(),
    'a fax TIFF': () =>
      textPicture()
        .threshold(128)
        .toColourspace('b-w')
        .tiff({ compression: 'ccittfax4', bitdepth: 1 })
        .toBuffer(),
    'an LZW TIFF of 16 bits': () =>
      textPicture().toColourspace('rgb16').tiff({ compression: 'lzw' }).toBuffer(),
    'an AVIF': () => textPicture().avif({ effort: 1, quality: 90 }).toBuffer(),
    'a HEIC': async () => fixture('upright.heic'),
    'a HEIC of a rare brand': async () => patched(fixture('upright.heic'), (copy) => copy.write('heim', 8)),
    'a HEIC that is turned by its own property': async () => fixture('turned.heic'),
  };
  it.each(Object.keys(encoders))('%s is read to its words', async (name) => {
    const recognition = await engine.recognize(await encoders[name]!());
    expect(recognition.text).toBe(FIXTURE_TEXT);
    expect(recognition.image).toEqual({ width: 480, height: 160, rotation: 0 });
  });

  const bitmaps: BmpKind[] = [
    '1-bit',
    '4-bit',
    '8-bit',
    'os2-24-bit',
    '16-bit-555',
    '16-bit-565',
    '24-bit',
    '24-bit-top-down',
    '32-bit',
    '32-bit-v4-fields',
    '32-bit-v5-alpha',
    'rle4',
    'rle8',
  ];
  it.each(bitmaps)('a bitmap of kind %s is read to its words', async (kind) => {
    expect(await textOf(await bmp(kind))).toBe(FIXTURE_TEXT);
  });

  it('an animated GIF is read by its first frame and gets a notice', async () => {
    const first = await textPicture().png().toBuffer();
    const second = await textPicture().negate().png().toBuffer();
    const animated = await sharp([first, second], { join: { animated: true } })
      .gif()
      .toBuffer();
    const recognition = await engine.recognize(animated);
    expect(recognition.text).toBe(FIXTURE_TEXT);
    expect(recognition.notices.map((notice) => notice.code)).toContain('first_frame');
  });

  it('a JPEG that lacks only its end marker is read completely', async () => {
    const whole = await textPicture().jpeg().toBuffer();
    const { text, notices } = await engine.recognize(whole.subarray(0, -2));
    expect([text, notices]).toEqual([FIXTURE_TEXT, []]);
  });

  it.each(INCOMPLETE_PICTURES)('%s is read up to its end, with a notice', async (_, make) => {
    const { text, notices } = await engine.recognize(await make());
    expect(text).toContain('Harbour lights');
    expect(notices.map(({ code }) => code)).toContain('incomplete');
  });
});

describe('recognize: a result', () => {
  it('starts with the drop caps beside their first lines', async () => {
    const page = await readFile(new URL('../../bench/cases/drop-capitals.png', import.meta.url));
    const text = await textOf(page);
    const [first, second] = text.split('\n\n');
    expect(first).toMatch(/^When the winter came, the boats\nstayed on/);
    expect(second).toMatch(/^Three of them I still know by heart,\nand the fourth/);
  });

  it('has boxes in the pixels of the original picture, although it was reduced for recognition', async () => {
    const huge = await textPicture()
      .resize({ width: 4800 })
      .extend({ top: 600, bottom: 600, left: 600, right: 600, background: '#fff' })
      .jpeg()
      .toBuffer();
    const [small, large] = await Promise.all([
      engine.recognize(fixture('harbour-lights.png')),
      engine.recognize(huge),
    ]);
    expect(large.text).toBe(FIXTURE_TEXT);
    expect(large.image).toMatchObject({ width: 6000, height: 2800 });
    expect(large.notices.map((notice) => notice.code)).toContain('scaled_down');
    expect(small.notices.map((notice) => notice.code)).not.toContain('scaled_down');
    const { x, y, width, height } = small.lines[0]!.words[0]!.box;
    const expected = { x: x * 10 + 600, y: y * 10 + 600, width: width * 10, height: height * 10 };
    // Boxes are as tight as the picture allows; a wrong scale or a lost margin would leave hardly any overlap.
    expect(overlap(large.lines[0]!.words[0]!.box, expected)).toBeGreaterThan(0.7);
  });

  it('has the corners of words in reading direction on a page that is rotated by 90 degrees and skewed', async () => {
    const turned = await textPicture().rotate(95, { background: '#fff' }).png().toBuffer();
    const { text, lines, image } = await engine.recognize(turned);
    expect(text).toBe(FIXTURE_TEXT);
    const words = lines.flatMap((line) => line.words);
    expect(words).toHaveLength(4);
    for (const { polygon = [], box } of words) {
      expect(polygon).toHaveLength(4);
      const [topLeft, topRight, , bottomLeft] = polygon;
      // The text runs downwards and slightly to the left.
      expect(topRight!.y - topLeft!.y).toBeGreaterThan(0.7 * box.height);
      expect(topLeft!.x - bottomLeft!.x).toBeGreaterThan(0.3 * box.width);
      for (const { x, y } of polygon) {
        expect(x).toBeGreaterThanOrEqual(Math.max(0, box.x - 1));
        expect(x).toBeLessThanOrEqual(Math.min(image.width, box.x + box.width + 1));
        expect(y).toBeGreaterThanOrEqual(Math.max(0, box.y - 1));
        expect(y).toBeLessThanOrEqual(Math.min(image.height, box.y + box.height + 1));
      }
    }
  });

  it('without text is no error and has a notice', async () => {
    const blank = await sharp({ create: { width: 200, height: 80, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const recognition = await engine.recognize(blank);
    expect(recognition).toMatchObject({ text: '', confidence: 0, lines: [] });
    expect(recognition.notices.map((notice) => notice.code)).toEqual(['no_text']);
  });

  it.each([
    [1, 1],
    [1, 400],
    [400, 1],
    [3, 3],
  ])('of a picture of %i × %i pixels is empty, not an error', async (width, height) => {
    const tiny = await sharp({ create: { width, height, channels: 3, background: '#777' } })
      .png()
      .toBuffer();
    expect((await engine.recognize(tiny)).text).toBe('');
  });

  it('reports its stages in order', async () => {
    const stages: string[] = [];
    await engine.recognize(fixture('harbour-lights.png'), { onStage: (stage) => stages.push(stage.name) });
    expect(stages.slice(0, 3)).toEqual(['queued', 'decoding', 'finding-lines']);
    expect(stages.at(-1)).toBe('ordering');
  });

  it('in a language without data is refused by name', async () => {
    await expect(
      engine.recognize(fixture('harbour-lights.png'), { languages: ['tlh'] }),
    ).rejects.toMatchObject({ code: OCR_ERRORS.languageUnavailable });
    await expect(
      engine.recognize(fixture('harbour-lights.png'), { languages: ['../../etc/passwd'] }),
    ).rejects.toMatchObject({ code: OCR_ERRORS.languageUnavailable });
  });
});

describe('preview', () => {
  it('of a HEIC is an upright PNG of the requested size', async () => {
    const preview = await engine.preview(fixture('turned.heic'), 240);
    expect(await sharp(preview).metadata()).toMatchObject({ format: 'png', width: 240, height: 80 });
  });

  it('of a broken picture is the same error as reading it', async () => {
    await expect(engine.preview(Buffer.from('nonsense'), 240)).rejects.toMatchObject({
      code: OCR_ERRORS.unsupported,
    });
  });
});

describe('recognize: broken input', () => {
  let pid: number | undefined;
  beforeAll(() => {
    pid = engine.status().pid;
  });

  it.each(BROKEN_PICTURES)('%s is refused as %s, and the process stays', async (_, code, make) => {
    const failure = await engine.recognize(await make()).then(
      (recognition) => recognition.text,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(OcrError);
    expect((failure as OcrError).code).toBe(code);
    expect(engine.status().pid).toBe(pid);
  });

  it('of every kind leaves a process that reads a valid picture', async () => {
    expect(await textOf(fixture('harbour-lights.png'))).toBe(FIXTURE_TEXT);
    expect(engine.status().pid).toBe(pid);
  });
});

/** Intersection over union, 0 to 1. */
function overlap(a: Box, b: Box): number {
  const extent = (from: number, aTo: number, bFrom: number, bTo: number) =>
    Math.max(0, Math.min(aTo, bTo) - Math.max(from, bFrom));
  const shared =
    extent(a.x, a.x + a.width, b.x, b.x + b.width) * extent(a.y, a.y + a.height, b.y, b.y + b.height);
  return shared / (a.width * a.height + b.width * b.height - shared);
}
