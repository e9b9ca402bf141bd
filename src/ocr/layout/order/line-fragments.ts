/** Detected boxes, and the line fragments that they form. */
import { firstOf, itemAt, required } from '../../checked.ts';
import type { Box } from '../../types.ts';

/** A detected box in a frame where text is horizontal. A known `text` helps to distinguish prose from tables. */
export interface TextBox extends Box {
  text?: string;
}

/** The place and the text of a stretch of text; `text` is empty where it is unknown. */
export interface Extent {
  left: number;
  right: number;
  top: number;
  bottom: number;
  text: string;
}

/** A line fragment: boxes of one line that the text detector separated only at a wide word space. */
export interface Fragment extends Extent {
  /** Left to right, at least one. */
  parts: Part[];
}

/** A separator: an upright stretch of the page without text. */
export interface Separator {
  from: number;
  to: number;
  top: number;
  bottom: number;
}

/** One detected box. */
interface Part extends Extent {
  index: number;
}

export const heightOf = (fragment: Extent) => fragment.bottom - fragment.top;
export const middleOf = (fragment: Extent) => (fragment.top + fragment.bottom) / 2;
export const widthOf = (fragment: Extent) => fragment.right - fragment.left;

/** On one line: their middles are closer together than half of the smaller height. */
export function onOneRow(a: Extent, b: Extent): boolean {
  return Math.abs(middleOf(a) - middleOf(b)) < 0.5 * Math.min(heightOf(a), heightOf(b));
}

/** Word gaps are narrower than this many line heights, except in justified text. */
const WIDEST_WORD_GAP = 0.9;

/** The cost of ordering a page so far, as a number of comparisons, independent of time. */
export class Effort {
  #looks = 0;
  #heardAt = 0;
  readonly #onwards: () => void;

  /** @param onwards is called repeatedly while the page is being ordered, and stops it by throwing. */
  constructor(onwards: () => void = () => {}) {
    this.#onwards = onwards;
  }

  get looks(): number {
    return this.#looks;
  }

  spend(looks: number): void {
    this.#looks += looks;
    if (this.#looks < this.#heardAt) return;
    this.#heardAt = this.#looks + LOOKS_BETWEEN;
    this.#onwards();
  }
}

/** Some milliseconds of work. */
const LOOKS_BETWEEN = 20_000;

/**
 * No page has as many items in one row, or as many lines beside one other. Thousands of overlapping boxes are not compared
 * one by one; those beyond this number are skipped.
 */
export const MAX_NEIGHBORS = 256;

/** Items of one band across the page, by their left edge; `reach`: the furthest right edge up to each of them. */
interface Band<Item> {
  /** Its place from the top of the page, in heights of its level. */
  number: number;
  items: Item[];
  reach: number[];
}

/** Bands of items of similar height, from the top of the page downwards. */
interface Level<Item> {
  height: number;
  bands: Band<Item>[];
}

/**
 * Items of a page by position, so that neighbors are found without a full search: a query for a row and the lines around it
 * concerns a few of thousands.
 */
export class Rows<Item extends Extent> {
  readonly #levels: readonly Level<Item>[];
  readonly #effort: Effort;

  constructor(items: readonly Item[], effort: Effort) {
    this.#effort = effort;
    const levels = new Map<number, Map<number, Band<Item>>>();
    for (const item of items.toSorted((a, b) => a.left - b.left)) {
      const height = levelOf(item);
      const bands = levels.get(height) ?? new Map<number, Band<Item>>();
      levels.set(height, bands);
      const number = Math.floor(middleOf(item) / height);
      const band = bands.get(number) ?? { number, items: [], reach: [] };
      bands.set(number, band);
      band.items.push(item);
      band.reach.push(Math.max(item.right, band.reach.at(-1) ?? item.right));
    }
    this.#levels = Array.from(levels, ([height, bands]) => ({
      height,
      bands: [...bands.values()].sort((a, b) => a.number - b.number),
    }));
    effort.spend(items.length);
  }

  /**
   * Visits every item whose middle is at least `top` and at most `bottom` and that may end right of `left`: band after band,
   * each from left to right until `visit` ends it.
   */
  visit(top: number, bottom: number, left: number, visit: (item: Item) => boolean): void {
    for (const { height, bands } of this.#levels) {
      const last = Math.floor(bottom / height);
      const first = firstIndex(bands, ({ number }) => number >= Math.floor(top / height));
      for (let place = first; place < bands.length; place++) {
        const { number, items, reach } = itemAt(bands, place);
        if (number > last) break;
        const from = firstIndex(reach, (furthest) => furthest >= left);
        const to = Math.min(items.length, from + MAX_NEIGHBORS);
        let at = from;
        for (; at < to; at++) {
          const item = itemAt(items, at);
          const middle = middleOf(item);
          if (middle >= top && middle <= bottom && visit(item)) break;
        }
        this.#effort.spend(at - from + 1);
      }
    }
  }
}

