/** The fold between two open pages side by side. */
import { median } from '../../page/geometry.ts';
import { type Effort, type Fragment, heightOf, widthOf } from './line-fragments.ts';
import type { TextColumn } from './text-columns.ts';

/** Of running text on a spread, width over height: a single page is hardly wider than high. */
const MIN_SPREAD = 1.1;
/** Greatest distance of the fold from the middle, as a share of the running text's width. */
const OFF_MIDDLE = 0.15;
/** The margins beside a fold, in line heights, are together wider than the space between columns. */
const MIN_MARGINS = 2;
/** They are this many times wider than any other such space on the two pages. */
const MIN_LEAD = 1.2;
/** Fewest lines of running text on a page. */
const MIN_LINES = 5;
/** A fragment narrower than this many of its heights may be a speck of the fold's shadow. */
const SPECK = 2;

/** Undefined except for a spread: running text on both sides, and nothing that crosses between them. */
export function pageSplitOf(
  fragments: readonly Fragment[],
  textColumns: readonly TextColumn[],
  effort: Effort,
): number | undefined {
  const prose = textColumns
    .filter((textColumn) => textColumn.prose)
    .flatMap((textColumn) => textColumn.fragments);
  if (prose.length < 2 * MIN_LINES) return undefined;
  effort.spend(fragments.length);
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const fragment of prose) {
    left = Math.min(left, fragment.left);
    right = Math.max(right, fragment.right);
    top = Math.min(top, fragment.top);
    bottom = Math.max(bottom, fragment.bottom);
  }
  const width = right - left;
  if (width < MIN_SPREAD * (bottom - top)) return undefined;
  const [from, to] = [left + (0.5 - OFF_MIDDLE) * width, left + (0.5 + OFF_MIDDLE) * width];
  const separators = separatorsOf(fragments, from, to).sort((a, b) => widthIn(b) - widthIn(a));
  const separator = separators.find((one) => middleIn(one) > from && middleIn(one) < to);
  if (!separator || widthIn(separator) < MIN_MARGINS * median(prose.map(heightOf))) return undefined;
  // Among many columns with equal distances, none is a page's last.
  if (separators.some((one) => one !== separator && widthIn(one) * MIN_LEAD > widthIn(separator)))
    return undefined;
  const fold = middleIn(separator);
  const before = prose.filter((fragment) => fragment.right < fold).length;
  return Math.min(before, prose.length - before) < MIN_LINES ? undefined : fold;
}

interface Separator {
  from: number;
  to: number;
}

const widthIn = ({ from, to }: Separator) => to - from;
const middleIn = ({ from, to }: Separator) => (from + to) / 2;

/** Separators from top to bottom; specks between `from` and `to` are ignored. */
function separatorsOf(fragments: readonly Fragment[], from: number, to: number): Separator[] {
  const separators: Separator[] = [];
  let reached: number | undefined;
  for (const fragment of fragments.toSorted((a, b) => a.left - b.left)) {
    if (widthOf(fragment) < SPECK * heightOf(fragment) && fragment.left > from && fragment.right < to)
      continue;
    if (reached !== undefined && fragment.left > reached)
      separators.push({ from: reached, to: fragment.left });
    reached = Math.max(reached ?? fragment.right, fragment.right);
  }
  return separators;
}
