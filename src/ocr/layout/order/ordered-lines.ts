/** Lines of a page in reading order, where its text may run in several directions. */
import { itemAt } from '../../checked.ts';
import type { Region } from '../../page/geometry.ts';
import { quartersOf } from '../../page/orient.ts';
import { directionOf } from '../../reading/scripts.ts';
import type { Box, Line } from '../../types.ts';
import { lineOf } from '../lines.ts';
import type { ReadFragment } from '../place.ts';
import { partedAtGutters } from './gutters.ts';
import type { TextBox } from './line-fragments.ts';
import type { OrderedLine, OrderOptions } from './order.ts';
import { paragraphNumbers } from './paragraphs.ts';

export interface OrderedLines {
  lines: Line[];
  /** By line: the number of its block of text. */
  blocks: number[];
}

/** Boxes in reading order, as `orderLines` returns them. */
export type OrderBoxes = (boxes: readonly TextBox[], options: OrderOptions) => Promise<OrderedLine[]>;

/**
 * Joins fragments to lines in reading order.
 * @param tables in the pixels of the dewarped page
 */
export async function linesInOrder(
  read: readonly ReadFragment[],
  tables: readonly Box[],
  order: OrderBoxes,
): Promise<OrderedLines> {
  const fragments = partedAtGutters(read);
  const boxes = fragments.map(({ upright, words }) => ({
    ...upright,
    text: words.map((word) => word.text).join(' '),
  }));
  const page = directionOf(boxes.map((box) => box.text).join(' ')) ?? 'ltr';
  const found = await order(boxes, { rightToLeft: page === 'rtl', tables });
  const ordered = found.map((line) => {
    const row = directionOf(line.boxes.map((index) => itemAt(boxes, index).text).join(' ')) ?? page;
    const inRow = row === page ? line.boxes : line.boxes.toReversed();
    return { ...line, words: inRow.flatMap((index) => itemAt(fragments, index).words) };
  });
  const placed = ordered.map(({ words, box, block }) => ({
    text: words.map((word) => word.text).join(' '),
    box,
    block,
  }));
  const paragraphs = paragraphNumbers(placed);
  return {
    lines: ordered.map(({ words }, index) => lineOf(words, itemAt(paragraphs, index))),
    blocks: ordered.map(({ block }) => block),
  };
}

/** The lines of two parts of a page, one part after the other. Paragraphs and blocks of the second part get new numbers. */
export function followedBy(before: OrderedLines, after: OrderedLines): OrderedLines {
  const paragraphs = Math.max(-1, ...before.lines.map(({ paragraph }) => paragraph)) + 1;
  const blocks = Math.max(-1, ...before.blocks) + 1;
  return {
    lines: [
      ...before.lines,
      ...after.lines.map((line) => ({ ...line, paragraph: line.paragraph + paragraphs })),
    ],
    blocks: [...before.blocks, ...after.blocks.map((block) => block + blocks)],
  };
}

/**
 * Regions by the quarter turns, 0 to 3 clockwise, of their text on the page. 0 is always among the keys.
 * @param angle of the page's text, radians clockwise
 */
export function byDirection(regions: readonly Region[], angle: number): Map<number, Region[]> {
  const directions = new Map<number, Region[]>([[0, []]]);
  for (const region of regions) {
    const quarterTurns = quartersOf(region, angle);
    directions.set(quarterTurns, [...(directions.get(quarterTurns) ?? []), region]);
  }
  return directions;
}
