import { describe, expect, test } from 'vitest';
import { OCR_ERRORS } from './errors.ts';
import { orderLines } from './layout/order/order.ts';
import type { TextDetector } from './page/detect.ts';
import type { Picture } from './picture/picture.ts';
import type { GrayImage } from './picture/pixels.ts';
import { type PipelineContext, readPicture } from './pipeline.ts';
import type { Lexicon } from './reading/lexicon.ts';
import type { LineReading, PageReader } from './reading/recognizer.ts';

const [width, height] = [600, 400];

interface Bar {
  left: number;
  top: number;
  wide: number;
  high: number;
  /** The end at which the text starts; `none`: it cannot be read at all. */
  start: 'left' | 'right' | 'bottom' | 'none';
}

/** The text detector finds whole bars; the recognizer sees ink only where the text starts. */
function pageOf(bars: readonly Bar[], notices: Picture['notices'] = []): Picture {
  const gray = new Uint8Array(width * height).fill(255);
  const rgb = new Uint8Array(width * height * 3).fill(255);
  for (const { left, top, wide, high, start } of bars) {
    for (let y = top; y < top + high; y++) {
      rgb.fill(0, 3 * (y * width + left), 3 * (y * width + left + wide));
      if (start === 'left') gray.fill(0, y * width + left, y * width + left + 50);
      if (start === 'right') gray.fill(0, y * width + left + wide - 50, y * width + left + wide);
      if (start === 'bottom' && y >= top + high - 50) gray.fill(0, y * width + left, y * width + left + wide);
      // Ink in the middle only: a region without any is dropped.
      if (start === 'none') gray.fill(0, y * width + left + 150, y * width + left + 250);
    }
  }
  return { width, height, gray, rgb, original: { width, height }, scale: 1, notices };
}

const detector: TextDetector = {
  scale: async ({ data, width, height }, wide, high) => {
    const scaled = new Uint8Array(wide * high * 3);
    for (let y = 0; y < high; y++) {
      for (let x = 0; x < wide; x++) {
        const from = Math.floor((y * height) / high) * width + Math.floor((x * width) / wide);
        scaled.set(data.subarray(3 * from, 3 * from + 3), 3 * (y * wide + x));
      }
    }
    return { data: scaled, width: wide, height: high };
  },
  mapText: async ({ data, width, height }) => ({
    data: Uint8Array.from({ length: width * height }, (_, i) => 255 - data[3 * i]!),
    width,
    height,
  }),
};

const lexicon: Lexicon = { has: () => true, near: () => new Set(), letters: new Set('a'), words: () => [] };
const NOTHING: LineReading = { glyphs: [] };
const textOf = (text: string, confidence: number, length: number): LineReading => ({
  glyphs: [...text].map((character, i) => ({
    text: character,
    confidence,
    center: ((i + 0.5) * length) / text.length,
    startsWord: i === 0,
  })),
});

/** Whether a crop has ink in its first or last columns. */
function inkAt({ gray, width, height }: GrayImage, end: 'first' | 'last'): boolean {
  const reach = Math.round(height * 1.5);
  let ink = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < reach; x++) if (gray[y * width + (end === 'first' ? x : width - 1 - x)]! < 128) ink++;
  }
  return ink > 0.1 * reach * height;
}

/** Reads with high confidence when the crop starts with ink, with low confidence when it ends with it, and nothing else. */
const reader: PageReader = {
  name: 'network',
  cropHeight: 36,
  sure: { known: 0, other: 0 },
  read: async (crops) =>
    crops.map((crop) => {
      const length = crop.width / crop.height;
      if (length < 4) return NOTHING;
      if (inkAt(crop, 'first')) return textOf(length > 9 ? 'sentences' : 'caption', 0.99, length);
      return inkAt(crop, 'last') ? textOf('sepuerues', 0.4, length) : NOTHING;
    }),
};

async function read(picture: Picture) {
  const context: PipelineContext = {
    decode: async () => picture,
    recognizers: {
      size: 1,
      readerOf: () => reader,
      order: async (boxes, options) => orderLines(boxes, options),
    },
    models: {
      detector: async () => detector,
      direction: async () => ({ cropHeight: 48, upsideDownChance: async () => 0 }),
      recognizerFor: async () => ({ cropHeight: 48, read: async () => NOTHING }),
      latinAmongOthers: async () => ({ cropHeight: 48, read: async () => NOTHING }),
      scriptsOf: async (lines) => lines.map(() => new Map([['Latn', 0.95]])),
    },
    lexiconOf: () => lexicon,
    identifyLanguage: () => [],
    signal: new AbortController().signal,
    onStage: () => {},
  };
  return readPicture(new Uint8Array(), { languages: ['eng'], filter: false }, context);
}

const LINES: Bar[] = [40, 100, 160].map((top) => ({ left: 150, top, wide: 400, high: 16, start: 'left' }));
const codesOf = ({ notices }: { notices: readonly { code: string }[] }) => notices.map(({ code }) => code);

describe('readPicture: text in another direction than the page', () => {
  test('that runs upwards is read, and follows the text of the page', async () => {
    const title: Bar = { left: 30, top: 90, wide: 16, high: 200, start: 'bottom' };
    const result = await read(pageOf([...LINES, title]));
    expect(result.lines.map(({ text }) => text)).toEqual(['sentences', 'sentences', 'sentences', 'caption']);
    const { box } = result.lines[3]!.words[0]!;
    expect(box.height).toBeGreaterThan(3 * box.width);
    expect(result.image.rotation).toBe(0);
    expect(result.unread).toEqual([]);
  });

  test('that is upside down is read the other way up, and is not reported as unread', async () => {
    const flipped: Bar = { left: 150, top: 220, wide: 400, high: 16, start: 'right' };
    const result = await read(pageOf([...LINES, flipped]));
    const texts = result.lines.map(({ text }) => text);
    expect(texts).toEqual(['sentences', 'sentences', 'sentences', 'sentences']);
    expect(result.unread).toEqual([]);
    expect(codesOf(result)).not.toContain('unread');
  });
});

test('readPicture: a region without any word is unread, with its box and a notice', async () => {
  const result = await read(pageOf([...LINES, { left: 150, top: 220, wide: 400, high: 16, start: 'none' }]));
  expect(result.lines).toHaveLength(3);
  expect(result.unread).toMatchObject([{ why: 'no_reading' }]);
  expect(result.unread[0]!.box.y).toBeGreaterThan(200);
  expect(codesOf(result)).toContain('unread');
});

describe('readPicture: a file whose end is missing', () => {
  const incomplete: Picture['notices'] = [{ code: 'incomplete', message: 'The end is missing.' }];

  test('is read where some text arrived, with its notice', async () => {
    expect(codesOf(await read(pageOf(LINES, incomplete)))).toContain('incomplete');
  });

  test('is damaged where no text arrived', async () => {
    await expect(read(pageOf([], incomplete))).rejects.toMatchObject({ code: OCR_ERRORS.damaged });
  });
});
