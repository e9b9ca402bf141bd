import type { Box } from '#contract/extraction';
import { itemAt, required } from '#formats/checked';
import { boundsOf } from '#geometry/boxes';

/**
 * The reading order of the lines of a text layer. Most documents store their lines in reading order, so the stored order is
 * kept unless there is evidence against it.
 */

export interface PositionedWord {
  text: string;
  box: Box;
}
export type PositionedLine = readonly PositionedWord[];

/** In line heights: a wider gap between words may be a gap between columns. */
const MIN_COLUMN_GAP = 1.2;
/** Minimum number of consecutive lines with a shared gap, and of words per line on each side; otherwise it is a table. */
const MIN_GUTTER_LINES = 4;
const MIN_COLUMN_WORDS = 3;
/** In line heights: the maximum distance of lines in one block. */
const MAX_LINE_GAP = 1;
/** A block with fewer lines is a label and not a column. */
const MIN_COLUMN_LINES = 3;
/** Blocks are compared pairwise. A page of text has fewer blocks than this. */
const MAX_BLOCKS = 400;

export function inReadingOrder(lines: readonly PositionedLine[]): PositionedLine[] {
  const apart = splitColumns(lines);
  const blocks = blocksOf(apart);
  if (blocks.length > MAX_BLOCKS) return apart;
  return sortBlocks(moveHeaderAndFooter(blocks), isRightToLeft(apart)).flatMap((block) => block.lines);
}

export const boxOf = (words: PositionedLine): Box => required(boundsOf(words.map(({ box }) => box)));

interface Gap {
  /** Index of the word after the gap. */
  before: number;
  left: number;
  right: number;
}

/** Splits lines at the gap between two columns, if many consecutive lines share the gap. */
function splitColumns(lines: readonly PositionedLine[]): PositionedLine[] {
  const result: PositionedLine[] = [];
  let at = 0;
  while (at < lines.length) {
    const run = gutterFrom(lines, at);
    if (run.length === 0) result.push(itemAt(lines, at));
    else {
      const side = (which: (words: PositionedLine, before: number) => PositionedLine) =>
        splitColumns(run.map(({ before }, index) => which(itemAt(lines, at + index), before)));
      result.push(
        ...side((words, before) => words.slice(0, before)),
        ...side((words, before) => words.slice(before)),
      );
    }
    at += Math.max(1, run.length);
  }
  return result;
}

/** The column gap of each line from this line on; empty without evidence of columns. */
function gutterFrom(lines: readonly PositionedLine[], from: number): Gap[] {
  for (const first of wideGaps(itemAt(lines, from))) {
    const run = [first];
    let { left, right } = first;
    for (const words of lines.slice(from + 1)) {
      const shared = wideGaps(words).find((gap) => Math.min(gap.right, right) > Math.max(gap.left, left));
      if (!shared) break;
      run.push(shared);
      left = Math.max(left, shared.left);
      right = Math.min(right, shared.right);
    }
    const words = run.reduce((sum, _, index) => sum + itemAt(lines, from + index).length, 0);
    const onTheLeft = run.reduce((sum, { before }) => sum + before, 0);
    const minWords = Math.min(onTheLeft, words - onTheLeft);
    if (run.length >= MIN_GUTTER_LINES && minWords >= MIN_COLUMN_WORDS * run.length) return run;
  }
  return [];
}

function wideGaps(words: PositionedLine): Gap[] {
  return words.slice(1).flatMap(({ box }, index) => {
    const last = itemAt(words, index).box;
    const left = last.x + last.width;
    return box.x - left > MIN_COLUMN_GAP * Math.min(last.height, box.height)
      ? [{ before: index + 1, left, right: box.x }]
      : [];
  });
}

/** Consecutive lines of the document that are also consecutive on the page, from top to bottom. */
interface Block {
  lines: PositionedLine[];
  box: Box;
}

