import { readFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BmpKind,
  bmp,
  encodeBmp,
  FIXTURE_TEXT,
  fixture,
  textPicture,
} from '../../tests/support/pictures.ts';
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
  return (await engine.recognise(bytes)).text;
}

/** White letters on nothing. */
async function lightOnTransparent(): Promise<Buffer> {
  const ink = await textPicture().greyscale().negate().raw().toBuffer();
  const white = Buffer.alloc(ink.length * 4, 255);
  for (let i = 0; i < ink.length; i++) white[i * 4 + 3] = ink[i]!;
  return sharp(white, { raw: { width: 480, height: 160, channels: 4 } })
    .png()
    .toBuffer();
}

describe('formats', () => {
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
    const recognition = await engine.recognise(await encoders[name]!());
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

  it('an animated GIF is read by its first frame and says so', async () => {
    const first = await textPicture().png().toBuffer();
    const second = await textPicture().negate().png().toBuffer();
    const animated = await sharp([first, second], { join: { animated: true } })
      .gif()
      .toBuffer();
    const recognition = await engine.recognise(animated);
    expect(recognition.text).toBe(FIXTURE_TEXT);
    expect(recognition.notices.map((notice) => notice.code)).toContain('first_frame');
  });

  it('a JPEG that lost only its end marker is read, one that lost half is damaged', async () => {
    const whole = await textPicture().jpeg().toBuffer();
    expect(await textOf(whole.subarray(0, -2))).toBe(FIXTURE_TEXT);
    await expect(engine.recognise(whole.subarray(0, whole.length / 2))).rejects.toMatchObject({
      code: OCR_ERRORS.damaged,
    });
  });
});

