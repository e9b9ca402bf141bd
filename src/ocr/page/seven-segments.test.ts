import { describe, expect, it } from 'vitest';
import { pictureOf } from '../../../tests/support/gray-picture.ts';
import type { Picture } from '../picture/picture.ts';
import { displayNumbers } from './seven-segments.ts';

const [WIDTH, HEIGHT] = [480, 200] as const;
/** Segments a to g of each digit. */
const LIT: Readonly<Record<string, string>> = {
  0: 'abcdef',
  1: 'bc',
  2: 'abdeg',
  3: 'abcdg',
  4: 'bcfg',
  5: 'acdfg',
  6: 'acdefg',
  7: 'abc',
  8: 'abcdefg',
  9: 'abcdfg',
};

interface Style {
  high?: number;
  thick?: number;
  /** Between segments, in pixels. */
  gap?: number;
  /** Across by down. */
  slant?: number;
  tones?: [paper: number, ink: number];
}

/** A display of digits, points, colons and minus signs. */
function display(
  text: string,
  { high = 80, thick = 10, gap = 3, slant = 0, tones: [paper, ink] = [200, 30] }: Style = {},
): Picture {
  const gray = new Uint8Array(WIDTH * HEIGHT).fill(paper);
  const wide = high * 0.55;
  const top = 60;
  const fill = (left: number, from: number, right: number, to: number) => {
    for (let y = Math.round(from); y < Math.round(to); y++) {
      const shift = slant * (top + high - y);
      for (let x = Math.round(left + shift); x < Math.round(right + shift); x++) gray[y * WIDTH + x] = ink;
    }
  };
  let x = 40;
  for (const character of text) {
    const [middle, bottom] = [top + high / 2, top + high];
    const across = (y: number) => fill(x + thick + gap, y, x + wide - thick - gap, y + thick);
    const upper = (left: number) => fill(left, top + gap, left + thick, middle - gap);
    const lower = (left: number) => fill(left, middle + gap, left + thick, bottom - gap);
    const draw: Record<string, () => void> = {
      a: () => across(top),
      b: () => upper(x + wide - thick),
      c: () => lower(x + wide - thick),
      d: () => across(bottom - thick),
      e: () => lower(x),
      f: () => upper(x),
      g: () => across(middle - thick / 2),
    };
    if (character === '.') {
      fill(x - 6, bottom - thick, x - 6 + thick, bottom);
      x += thick + 2;
    } else if (character === ':') {
      for (const y of [top + high * 0.3, top + high * 0.65]) fill(x - 4, y, x - 4 + thick, y + thick);
      x += thick + 6;
    } else if (character === '-') {
      draw.g!();
      x += wide + 16;
    } else {
      for (const segment of LIT[character]!) draw[segment]!();
      x += wide + 16;
    }
  }
  return pictureOf({ gray, width: WIDTH, height: HEIGHT });
}

const read = (picture: Picture) =>
  displayNumbers(picture).map(({ characters }) => characters.map(({ text }) => text).join(''));

describe('displayNumbers: a seven-segment display', () => {
  it.each(['012345', '6789', '128', '12.5', '0.75', '10:45', '-7.3'])('that shows %s is read', (text) => {
    expect(read(display(text))).toEqual([text]);
  });

  it.each<[string, Style]>([
    ['lit on a dark ground', { tones: [20, 220] }],
    ['slanted', { slant: 0.12 }],
    ['small', { high: 30, thick: 4, gap: 1 }],
    ['thin', { thick: 6 }],
    ['faint', { tones: [150, 95] }],
  ])('is read when it is %s', (_, style) => {
    expect(read(display('2084', style))).toEqual(['2084']);
  });

  it('lies where it was drawn', () => {
    const [{ region }] = displayNumbers(display('88')) as [ReturnType<typeof displayNumbers>[number]];
    expect(region.cx).toBeCloseTo(40 + (2 * 44 + 16) / 2, -1);
    expect(region.cy).toBeCloseTo(100, -1);
  });
});

describe('displayNumbers: other ink', () => {
  it('of digits in one piece is left to the recognizers', () => {
    expect(read(display('2084', { gap: 0, thick: 14 }))).toEqual([]);
  });

  it('of vertical bars alone is not a number', () => {
    expect(read(display('1111'))).toEqual([]);
  });
});
