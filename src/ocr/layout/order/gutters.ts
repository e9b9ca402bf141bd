/**
 * Splits lines that the text detector merged across a narrow gutter, so that lines of two columns were read as one: where
 * word gaps align line after line, the lines are split, and the ordering finds two columns.
 */

import { pairwise } from '../../checked.ts';
import type { ReadFragment } from '../place.ts';
import { Effort, type Extent, heightOf, MAX_NEIGHBORS, middleOf, onOneRow, Rows } from './line-fragments.ts';

/** Word spaces align by chance as well, but hardly ever in so many lines. */
const MIN_LINES = 16;
/** Where the text detector separated some of the lines, fewer are enough. */
const BESIDE_PARTED = { lines: 5, parted: 3 };
/** A line without a gap at the gutter outweighs this many lines with one. */
const COST_OF_CLOSED = 2;
/** Accuracy of the ends of words, in line heights. */
const SLACK = 0.12;
/** Across over down: the remaining lean of a gutter on a leveled page, and its bend. */
const LEAN = 0.02;
/** In line heights: a narrower part is not a column, and the text detector splits at a wider gap itself. */
const [NARROWEST_COLUMN, WIDEST_GAP] = [5, 2];
/** Distance from a gap to the next one of its gutter, in line heights: a line may lie between them. */
const STEP = { least: 0.5, most: 3 };
/** Number of gaps above one that are compared with it. */
const MAX_ABOVE = 16;

interface Row extends Extent {
  fragment: ReadFragment;
}

/** A gap between two words, or between two fragments. */
interface Opening extends Extent {
  row: Row;
  /** The word after it; undefined between two fragments. */
  word: number | undefined;
  /** Of the best chain of gaps that ends here: lines with a gap, less the penalty for lines without one. */
  score: number;
  parted: number;
  /** The interval that is open in all gaps of that chain. */
  from: number;
  to: number;
  above: Opening | undefined;
}

/** The same words in the same order, with fragments that cross a gutter split. */
export function partedAtGutters(fragments: readonly ReadFragment[], effort = new Effort()): ReadFragment[] {
  const lines = fragments.map(rowOf);
  const rows = new Rows(lines, effort);
  const openings = lines
    .flatMap((row) => [...gapsIn(row), ...gapAfter(row, rows)])
    .sort((a, b) => middleOf(a) - middleOf(b));
  const seen = new Rows(openings, effort);
  for (const opening of openings) continueChain(opening, seen, rows);
  const begins = new Map<Row, number[]>();
  const taken = new Set<Opening>();
  for (const end of openings.toSorted((a, b) => b.score - a.score)) {
    const least = end.parted >= BESIDE_PARTED.parted ? BESIDE_PARTED.lines : MIN_LINES;
    if (end.score < least) continue;
    const chain: Opening[] = [];
    for (let one: Opening | undefined = end; one && !taken.has(one); one = one.above) chain.push(one);
    // A few word spaces that lead to a gutter from its side do not belong to it.
    if (chain.length < BESIDE_PARTED.lines) continue;
    for (const one of chain) {
      taken.add(one);
      if (one.word !== undefined) begins.set(one.row, [...(begins.get(one.row) ?? []), one.word]);
    }
  }
  return lines.flatMap((row) => partsOf(row.fragment, begins.get(row) ?? []));
}

function rowOf(fragment: ReadFragment): Row {
  const { x, y, width, height } = fragment.upright;
  return { left: x, right: x + width, top: y, bottom: y + height, text: '', fragment };
}

function gapsIn(row: Row): Opening[] {
  const least = NARROWEST_COLUMN * heightOf(row);
  const spans = row.fragment.uprightWords.map(({ x, width }) => ({ left: x, right: x + width }));
  return pairwise(spans).flatMap(([before, next], i) => {
    // Right-to-left words are not split.
    if (next.right < before.left) return [];
    const [left, right] = [Math.min(before.right, next.left), Math.max(before.right, next.left)];
    if (left - row.left < least || row.right - right < least) return [];
    return [openingOf(row, left, right, i + 1)];
  });
}

function gapAfter(row: Row, rows: Rows<Row>): Opening[] {
  const reach = 0.5 * heightOf(row);
  let next: Row | undefined;
  rows.visit(middleOf(row) - reach, middleOf(row) + reach, row.right, (other) => {
    if (next && other.left > next.left) return true;
    if (other !== row && other.left >= row.right && onOneRow(row, other)) next = other;
    return false;
  });
  if (!next || next.left - row.right > WIDEST_GAP * heightOf(row)) return [];
  const least = NARROWEST_COLUMN * heightOf(row);
  if (row.right - row.left < least || next.right - next.left < least) return [];
  return [openingOf(row, row.right, next.left, undefined)];
}

function openingOf(row: Row, left: number, right: number, word: number | undefined): Opening {
  const { top, bottom } = row;
  const slack = SLACK * heightOf(row);
  const parted = word === undefined ? 1 : 0;
  const alone = { score: 1, parted, from: left - slack, to: right + slack, above: undefined };
  return { left, right, top, bottom, text: '', row, word, ...alone };
}

/** Finds the best chain that this gap continues; the gaps above it already have theirs. */
function continueChain(opening: Opening, openings: Rows<Opening>, rows: Rows<Row>): void {
  const [middle, height] = [middleOf(opening), heightOf(opening)];
  const { from, to, parted } = opening;
  let seen = 0;
  const left = from - height;
  openings.visit(middle - STEP.most * height, middle - STEP.least * height, left, (upper) => {
    if (upper.left > to + height || seen >= MAX_ABOVE) return true;
    const step = middle - middleOf(upper);
    const least = Math.min(height, heightOf(upper));
    if (step < STEP.least * least || step > STEP.most * least) return false;
    const open = {
      from: Math.max(upper.from - LEAN * step, from),
      to: Math.min(upper.to + LEAN * step, to),
    };
    if (open.from > open.to || 1 + upper.score <= opening.score) return false;
    seen++;
    const score = 1 + upper.score - COST_OF_CLOSED * closedBetween(upper, opening, rows);
    if (score > opening.score)
      Object.assign(opening, open, { score, parted: upper.parted + parted, above: upper });
    return false;
  });
}

/** Number of lines between two gaps that cross the gutter. */
function closedBetween(upper: Opening, lower: Opening, rows: Rows<Row>): number {
  const place = (upper.left + upper.right + lower.left + lower.right) / 4;
  const slack = 0.4 * heightOf(lower);
  let closed = 0;
  rows.visit(middleOf(upper) + slack, middleOf(lower) - slack, place, (row) => {
    const reach = heightOf(row);
    if (row.left < place - reach && row.right > place + reach) closed++;
    return row.left > place || closed >= MAX_NEIGHBORS;
  });
  return closed;
}

/** @param begins the first word of each part */
function partsOf(fragment: ReadFragment, begins: readonly number[]): ReadFragment[] {
  if (begins.length === 0) return [fragment];
  const cuts = [0, ...begins.toSorted((a, b) => a - b), fragment.words.length];
  return cuts.slice(1).map((to, i) => {
    const uprightWords = fragment.uprightWords.slice(cuts[i], to);
    const left = Math.min(...uprightWords.map(({ x }) => x));
    const width = Math.max(...uprightWords.map((box) => box.x + box.width)) - left;
    return {
      words: fragment.words.slice(cuts[i], to),
      uprightWords,
      upright: { ...fragment.upright, x: left, width },
    };
  });
}