describe('a result', () => {
  it('begins with the large letters that stand beside their first lines', async () => {
    const page = await readFile(new URL('../../bench/cases/drop-capitals.png', import.meta.url));
    const text = await textOf(page);
    const [first, second] = text.split('\n\n');
    expect(first).toMatch(/^When the winter came, the boats\nstayed on/);
    expect(second).toMatch(/^Three of them I still know by heart,\nand the fourth/);
  });

  it('gives boxes in the pixels of the picture as it came, although it was scaled down to be read', async () => {
    const huge = await textPicture()
      .resize({ width: 4800 })
      .extend({ top: 600, bottom: 600, left: 600, right: 600, background: '#fff' })
      .jpeg()
      .toBuffer();
    const [small, large] = await Promise.all([
      engine.recognise(fixture('harbour-lights.png')),
      engine.recognise(huge),
    ]);
    expect(large.text).toBe(FIXTURE_TEXT);
    expect(large.image).toMatchObject({ width: 6000, height: 2800 });
    expect(large.notices.map((notice) => notice.code)).toContain('scaled_down');
    expect(small.notices.map((notice) => notice.code)).not.toContain('scaled_down');
    const { x, y, width, height } = small.lines[0]!.words[0]!.box;
    const expected = { x: x * 10 + 600, y: y * 10 + 600, width: width * 10, height: height * 10 };
    // A box is as tight as the picture lets it be; a wrong scale or a lost margin would leave hardly any overlap.
    expect(overlap(large.lines[0]!.words[0]!.box, expected)).toBeGreaterThan(0.7);
  });

  it('without text is a success with a notice', async () => {
    const blank = await sharp({ create: { width: 200, height: 80, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const recognition = await engine.recognise(blank);
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
    expect((await engine.recognise(tiny)).text).toBe('');
  });

  it('tells its stages in order', async () => {
    const stages: string[] = [];
    await engine.recognise(fixture('harbour-lights.png'), { onStage: (stage) => stages.push(stage.name) });
    expect(stages.slice(0, 3)).toEqual(['queued', 'decoding', 'finding-lines']);
    expect(stages.at(-1)).toBe('ordering');
  });

  it('in a language without data is refused by name', async () => {
    await expect(
      engine.recognise(fixture('harbour-lights.png'), { languages: ['tlh'] }),
    ).rejects.toMatchObject({ code: OCR_ERRORS.languageUnavailable });
    await expect(
      engine.recognise(fixture('harbour-lights.png'), { languages: ['../../etc/passwd'] }),
    ).rejects.toMatchObject({ code: OCR_ERRORS.languageUnavailable });
  });
});

describe('a preview', () => {
  it('of a HEIC is an upright PNG of the asked size', async () => {
    const preview = await engine.preview(fixture('turned.heic'), 240);
    expect(await sharp(preview).metadata()).toMatchObject({ format: 'png', width: 240, height: 80 });
  });

  it('of something broken is the same error as reading it', async () => {
    await expect(engine.preview(Buffer.from('nonsense'), 240)).rejects.toMatchObject({
      code: OCR_ERRORS.unsupported,
    });
  });
});

describe('broken input', () => {
  /** A PNG whose header is sound and claims a size. */
  const pngOf = (width: number, height: number): Buffer => {
    const png = Buffer.from(fixture('harbour-lights.png'));
    png.writeUInt32BE(width, 16);
    png.writeUInt32BE(height, 20);
    png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
    return png;
  };
  const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);
  const afterText = (bytes: Buffer, text: string, distance: number) =>
    bytes.indexOf(text, 0, 'latin1') + distance;
  const tinyBmp = () => encodeBmp('24-bit', { gray: [0, 255, 255, 0], width: 2, height: 2 });
  const gif = () => textPicture().gif().toBuffer();

  const { unsupported, vector, damaged, tooManyPixels } = OCR_ERRORS;
  const cases: [string, string, () => Promise<Buffer> | Buffer][] = [
    ['nothing at all', unsupported, () => Buffer.alloc(0)],
    ['a single byte', unsupported, () => Buffer.from([0xff])],
    ['plain text', unsupported, () => Buffer.from('BM is how this note begins, and it is no bitmap.')],
    ['a PDF', unsupported, () => Buffer.from('%PDF-1.7\n1 0 obj\n')],
    ['a ZIP archive', unsupported, () => Buffer.from('PK\x03\x04and so on')],
    ['a web page', unsupported, () => Buffer.from('<html><body>hello</body></html>')],
    ['a film', unsupported, () => Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1')],
    ['an SVG', vector, () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['an SVG behind an XML declaration', vector, () => Buffer.from('\uFEFF<?xml version="1.0"?><svg/>')],
    ['half a JPEG', damaged, async () => half(await textPicture().jpeg().toBuffer())],
    [
      'half a progressive JPEG',
      damaged,
      async () => half(await textPicture().jpeg({ progressive: true }).toBuffer()),
    ],
    ['half a PNG', damaged, () => half(fixture('harbour-lights.png'))],
    ['half a WebP', damaged, async () => half(await textPicture().webp().toBuffer())],
    ['half a GIF', damaged, async () => half(await gif())],
    ['half a TIFF', damaged, async () => half(await textPicture().tiff().toBuffer())],
    ['half an AVIF', damaged, async () => half(await textPicture().avif({ effort: 1 }).toBuffer())],
    ['half a HEIC', damaged, () => half(fixture('upright.heic'))],
    ['half a bitmap', damaged, async () => half(await bmp('24-bit'))],
    ['half a packed bitmap', damaged, async () => half(await bmp('rle8'))],
    [
      'a PNG signature with rubbish behind it',
      damaged,
      () => Buffer.from('\x89PNG\r\n\x1a\nrubbish rubbish', 'latin1'),
    ],
    [
      'a JPEG signature with rubbish behind it',
      damaged,
      () => Buffer.from('\xff\xd8\xff rubbish rubbish', 'latin1'),
    ],
    ['a script that opens like a GIF', damaged, () => Buffer.from('GIF89a/*<script>alert(1)</script>*/')],
    ['a PNG of no width', damaged, () => pngOf(0, 160)],
    ['a PNG that claims 20,000 × 20,000 pixels', tooManyPixels, () => pngOf(20_000, 20_000)],
    ['a PNG bomb of 20,000 × 20,000 pixels', tooManyPixels, bomb],
    ['a PNG strip of a million single pixels', tooManyPixels, () => pngOf(1, 1_000_000)],
    ['a PNG that claims more than it holds', damaged, () => pngOf(480, 9_000)],
    ['a bitmap of no width', damaged, () => patched(tinyBmp(), (copy) => copy.writeInt32LE(0, 18))],
    ['a bitmap of negative width', damaged, () => patched(tinyBmp(), (copy) => copy.writeInt32LE(-2, 18))],
    [
      'a bitmap that claims four thousand million pixels',
      tooManyPixels,
      () =>
        patched(tinyBmp(), (copy) => {
          copy.writeInt32LE(65_535, 18);
          copy.writeInt32LE(-65_535, 22);
        }),
    ],
    ['a bitmap of 7 bits a pixel', damaged, () => patched(tinyBmp(), (copy) => copy.writeUInt16LE(7, 28))],
    [
      'a HEIC that claims 60,000 × 60,000 pixels',
      tooManyPixels,
      () =>
        patched(fixture('upright.heic'), (copy) => {
          copy.writeUInt32BE(60_000, afterText(copy, 'ispe', 8));
          copy.writeUInt32BE(60_000, afterText(copy, 'ispe', 12));
        }),
    ],
    [
      'a HEIC of no width',
      damaged,
      () =>
        patched(fixture('upright.heic'), (copy) => {
          copy.writeUInt32BE(0, afterText(copy, 'ispe', 8));
        }),
    ],
    [
      'an AVIF that claims 60,000 × 60,000 pixels',
      tooManyPixels,
      async () =>
        patched(await textPicture().avif({ effort: 1 }).toBuffer(), (copy) => {
          copy.writeUInt32BE(60_000, afterText(copy, 'ispe', 8));
          copy.writeUInt32BE(60_000, afterText(copy, 'ispe', 12));
        }),
    ],
    [
      'a GIF whose frame claims 60,000 × 60,000 pixels',
      tooManyPixels,
      async () =>
        patched(await gif(), (copy) => {
          const frame = copy.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 0xe0, 0x01]));
          for (const at of [6, 8, frame + 5, frame + 7]) copy.writeUInt16LE(60_000, at);
        }),
    ],
    [
      'a JPEG that claims 65,000 × 65,000 pixels',
      tooManyPixels,
      async () =>
        patched(await textPicture().jpeg().toBuffer(), (copy) => {
          const frame = copy.indexOf(Buffer.from([0xff, 0xc0]));
          copy.writeUInt16BE(65_000, frame + 5);
          copy.writeUInt16BE(65_000, frame + 7);
        }),
    ],
    [
      'a TIFF whose width tag is absurd',
      tooManyPixels,
      () => tiffWith({ 256: 1_000_000, 257: 1_000_000, 277: 1 }),
    ],
    ['a TIFF of 65,000 channels', damaged, () => tiffWith({ 256: 1_000, 257: 1_000, 277: 65_000 })],
    [
      'a TIFF whose list of tags points at itself',
      damaged,
      () => Buffer.from('II*\0\x08\0\0\0\0\0\x08\0\0\0', 'latin1'),
    ],
  ];

  it.each(cases)(
    '%s is an error of kind %s, and the next good picture is read by the same process',
    async (_, code, make) => {
      const pid = engine.status().pid;
      const failure = await engine.recognise(await make()).then(
        (recognition) => recognition.text,
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(OcrError);
      expect((failure as OcrError).code).toBe(code);
      expect(await textOf(fixture('harbour-lights.png'))).toBe(FIXTURE_TEXT);
      expect(engine.status().pid).toBe(pid);
    },
  );

  it('of many bytes flipped at random never ends the process', async () => {
    const pid = engine.status().pid;
    const sources = [
      await textPicture().jpeg().toBuffer(),
      fixture('harbour-lights.png'),
      await gif(),
      await textPicture().tiff({ compression: 'lzw' }).toBuffer(),
      await textPicture().webp().toBuffer(),
      await bmp('rle8'),
      fixture('upright.heic'),
    ];
    const random = generator(7);
    const attempts = sources.flatMap((source) =>
      Array.from({ length: 5 }, () =>
        patched(source, (copy) => {
          for (let i = 0; i < 12; i++) copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
        }),
      ),
    );
    const outcomes = await Promise.allSettled(attempts.map((bytes) => engine.recognise(bytes)));
    const strange = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' && ![damaged, tooManyPixels, unsupported].includes(outcome.reason.code)
        ? [outcome.reason]
        : [],
    );
    expect(strange).toEqual([]);
    expect(engine.status().pid).toBe(pid);
  });
});

/** A real one: 20,000 × 20,000 pixels in under a hundred kilobytes. */
function bomb(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(20_000, 0);
  header.writeUInt32BE(20_000, 4);
  header.writeUInt8(1, 8);
  const rows = deflateSync(Buffer.alloc(20_000 * (1 + 20_000 / 8)), { level: 1 });
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A little-endian TIFF that consists of its tags. */
function tiffWith(tags: Record<number, number>): Buffer {
  const all = { 258: 8, 259: 1, 262: 1, 273: 8, 278: 1, 279: 16, ...tags };
  const entries = Object.entries(all).map(([tag, value]) => [Number(tag), value] as const);
  entries.sort(([a], [b]) => a - b);
  const file = Buffer.alloc(8 + 2 + entries.length * 12 + 4);
  file.write('II*\0', 'latin1');
  file.writeUInt32LE(8, 4);
  file.writeUInt16LE(entries.length, 8);
  entries.forEach(([tag, value], index) => {
    const at = 10 + index * 12;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(4, at + 2);
    file.writeUInt32LE(1, at + 4);
    file.writeUInt32LE(value, at + 8);
  });
  return file;
}

/** The same numbers from 0 to 1 in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A copy with something changed. */
function patched(bytes: Buffer, patch: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  patch(copy);
  return copy;
}

/** Intersection over union, 0 to 1. */
function overlap(a: Box, b: Box): number {
  const extent = (from: number, aTo: number, bFrom: number, bTo: number) =>
    Math.max(0, Math.min(aTo, bTo) - Math.max(from, bFrom));
  const shared =
    extent(a.x, a.x + a.width, b.x, b.x + b.width) * extent(a.y, a.y + a.height, b.y, b.y + b.height);
  return shared / (a.width * a.height + b.width * b.height - shared);
}
