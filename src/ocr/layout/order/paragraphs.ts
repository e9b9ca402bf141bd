/** Groups lines into paragraphs. */
import { pairwise, required } from '../../checked.ts';
import { median } from '../../page/geometry.ts';
import type { Box } from '../../types.ts';
import { type Extent, heightOf } from './line-fragments.ts';
import { isProse } from './text-columns.ts';

/** A line in reading order. `box` is in a frame where text is horizontal; `block` is its column from the ordering. */
export interface PlacedLine {
  text: string;
  box: Box;
  block: number;
}

/** A bullet, a dash, a number or a letter that starts a list item. */
const LIST_MARK = /^(?:[•·▪◦‣●○■□–—*+-]|\(?\p{Nd}{1,3}[.)]|\(?\p{L}[.)])\s+\S/u;
const ENDS_SENTENCE = /[.!?:…。！？؟।][\p{Pe}\p{Pf}"'”’]*$/u;
const BEGINS_LOWER = /^[^\p{L}\p{N}]*\p{Ll}/u;
const ENDS_OPEN = /[\p{L}\p{N},;]$|[\p{L}]\p{Pd}$/u;

/**
 * Paragraph numbers, one for each line, rising from 0. A paragraph starts
 * - after more space than between the column's other lines,
 * - where the font size changes,
 * - in running text, at an indented line, and after a line that ends a sentence with room for the next word,
 * - at a list mark,
 * - with a new column, unless its first line continues a sentence.
 */
export function paragraphNumbers(lines: readonly PlacedLine[]): number[] {
  const extents = lines.map((line) => ({ ...extentOf(line), block: line.block }));
  const columns = columnsOf(extents);
  let number = 0;
  return extents.map((here, i) => {
    const before = extents[i - 1];
    if (before) {
      const begins =
        here.block === before.block
          ? beginsWithin(required(columns.get(here.block)), before, here)
          : !continues(before, here);
      if (begins) number++;
    }
    return number;
  });
}

interface Column {
  prose: boolean;
  left: number;
  right: number;
  /** The usual space between one line and the next. */
  leading: number;
}

function columnsOf(lines: readonly (Extent & { block: number })[]): Map<number, Column> {
  const grouped = new Map<number, Extent[]>();
  for (const line of lines) {
    const members = grouped.get(line.block) ?? [];
    members.push(line);
    grouped.set(line.block, members);
  }
  return new Map([...grouped].map(([block, members]) => [block, columnOf(members)]));
}

function columnOf(lines: readonly Extent[]): Column {
  const height = median(lines.map(heightOf));
  const gaps = pairwise(lines).flatMap(([before, line]) =>
    likeSized(before, line) ? [line.top - before.bottom] : [],
  );
  return {
    prose: isProse(lines),
    left: median(lines.map((line) => line.left)),
    right: Math.max(...lines.map((line) => line.right)),
    // One gap alone does not show the usual leading.
    leading: gaps.length >= 2 ? median(gaps) : 0.3 * height,
  };
}

function beginsWithin(column: Column, before: Extent, here: Extent): boolean {
  const height = Math.min(heightOf(before), heightOf(here));
  const sameRow = here.top < before.top + 0.5 * heightOf(before);
  if (sameRow) return false;
  if (here.top - before.bottom > Math.max(column.leading, 0) + 0.5 * height) return true;
  if (!likeSized(before, here)) return true;
  if (LIST_MARK.test(here.text)) return true;
  if (!column.prose) return false;
  const indent = here.left - Math.max(column.left, before.left);
  if (indent > 0.7 * height && indent < 6 * height) return !BEGINS_LOWER.test(here.text);
  const room = column.right - before.right;
  return (
    ENDS_SENTENCE.test(before.text) &&
    !BEGINS_LOWER.test(here.text) &&
    room > firstWordWidth(here) + 0.5 * height
  );
}

/** The sentence continues into the next column. */
function continues(before: Extent, here: Extent): boolean {
  return likeSized(before, here) && ENDS_OPEN.test(before.text) && BEGINS_LOWER.test(here.text);
}

/** Boxes of lines without tall letters are lower: only a clear difference is a change of size. */
function likeSized(a: Extent, b: Extent): boolean {
  return Math.max(heightOf(a), heightOf(b)) < 1.4 * Math.min(heightOf(a), heightOf(b));
}

function firstWordWidth({ text, left, right }: Extent): number {
  const first = text.search(/\s/u);
  return first < 0 ? right - left : ((right - left) * (first + 1)) / text.length;
}

function extentOf({ text, box }: PlacedLine): Extent {
  return { text, left: box.x, right: box.x + box.width, top: box.y, bottom: box.y + box.height };
}
