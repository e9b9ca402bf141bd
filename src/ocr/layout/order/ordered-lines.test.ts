import { expect, test } from 'vitest';
import type { Region } from '../../page/geometry.ts';
import type { ReadFragment } from '../place.ts';
import { orderLines } from './order.ts';
import { byDirection, followedBy, linesInOrder, type OrderedLines } from './ordered-lines.ts';

const QUARTER = Math.PI / 2;

function fragment(text: string, x: number, y: number): ReadFragment {
  const box = { x, y, width: text.length * 10, height: 20 };
  return { words: [{ text, confidence: 0.9, box }], upright: box, uprightWords: [box] };
}
const ordered = (fragments: readonly ReadFragment[]) =>
  linesInOrder(fragments, [], async (boxes, options) => orderLines(boxes, options));
const textsOf = ({ lines }: OrderedLines) => lines.map(({ text }) => text);

test('linesInOrder: fragments side by side make one line, and lines follow downwards', async () => {
  const lines = await ordered([
    fragment('second', 10, 60),
    fragment('right', 120, 10),
    fragment('left', 10, 10),
  ]);
  expect(textsOf(lines)).toEqual(['left right', 'second']);
  expect(lines.blocks).toHaveLength(2);
});

test('linesInOrder: an empty list of fragments gives no lines', async () => {
  expect(await ordered([])).toEqual({ lines: [], blocks: [] });
});

test('followedBy: the second part comes after the first, with paragraphs and blocks of its own', async () => {
  const [page, across] = [
    await ordered([fragment('page', 10, 10)]),
    await ordered([fragment('axis', 10, 10)]),
  ];
  const both = followedBy(page, across);
  expect(textsOf(both)).toEqual(['page', 'axis']);
  expect(new Set(both.lines.map(({ paragraph }) => paragraph)).size).toBe(2);
  expect(new Set(both.blocks).size).toBe(2);
});

test('followedBy: an empty part leaves the numbers unchanged', async () => {
  const page = await ordered([fragment('page', 10, 10)]);
  const none: OrderedLines = { lines: [], blocks: [] };
  expect(followedBy(none, page)).toEqual(page);
  expect(followedBy(page, none)).toEqual(page);
});

test('byDirection: regions are grouped by their quarter turns relative to the page, 0 included', () => {
  const at = (angle: number): Region => ({ cx: 0, cy: 0, width: 100, height: 20, angle });
  const [level, slanted, up, down, over] = [at(0.1), at(0.2), at(-QUARTER), at(QUARTER + 0.1), at(Math.PI)];
  expect(byDirection([level, up, slanted, down, over], 0.1)).toEqual(
    new Map([
      [0, [level, slanted]],
      [3, [up]],
      [1, [down]],
      [2, [over]],
    ]),
  );
  expect(byDirection([], 0)).toEqual(new Map([[0, []]]));
  expect([...byDirection([up], 0).keys()]).toEqual([0, 3]);
});
