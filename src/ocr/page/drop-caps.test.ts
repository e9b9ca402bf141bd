import { describe, expect, it } from 'vitest';
import type { GrayImage } from '../picture/pixels.ts';
import { findDropCaps } from './drop-caps.ts';
import type { Region } from './geometry.ts';

const [WIDTH, HEIGHT, PITCH, LEFT, ASIDE] = [600, 400, 26, 40, 110] as const;
const middleOf = (row: number) => 40 + PITCH * row;

interface Drawn {
  /** Left edge of each row's line. */
  lefts: readonly number[];
  /** Ink beside them: left, top, width and height. */
  ink?: readonly (readonly [left: number, top: number, width: number, height: number])[];
  /** Further regions of the text detector. */
  further?: Region[];
}

function page({ lefts, ink = [], further = [] }: Drawn): [GrayImage, Region[], number] {
  const gray = new Uint8Array(WIDTH * HEIGHT).fill(245);
  const fill = (left: number, top: number, width: number, height: number) => {
    for (let y = top; y < top + height; y++) gray.fill(20, y * WIDTH + left, y * WIDTH + left + width);
  };
  // Single letters of a line.
  for (const [row, left] of lefts.entries())
    for (let x = left + 4; x < 500; x += 12) fill(x, middleOf(row) - 7, 8, 14);
  for (const [left, top, width, height] of ink) fill(left, top, width, height);
  const regions = lefts.map((left, row) => {
    return { cx: (left + 504) / 2, cy: middleOf(row), width: 504 - left, height: 22, angle: 0 };
  });
  return [{ gray, width: WIDTH, height: HEIGHT }, [...regions, ...further], 0];
}

/** As high as from the head of the first line to the foot of the third one. */
const LETTER = [48, middleOf(0) - 7, 48, 2 * PITCH + 14] as const;
const BESIDE = [ASIDE, ASIDE, ASIDE, LEFT, LEFT];

describe('findDropCaps: a large letter beside the first lines of a text', () => {
  it('is found, with the lines beside it', () => {
    const [image, regions, angle] = page({ lefts: BESIDE, ink: [LETTER] });
    const [dropCap, ...others] = findDropCaps(image, regions, angle);
    expect(others).toEqual([]);
    expect(dropCap!.first).toBe(regions[0]);
    expect(dropCap!.beside).toEqual(regions.slice(0, 3));
    expect(dropCap!.seen).toEqual([]);
    expect([dropCap!.region.cx, dropCap!.region.cy]).toEqual([72, middleOf(1)]);
    expect(dropCap!.region.height).toBeGreaterThan(2 * PITCH + 14);
  });

  it('is found below the end of another paragraph', () => {
    const [image, regions, angle] = page({
      lefts: [LEFT, LEFT, ...BESIDE],
      ink: [[48, middleOf(2) - 7, 48, 2 * PITCH + 14]],
    });
    const found = findDropCaps(image, regions, angle);
    expect(found.map(({ first }) => regions.indexOf(first))).toEqual([2]);
  });

  it('is merged with the regions that the text detector found in it', () => {
    const seen = { cx: 72, cy: middleOf(1), width: 60, height: 70, angle: 0 };
    const [dropCap] = findDropCaps(...page({ lefts: BESIDE, ink: [LETTER], further: [seen] }));
    expect(dropCap!.seen).toEqual([seen]);
  });

  it('is found where the text detector merged it with its first line', () => {
    const [image, regions, angle] = page({ lefts: [LEFT, ASIDE, ASIDE, LEFT, LEFT] });
    const gray = image.gray;
    for (let y = middleOf(0) - 11; y < middleOf(0) + 11; y++)
      gray.fill(245, y * WIDTH + LEFT, y * WIDTH + ASIDE);
    const [left, top, width, height] = LETTER;
    for (let y = top; y < top + height; y++) gray.fill(20, y * WIDTH + left, y * WIDTH + left + width);
    const [dropCap] = findDropCaps(image, regions, angle);
    expect(dropCap!.first).toBe(regions[0]);
  });
});

describe('findDropCaps: not a drop cap', () => {
  it.each([
    ['lines that stand aside for nothing', { lefts: BESIDE }],
    ['a mark as high as one line', { lefts: BESIDE, ink: [[48, middleOf(1) - 7, 14, 14]] }],
    ['a picture that hangs below the lines', { lefts: BESIDE, ink: [[48, middleOf(0) - 7, 48, 5 * PITCH]] }],
    ['a rule beside a quotation', { lefts: BESIDE, ink: [[50, middleOf(0) - 7, 4, 2 * PITCH + 14]] }],
    ['the first line of a paragraph', { lefts: [LEFT, LEFT, 70, LEFT, LEFT] }],
    ['a list', { lefts: [LEFT, 70, 70, LEFT, 70, 70, LEFT, 70] }],
  ] satisfies [string, Drawn][])('%s', (_, drawn) => {
    expect(findDropCaps(...page(drawn))).toEqual([]);
  });
});
