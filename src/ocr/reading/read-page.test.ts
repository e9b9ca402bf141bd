import { expect, test } from 'vitest';
import { blankPicture, linesOn } from '../../../tests/support/gray-picture.ts';
import type { PageLines } from '../page/page-lines.ts';
import type { Lexicon } from './lexicon.ts';
import { readPage } from './read-page.ts';
import type { LineReading } from './recognizer.ts';

const [width, height] = [200, 100];
const picture = blankPicture(width, height);
const lexicon: Lexicon = { has: () => false, near: () => new Set(), letters: new Set(), words: () => [] };
const glyph = { confidence: 0.97, center: 0.5, startsWord: true };

/** The text of a region that the recognizers see only with paper around it. */
async function readTight(text: string, region: { width: number; height: number }) {
  const regions = [{ cx: 100, cy: 50, angle: 0, score: 0.9, ...region }];
  const page: PageLines = {
    regions,
    lines: linesOn(picture, regions),
    quarterTurns: 0,
    angle: 0,
    glyphs: [],
    signs: [],
    dropCaps: [],
    numbers: [],
    stamps: [],
  };
  const tight = region.width / region.height;
  const seen = ({ width: wide, height: high }: { width: number; height: number }): LineReading => ({
    glyphs: wide / high > tight + 0.1 ? [{ ...glyph, text }] : [],
  });
  const lines = await readPage(
    page,
    {
      first: {
        name: 'network',
        cropHeight: 36,
        sure: { known: 0.9, other: 0.9 },
        read: async (crops) => crops.map(seen),
      },
      second: { cropHeight: 48, read: async (crop) => seen(crop) },
      threads: 1,
      lexicon,
      signal: new AbortController().signal,
    },
    { inColumns: false, thorough: false, onProgress: () => {} },
  );
  return lines.map(({ first }) => first.glyphs.map((one) => one.text).join(''));
}

test('readPage: a brace that was cut out too tightly is read with paper around it', async () => {
  expect(await readTight('}', { width: 18, height: 28 })).toEqual(['}']);
});

test.each([
  ['an icon that reads as a figure', '0', { width: 28, height: 28 }],
  ['a longer region', '}', { width: 90, height: 28 }],
])('readPage: %s stays without text', async (_, text, region) => {
  expect(await readTight(text, region)).toEqual(['']);
});