/** Items of one level differ in height by a factor of two at most: the next power of two. */
export function levelOf(item: Extent): number {
  return 2 ** Math.max(LOWEST_LEVEL, Math.ceil(Math.log2(heightOf(item))));
}

/** Bands are at least an eighth of a pixel high, even for items without a height. */
const LOWEST_LEVEL = -3;

/** The first index at which a monotone condition holds; the number of values where it never does. */
export function firstIndex<Value>(values: readonly Value[], holds: (value: Value) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const half = (low + high) >> 1;
    if (holds(itemAt(values, half))) high = half;
    else low = half + 1;
  }
  return low;
}

export function fragmentsOf(boxes: readonly TextBox[], effort: Effort): Fragment[] {
  const parts = boxes.map((box, index) => ({
    index,
    left: box.x,
    right: box.x + box.width,
    top: box.y,
    bottom: box.y + box.height,
    text: box.text ?? '',
  }));
  const rows = new Rows(parts, effort);
  const gaps = parts.flatMap((part) => gapAfter(part, rows) ?? []);
  const gutters = gapsInGutters(gaps, effort);
  const groups = new Map(parts.map((part) => [part, [part]]));
  for (const gap of gaps) {
    const height = Math.min(heightOf(gap.before), heightOf(gap.after));
    if (gap.to - gap.from > WIDEST_WORD_GAP * height || gutters.has(gap)) continue;
    const [group, other] = [required(groups.get(gap.before)), required(groups.get(gap.after))];
    if (group === other) continue;
    group.push(...other);
    for (const part of other) groups.set(part, group);
  }
  return [...new Set(groups.values())].map(fragmentOf);
}

function fragmentOf(parts: readonly Part[]): Fragment {
  const sorted = parts.toSorted((a, b) => a.left - b.left);
  return {
    parts: sorted,
    left: firstOf(sorted).left,
    right: Math.max(...parts.map((part) => part.right)),
    top: Math.min(...parts.map((part) => part.top)),
    bottom: Math.max(...parts.map((part) => part.bottom)),
    text: sorted.map((part) => part.text).join(' '),
  };
}

/** Lines up to this many of their heights above and below a gutter may be merged across it. */
const GUTTER_REACH = 6;

/**
 * The fragments, with those split that were merged across a gutter because a box reached into it; undefined when there are
 * none.
 */
export function partedAt(
  gutters: readonly Separator[],
  fragments: readonly Fragment[],
  effort: Effort,
): Fragment[] | undefined {
  const separators = new Separators(gutters, effort);
  let found = false;
  const parted = fragments.flatMap((fragment) => {
    const parts = fragment.parts.length > 1 ? partsAtOneOf(separators.beside(fragment), fragment) : undefined;
    found ||= parts !== undefined;
    return parts ?? [fragment];
  });
  return found ? parted : undefined;
}

function partsAtOneOf(gutters: readonly Separator[], fragment: Fragment): [Fragment, Fragment] | undefined {
  // A word space of a heading across both columns may lie anywhere, but hardly right in the gutter.
  const height = heightOf(fragment);
  for (const { from, to, top, bottom } of gutters) {
    // Beside the columns a box may be drawn too long; past their ends a line that reaches between them runs across.
    const isBeside = middleOf(fragment) > top && middleOf(fragment) < bottom;
    const slack = 1.2 * height;
    const into = isBeside ? slack : INTO_A_GUTTER * height;
    const isLeft = (part: Part) => part.left + part.right < from + to;
    const [left, right] = [fragment.parts.filter(isLeft), fragment.parts.filter((part) => !isLeft(part))];
    if (left.length === 0 || right.length === 0) continue;
    const edge = Math.max(...left.map((part) => part.right));
    const next = Math.min(...right.map((part) => part.left));
    if (Math.max(from - edge, next - to) < slack && edge - from < into && to - next < into)
      return [fragmentOf(left), fragmentOf(right)];
  }
  return undefined;
}

/** Separators by position across the page. */
class Separators {
  readonly #separators: { separator: Separator; place: number }[];
  /** Of all separators, ascending. */
  readonly #middles: number[];
  readonly #effort: Effort;

  constructor(separators: readonly Separator[], effort: Effort) {
    this.#effort = effort;
    this.#separators = separators
      .map((separator, place) => ({ separator, place }))
      .sort((a, b) => a.separator.from + a.separator.to - b.separator.from - b.separator.to);
    this.#middles = this.#separators.map(({ separator }) => (separator.from + separator.to) / 2);
  }

