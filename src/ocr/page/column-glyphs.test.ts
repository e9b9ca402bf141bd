import { describe, expect, it } from 'vitest';
import { pictureOf } from '../../../tests/support/gray-picture.ts';
import type { Picture } from '../picture/picture.ts';
import { columnGlyphs } from './column-glyphs.ts';
import type { Region } from './geometry.ts';

const [WIDTH, HEIGHT, PITCH, LINE] = [600, 300, 30, 20] as const;
const middleOf = (row: number) => 30 + PITCH * row;
const NAME = { left: 20, width: 200 } as const;
const PRICE = { left: 480, width: 60 } as const;

/** Rows of a name and a price; `marks` are strokes between them. */
function receipt(
  rows: number,
  marks: readonly { row: number; left: number; width: number; height: number }[],
  [paper, ink] = [240, 30] as [number, number],
): { picture: Picture; regions: Region[] } {
  const gray = new Uint8Array(WIDTH * HEIGHT).fill(paper);
  const draw = (left: number, row: number, width: number, height: number) => {
    const top = Math.round(middleOf(row) - height / 2);
    for (let y = top; y < top + height; y++) gray.fill(ink, y * WIDTH + left, y * WIDTH + left + width);
  };
  const regions: Region[] = [];
  for (let row = 0; row < rows; row++) {
    for (const { left, width } of [NAME, PRICE]) {
      for (let x = left; x < left + width; x += 10) draw(x, row, 5, 13);
      regions.push({ cx: left + width / 2, cy: middleOf(row), width: width + 4, height: LINE, angle: 0 });
    }
  }
  for (const { row, left, width, height } of marks) draw(left, row, width, height);
  return { picture: pictureOf({ gray, width: WIDTH, height: HEIGHT }), regions };
}

const found = (...drawn: Parameters<typeof receipt>) => {
  const { picture, regions } = receipt(...drawn);
  return columnGlyphs(picture, regions, 0).map(({ cx, cy }) => [Math.round(cx), Math.round(cy)]);
};
const one = (row: number, left = 350) => ({ row, left, width: 5, height: 13 });
const times = (rows: number, make: (row: number) => ReturnType<typeof one>) =>
  Array.from({ length: rows }, (_, row) => make(row));

describe('columnGlyphs: single characters between two regions of a row', () => {
  it('are found where they stand below one another, dark on light and light on dark', () => {
    const places = [0, 1, 2, 3].map((row) => [353, middleOf(row)]);
    expect(found(4, times(4, one))).toEqual(places);
    expect(found(4, times(4, one), [20, 230])).toEqual(places);
  });

  it('of two figures are found as one', () => {
    const marks = times(3, one).flatMap((mark) => [mark, { ...mark, left: mark.left + 9 }]);
    expect(found(3, marks)).toHaveLength(3);
  });

  it.each([
    ['stand alone', [one(1)]],
    ['stand in different places', times(4, (row) => one(row, 250 + 40 * row))],
    ['are as low as a dash', times(4, (row) => ({ ...one(row), width: 9, height: 3 }))],
    ['are the rule of a table', times(4, (row) => ({ ...one(row), height: PITCH }))],
    ['are words', times(4, (row) => ({ ...one(row), width: 40 }))],
  ])('are not found where they %s', (_, marks) => {
    expect(found(4, marks)).toEqual([]);
  });
});
