import type { Box } from '#contract/extraction';
import { itemAt, required } from '#formats/checked';
import { boundsOf } from '#geometry/boxes';

/**
 * The reading order of a document's own text lines. Most documents store them in that order already, so it is kept
 * unless there is evidence against it.
 */

export interface LaidWord {
  text: string;
  box: Box;
}
export type LaidLine = readonly LaidWord[];

/** Of a line's height: a wider gap between words may be one between columns. */
const WIDE = 1.2;
/** Lines with such a gap, one below the other, before it parts columns; and words on each side, or it is a table. */
const GUTTER_LINES = 4;
const WORDS_OF_A_COLUMN = 3;
/** Of a line's height: lines of one block are no further apart. */
const BLOCK_GAP = 1;
/** Fewer lines are a label, and no column. */
const COLUMN_LINES = 3;
/** Each is compared with each; more than these no page has that is read as text. */
const MAX_BLOCKS = 400;

export function inReadingOrder(lines: readonly LaidLine[]): LaidLine[] {
  const apart = columnsApart(lines);
  const blocks = blocksOf(apart);
  if (blocks.length > MAX_BLOCKS) return apart;
  return ordered(headFirst(blocks), isRightToLeft(apart)).flatMap((block) => block.lines);
}

export const boxOf = (words: LaidLine): Box => required(boundsOf(words.map(({ box }) => box)));

interface Gap {
  /** Index of the word behind it. */
  before: number;
  left: number;
  right: number;
}

/** Parts lines that run on over the gap between two columns, where many of them share it. */
function columnsApart(lines: readonly LaidLine[]): LaidLine[] {
  const parted: LaidLine[] = [];
  let at = 0;
  while (at < lines.length) {
    const run = gutterFrom(lines, at);
    if (run.length === 0) parted.push(itemAt(lines, at));
    else {
      const side = (which: (words: LaidLine, before: number) => LaidLine) =>
        columnsApart(run.map(({ before }, index) => which(itemAt(lines, at + index), before)));
      parted.push(
        ...side((words, before) => words.slice(0, before)),
        ...side((words, before) => words.slice(before)),
      );
    }
    at += Math.max(1, run.length);
  }
  return parted;
}

/** The columns of each line from this one on; none without evidence of columns. */
function gutterFrom(lines: readonly LaidLine[], from: number): Gap[] {
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
    const fewest = Math.min(onTheLeft, words - onTheLeft);
    if (run.length >= GUTTER_LINES && fewest >= WORDS_OF_A_COLUMN * run.length) return run;
  }
  return [];
}

function wideGaps(words: LaidLine): Gap[] {
  return words.slice(1).flatMap(({ box }, index) => {
    const last = itemAt(words, index).box;
    const left = last.x + last.width;
    return box.x - left > WIDE * Math.min(last.height, box.height)
      ? [{ before: index + 1, left, right: box.x }]
      : [];
  });
}

/** Lines that follow one another downwards, in the document's order and on the page. */
interface Block {
  lines: LaidLine[];
  box: Box;
}

function blocksOf(lines: readonly LaidLine[]): Block[] {
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
  across(above, below) > 0 &&
  below.y - (above.y + above.height) <= BLOCK_GAP * Math.min(above.height, below.height);

/** How far two boxes share the same stretch across, and down; negative where they share none. */
const across = (one: Box, other: Box) =>
  Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
const down = (one: Box, other: Box) =>
  Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);

/** Entirely, except for letters that reach into the next line. */
const isAbove = (one: Box, other: Box) => {
  const slack = Math.min(one.height, other.height) / 3;
  return one.y + one.height <= other.y + slack && one.y < other.y;
};

/** Documents often write a page's footer before it, and its header after it. */
function headFirst(blocks: readonly Block[]): readonly Block[] {
  const areAbove = (upper: readonly Block[], lower: readonly Block[]) =>
    upper.every((one) => lower.every((other) => isAbove(one.box, other.box)));
  const places = blocks.map((_, index) => index);
  const body = places.find((at) => at > 0 && areAbove(blocks.slice(at), blocks.slice(0, at))) ?? 0;
  const head =
    places.findLast((at) => at > body && areAbove(blocks.slice(at), blocks.slice(body, at))) ?? blocks.length;
  return [...blocks.slice(head), ...blocks.slice(body, head), ...blocks.slice(0, body)];
}

/** The document's order, except for lines that come before something above them, or before the column to their left. */
function ordered(blocks: readonly Block[], rightToLeft: boolean): Block[] {
  const isBefore = (one: Block, other: Block) =>
    (across(one.box, other.box) > 0 && isAbove(one.box, other.box)) || isColumnBefore(one, other);
  const isColumnBefore = (one: Block, other: Block) => {
    const [first, second] = rightToLeft ? [other, one] : [one, other];
    return (
      Math.min(one.lines.length, other.lines.length) >= COLUMN_LINES &&
      first.box.x + first.box.width <= second.box.x &&
      down(one.box, other.box) > Math.min(one.box.height, other.box.height) / 2
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
    const next: Block = (isSwapped && goingOn(last, free)) || free[0] || left[0].block;
    left.splice(
      left.findIndex(({ block }) => block === next),
      1,
    );
    sorted.add(next);
    last = next;
  }
  return [...sorted];
}

/** The next of the same column, of those whose turn it could be. */
function goingOn(last: Block | undefined, free: readonly Block[]): Block | undefined {
  if (!last) return undefined;
  return free
    .filter(
      ({ box }) => isAbove(last.box, box) && across(last.box, box) > Math.min(last.box.width, box.width) / 2,
    )
    .toSorted((one, other) => one.box.y - other.box.y)[0];
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

const isRightToLeft = (lines: readonly LaidLine[]) => {
  const words = lines.flat();
  return 2 * words.filter(({ text }) => RIGHT_TO_LEFT.test(text)).length > words.length;
};