  /** Separators that a fragment may cross, in the given order. */
  beside(fragment: Fragment): Separator[] {
    const reach = GUTTER_REACH * heightOf(fragment);
    const from = firstIndex(this.#middles, (middle) => middle > fragment.left);
    const to = firstIndex(this.#middles, (middle) => middle > fragment.right);
    this.#effort.spend(to - from + 1);
    return this.#separators
      .slice(from, to)
      .filter(
        ({ separator }) =>
          fragment.top >= separator.top - reach && fragment.bottom <= separator.bottom + reach,
      )
      .sort((a, b) => a.place - b.place)
      .map(({ separator }) => separator);
  }
}

interface Gap {
  before: Part;
  after: Part;
  from: number;
  to: number;
}

/** The space up to the next box on the row; negative where boxes overlap. */
function gapAfter(fragment: Part, rows: Rows<Part>): Gap | undefined {
  const [middle, reach] = [middleOf(fragment), 0.5 * heightOf(fragment)];
  const center = (fragment.left + fragment.right) / 2;
  let after: Part | undefined;
  rows.visit(middle - reach, middle + reach, center, (other) => {
    if (after && other.left > after.left) return true;
    if (other === fragment || other.left + other.right <= fragment.left + fragment.right) return false;
    if (!onOneRow(fragment, other)) return false;
    // Of equal boxes, the one that was detected first.
    if (!after || other.left < after.left || other.index < after.index) after = other;
    return false;
  });
  return after && { before: fragment, after, from: fragment.right, to: after.left };
}

/**
 * Aligned gaps in three rows are a gutter, however narrow. They are open in one place: a word space at the edge of a gutter,
 * where the line above it is indented, does not belong to it.
 */
function gapsInGutters(gaps: readonly Gap[], effort: Effort): Set<Gap> {
  // Boxes are drawn a little wider than their ink and may close a narrow gutter.
  const openings = gaps
    .filter((gap) => gap.to > gap.from - 2 * slackOf(gap))
    .map((gap) => ({
      gap,
      left: gap.from,
      right: gap.to,
      top: gap.before.top,
      bottom: gap.before.bottom,
      text: '',
      above: undefined as Span | undefined,
      below: undefined as Span | undefined,
      chained: false,
    }))
    .sort((a, b) => middleOf(a) - middleOf(b));
  type Opening = (typeof openings)[number];
  const rows = new Rows(openings, effort);
  /**
   * Looks for openings above or below: the part that the widest one shares with this one, and whether a third one continues
   * it.
   */
  const chainFrom = (opening: Opening, down: boolean) => {
    const [middle, slack] = [middleOf(opening), 2 * slackOf(opening.gap)];
    // The smaller height of two counts, so that a fragment's own height is enough in both directions.
    const reach = 3 * heightOf(opening);
    let shared: Span | undefined;
    const look = (other: Opening) => {
      if (other.left > opening.right + slack) return true;
      const continues = down ? standsOver(opening, other) : standsOver(other, opening);
      if (!continues) return false;
      const both = sharedBy(opening, other);
      if (!shared || both.right - both.left > shared.right - shared.left) shared = both;
      const further = down ? other.below : other.above;
      opening.chained ||= further !== undefined && isOpen(sharedBy(opening, further), slack);
      return false;
    };
    rows.visit(down ? middle : middle - reach, down ? middle + reach : middle, opening.left - slack, look);
    return shared;
  };
  for (const opening of openings) opening.above = chainFrom(opening, false);
  for (const opening of openings.toReversed()) opening.below = chainFrom(opening, true);
  const inMiddle = ({ gap, above, below }: Opening) =>
    above !== undefined && below !== undefined && isOpen(sharedBy(above, below), 2 * slackOf(gap));
  return new Set(openings.filter((opening) => opening.chained || inMiddle(opening)).map(({ gap }) => gap));
}

interface Span {
  left: number;
  right: number;
}

const sharedBy = (a: Span, b: Span): Span => ({
  left: Math.max(a.left, b.left),
  right: Math.min(a.right, b.right),
});

const isOpen = ({ left, right }: Span, slack: number) => right - left + slack > 0;

/** Two openings of one gutter, the upper one first: they share some of their width, a line apart. */
function standsOver(upper: { gap: Gap } & Extent, lower: { gap: Gap } & Extent): boolean {
  const height = Math.min(heightOf(upper), heightOf(lower));
  const step = middleOf(lower) - middleOf(upper);
  const slack = Math.min(slackOf(upper.gap), slackOf(lower.gap));
  const shared = Math.min(upper.right, lower.right) - Math.max(upper.left, lower.left) + 2 * slack;
  if (step <= 0.5 * height || step >= 3 * height || shared <= 0) return false;
  const reach = INTO_A_GUTTER * height;
  return !isWordSpaceUnder(upper, lower, reach) && !isWordSpaceUnder(lower, upper, reach);
}

/** In line heights: the greatest overlap of a column's line with the gutter beside it. */
const INTO_A_GUTTER = 0.25;

/** A gap with text on both sides inside a wider one: a line below or above two columns runs across. */
function isWordSpaceUnder(wide: Extent, narrow: Extent, reach: number): boolean {
  return narrow.left - wide.left > reach && wide.right - narrow.right > reach;
}

const slackOf = (gap: Gap) => 0.15 * Math.min(heightOf(gap.before), heightOf(gap.after));
