import sharp from 'sharp';
import { getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import type { Extraction } from '#contract/extraction';
import {
  extractionOf,
  positionedTextFrom,
  recordedExtraction,
  retyped,
} from '../../tests/support/extractions.ts';
import { readJpeg } from './jpeg.ts';
import { writePdf } from './pdf.ts';
import type { MappedText } from './pieces.ts';

/** The bytes of a JPEG of one color. */
const photograph = async (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#dcd' } })
    .jpeg()
    .toBuffer();
const jpegOf = (bytes: Buffer) => readJpeg(new Uint8Array(bytes));

async function pdfOf(extraction: Extraction, edited?: MappedText, picture?: Buffer): Promise<Uint8Array> {
  const { width, height } = extraction.image;
  return writePdf([
    {
      positionedText: positionedTextFrom(extraction, edited),
      tables: [],
      picture: jpegOf(picture ?? (await photograph(width, height))),
    },
  ]);
}

interface Item {
  str: string;
  transform: [number, number, number, number, number, number];
  width: number;
  height: number;
  hasEOL: boolean;
}

/** A page as a PDF reader extracts it. */
async function read(pdf: Uint8Array) {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const page = await document.getPage(1);
  const { items }: { items: readonly (Item | { type: string })[] } = await page.getTextContent();
  const [, , width, height] = page.view as [number, number, number, number];
  const words = items.filter((item): item is Item => 'str' in item && item.str.trim() !== '');
  const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
  return { width, height, words, text, pages: document.numPages };
}

const linesIn = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean);

describe('writePdf: the text', () => {
  it("can be extracted line by line, with the user's edits", async () => {
    const note = recordedExtraction('note');
    const { text, pages } = await read(await pdfOf(note, retyped(note, 'dally', 'daily')));
    expect(pages).toBe(1);
    expect(linesIn(text)).toEqual([
      'Harbour Lane Bakery',
      'Two loaves of rye bread',
      'One jar of plum jam',
      'Thank you for your visit',
      'Open daily until seven',
    ]);
  });

  it('is at the positions of the words in the image', async () => {
    const note = recordedExtraction('note');
    const { words, width, height } = await read(await pdfOf(note));
    const scale = width / note.image.width;
    expect(height).toBeCloseTo(note.image.height * scale, 1);
    for (const line of note.lines) {
      const first = line.words[0]!;
      const item = words.find(({ str }) => str.startsWith(first.text))!;
      expect(Math.abs(item.transform[4] - first.box.x * scale)).toBeLessThan(1);
      const bottom = height - (first.box.y + first.box.height) * scale;
      expect(item.transform[5]).toBeGreaterThan(bottom);
      expect(item.transform[5]).toBeLessThan(bottom + first.box.height * scale);
    }
  });

  it('is upright for a picture rotated by 90 degrees', async () => {
    const { text, width, height } = await read(await pdfOf(recordedExtraction('turned')));
    expect(width).toBeGreaterThan(height);
    expect(linesIn(text)[0]).toBe('The ferry leaves the harbour at seven');
  });

  it('follows slanted lines', async () => {
    const { text, words } = await read(await pdfOf(recordedExtraction('slanted')));
    for (const line of recordedExtraction('slanted').lines) expect(text).toContain(line.text);
    const heightOf = (start: string) => words.find(({ str }) => str.startsWith(start))!.transform[5];
    expect(heightOf('The')).toBeGreaterThan(heightOf('seven') + 20);
  });

  it.each([
    [
      'Arabic, with digits in the right order',
      'ara',
      [
        ['تفتح', 480, 80],
        ['المكتبة', 350, 110],
        ['18:30', 250, 85],
      ],
    ],
    [
      'Devanagari',
      'hin',
      [
        ['नमस्ते', 20, 120],
        ['दुनिया', 180, 120],
      ],
    ],
    [
      'Chinese, and characters outside the Basic Multilingual Plane',
      'chi_sim',
      [
        ['東京都', 20, 120],
        ['🜁𠮷', 180, 90],
      ],
    ],
    ['Thai', 'tha', [['ภาษาไทย', 20, 160]]],
  ] as const)('can be extracted in %s', async (_, language, words) => {
    const extraction = extractionOf(language, [words.map(([...word]) => word)]);
    const { text } = await read(await pdfOf(extraction));
    expect(linesIn(text).join(' ')).toBe(words.map(([word]) => word).join(' '));
  });

  it('contains text that the user typed, and is empty without text', async () => {
    const note = recordedExtraction('note');
    const all = await read(await pdfOf(note, { text: 'All of it\nwritten by hand', marks: [] }));
    expect(linesIn(all.text)).toEqual(['All of it', 'written by hand']);
    const none = await read(await pdfOf(note, { text: '', marks: [] }));
    expect(none.text).toBe('');
  });
});

describe('writePdf: the picture', () => {
  const note = recordedExtraction('note');
  const holds = (pdf: Uint8Array, part: Uint8Array) => Buffer.from(pdf).includes(Buffer.from(part));

  it('is the uploaded JPEG, byte for byte', async () => {
    const picture = await photograph(900, 520);
    expect(holds(await pdfOf(note, undefined, picture), new Uint8Array(picture))).toBe(true);
  });

  it("loses the camera's metadata on time and location, and keeps its orientation", async () => {
    const picture = await sharp(await photograph(520, 900))
      .withExif({
        IFD0: { Orientation: '6', Copyright: 'secret-owner' },
        IFD3: { GPSLatitude: '52/1 31/1 0/1' },
      })
      .toBuffer();
    expect(picture.includes('secret-owner')).toBe(true);
    const jpeg = jpegOf(picture)!;
    expect(jpeg).toMatchObject({ width: 520, height: 900, components: 3 });
    expect(Buffer.from(jpeg.bytes).includes('secret-owner')).toBe(false);
    expect((await sharp(jpeg.bytes).stats()).isOpaque).toBe(true);
    const pdf = await pdfOf(note, undefined, picture);
    expect(holds(pdf, jpeg.bytes)).toBe(true);
    expect(holds(pdf, Buffer.from('Exif'))).toBe(false);
  });

  it('may be progressive, gray or CMYK', async () => {
    const base = sharp(await photograph(64, 32));
    const kinds = {
      progressive: [await base.clone().jpeg({ progressive: true }).toBuffer(), 3],
      gray: [await base.clone().toColourspace('b-w').jpeg().toBuffer(), 1],
      cmyk: [await base.clone().toColourspace('cmyk').jpeg().toBuffer(), 4],
    } as const;
    for (const [kind, [bytes, components]] of Object.entries(kinds)) {
      const jpeg = jpegOf(bytes);
      expect(jpeg, kind).toMatchObject({ width: 64, height: 32, components });
      expect((await sharp(jpeg!.bytes).metadata()).format, kind).toBe('jpeg');
    }
  });

  it('is rejected unless it is a valid JPEG', async () => {
    const picture = await photograph(64, 32);
    expect(jpegOf(await sharp(picture).png().toBuffer())).toBeNull();
    expect(jpegOf(picture.subarray(0, 40))).toBeNull();
    expect(jpegOf(Buffer.from([0xff, 0xd8]))).toBeNull();
    expect(jpegOf(Buffer.alloc(0))).toBeNull();
  });

  it('loses data after its end marker', async () => {
    const picture = await photograph(64, 32);
    const jpeg = jpegOf(Buffer.concat([picture, Buffer.from('a film of two seconds')]))!;
    expect(Buffer.from(jpeg.bytes)).toEqual(picture);
  });
});
