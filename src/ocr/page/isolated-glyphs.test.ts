import { describe, expect, it } from 'vitest';
import type { GrayImage } from '../picture/pixels.ts';
import type { Region } from './geometry.ts';
import { isolatedGlyphs } from './isolated-glyphs.ts';

const [WIDTH, HEIGHT, PITCH, LINE] = [500, 400, 24, 18] as const;
const middleOf = (row: number) => 30 + PITCH * row;

interface Drawn {
  /** Rows with a line of text, and its indentation. */
  lines: readonly (readonly [row: number, left: number])[];
  /** Rows with a stroke of these sides instead, without a region. */
  signs?: readonly (readonly [row: number, left: number, width: number, height: number])[];
  angle?: number;
}

function page({ lines, signs = [], angle = 0 }: Drawn): [GrayImage, Region[]] {
  const gray = new Uint8Array(WIDTH * HEIGHT).fill(245);
  const ink = (left: number, top: number, width: number, height: number) => {
    for (let y = top; y < top + height; y++) gray.fill(20, y * WIDTH + left, y * WIDTH + left + width);
  };
  for (const [row, left] of lines) ink(left, middleOf(row) - 6, 200, 12);
  for (const [row, left, width, height] of signs)
    ink(left, Math.round(middleOf(row) - height / 2), width, height);
  const regions = lines.map(([row, left]) => ({
    cx: left + 100,
    cy: middleOf(row),
    width: 204,
    height: LINE,
    angle,
  }));
  return [{ gray, width: WIDTH, height: HEIGHT }, regions];
}

const CODE: Drawn['lines'] = [
  [0, 40],
  [1, 60],
  [2, 60],
  [3, 80],
  [5, 60],
];

describe('isolatedGlyphs: a sign alone on a line', () => {
  it('is found between lines and below the last one', () => {
    const found = isolatedGlyphs(
      ...page({
        lines: CODE,
        signs: [
          [4, 60, 5, 14],
          [6, 40, 5, 14],
        ],
      }),
    );
    expect(found.map(({ cx, cy }) => [Math.round(cx), Math.round(cy)])).toEqual([
      [63, middleOf(4)],
      [43, middleOf(6)],
    ]);
    for (const { width, height } of found) expect([width < 1.5 * LINE, height]).toEqual([true, LINE]);
  });

  it('is not found where the row holds several signs, a speck or a rule', () => {
    for (const sign of [
      [4, 60, 40, 14],
      [4, 60, 2, 2],
      [4, 60, 5, 24],
      [4, 40, 200, 2],
    ] as const) {
      expect(isolatedGlyphs(...page({ lines: CODE, signs: [sign] })), String(sign)).toEqual([]);
    }
  });

  it('is not searched for where lines are slanted, few or uneven', () => {
    const signs = [[4, 60, 5, 14]] as const;
    expect(isolatedGlyphs(...page({ lines: CODE, signs, angle: 0.05 }))).toEqual([]);
    expect(isolatedGlyphs(...page({ lines: CODE.slice(0, 3), signs }))).toEqual([]);
    expect(
      isolatedGlyphs(
        ...page({
          lines: [
            [0, 40],
            [1.3, 60],
            [2, 60],
            [3.5, 80],
            [5, 60],
          ],
          signs,
        }),
      ),
    ).toEqual([]);
  });
});