function blocksOf(lines: readonly PositionedLine[]): Block[] {
  const blocks: Block[] = [];
  let last: Box | null = null;
  for (const line of lines) {
    const box = boxOf(line);
    const block = blocks.at(-1);
    if (block && last && follows(last, box)) {
      block.lines.push(line);
      block.box = boundsOf([block.box, box]);
    } else blocks.push({ lines: [line], box });
    last = box;
  }
  return blocks;
}

const follows = (above: Box, below: Box) =>
  isAbove(above, below) &&
  overlapX(above, below) > 0 &&
  below.y - (above.y + above.height) <= MAX_LINE_GAP * Math.min(above.height, below.height);

/** The horizontal and vertical overlap of two boxes; negative if they do not overlap. */
const overlapX = (one: Box, other: Box) =>
  Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
const overlapY = (one: Box, other: Box) =>
  Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);

/** Whether a box is completely above another, except for letters that reach into the next line. */
const isAbove = (one: Box, other: Box) => {
  const slack = Math.min(one.height, other.height) / 3;
  return one.y + one.height <= other.y + slack && one.y < other.y;
};

/** Moves the header to the start and the footer to the end: many documents store them in another order. */
function moveHeaderAndFooter(blocks: readonly Block[]): readonly Block[] {
  const areAbove = (upper: readonly Block[], lower: readonly Block[]) =>
    upper.every((one) => lower.every((other) => isAbove(one.box, other.box)));
  const places = blocks.map((_, index) => index);
  const body = places.find((at) => at > 0 && areAbove(blocks.slice(at), blocks.slice(0, at))) ?? 0;
  const head =
    places.findLast((at) => at > body && areAbove(blocks.slice(at), blocks.slice(body, at))) ?? blocks.length;
  return [...blocks.slice(head), ...blocks.slice(body, head), ...blocks.slice(0, body)];
}

/**
 * Keeps the document's order, except for blocks that are stored before a block above them or before the column to their left
 * (to their right in right-to-left text).
 */
function sortBlocks(blocks: readonly Block[], rightToLeft: boolean): Block[] {
  const isBefore = (one: Block, other: Block) =>
    (overlapX(one.box, other.box) > 0 && isAbove(one.box, other.box)) || isColumnBefore(one, other);
  const isColumnBefore = (one: Block, other: Block) => {
    const [first, second] = rightToLeft ? [other, one] : [one, other];
    return (
      Math.min(one.lines.length, other.lines.length) >= MIN_COLUMN_LINES &&
      first.box.x + first.box.width <= second.box.x &&
      overlapY(one.box, other.box) > Math.min(one.box.height, other.box.height) / 2
    );
  };
  const isSwapped = blocks.some((block, index) =>
    blocks.slice(0, index).some((earlier) => isColumnBefore(block, earlier)),
  );
  const left = blocks.map((block) => ({
    block,
    ahead: blocks.filter((other) => other !== block && isBefore(other, block)),
  }));
  const sorted = new Set<Block>();
  let last: Block | undefined;
  while (left[0]) {
    const free = left
      .filter(({ ahead }) => ahead.every((other) => sorted.has(other)))
      .map(({ block }) => block);
    const next: Block = (isSwapped && nextInColumn(last, free)) || free[0] || left[0].block;
    left.splice(
      left.findIndex(({ block }) => block === next),
      1,
    );
    sorted.add(next);
    last = next;
  }
  return [...sorted];
}

/** The next block of the same column among the blocks that may follow. */
function nextInColumn(last: Block | undefined, free: readonly Block[]): Block | undefined {
  if (!last) return undefined;
  return free
    .filter(
      ({ box }) =>
        isAbove(last.box, box) && overlapX(last.box, box) > Math.min(last.box.width, box.width) / 2,
    )
    .toSorted((one, other) => one.box.y - other.box.y)[0];
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

const isRightToLeft = (lines: readonly PositionedLine[]) => {
  const words = lines.flat();
  return 2 * words.filter(({ text }) => RIGHT_TO_LEFT.test(text)).length > words.length;
};
