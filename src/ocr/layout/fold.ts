/** Where two pages that lie open beside each other meet. */
import { median } from '../page/geometry.ts';
import { type Effort, heightOf, type Piece, widthOf } from './order-pieces.ts';
import type { Strand } from './order-strands.ts';

/** Of running text on two pages beside each other, width over height: each alone is hardly wider than high. */
const LEAST_SPREAD = 1.1;
/** The fold lies about in the middle: this far from it, as a share of the running text's width. */
const OFF_MIDDLE = 0.15;
/** The margins beside a fold, in line heights, are together wider than the space between columns. */
const LEAST_MARGINS = 2;
/** They are this many times wider than any other such space on the two pages. */
const LEAST_LEAD = 1.2;
/** Lines of running text that a page has at least. */
const LEAST_LINES = 5;
/** What is narrower than this many of its heights may be a speck of the fold's shadow. */
const SPECK = 2;

/** Undefined for everything but a spread: running text on both sides, and nothing that crosses between them. */
export function foldOf(
  pieces: readonly Piece[],
  strands: readonly Strand[],
  effort: Effort,
): number | undefined {
  const prose = strands.filter((strand) => strand.prose).flatMap((strand) => strand.pieces);
  if (prose.length < 2 * LEAST_LINES) return undefined;
  effort.spend(pieces.length);
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const piece of prose) {
    left = Math.min(left, piece.left);
    right = Math.max(right, piece.right);
    top = Math.min(top, piece.top);
    bottom = Math.max(bottom, piece.bottom);
  }
  const width = right - left;
  if (width < LEAST_SPREAD * (bottom - top)) return undefined;
  const [from, to] = [left + (0.5 - OFF_MIDDLE) * width, left + (0.5 + OFF_MIDDLE) * width];
  const slits = slitsOf(pieces, from, to).sort((a, b) => widthIn(b) - widthIn(a));
  const slit = slits.find((one) => middleIn(one) > from && middleIn(one) < to);
  if (!slit || widthIn(slit) < LEAST_MARGINS * median(prose.map(heightOf))) return undefined;
  // Among many columns as far apart as each other none is a page's last.
  if (slits.some((one) => one !== slit && widthIn(one) * LEAST_LEAD > widthIn(slit))) return undefined;
  const fold = middleIn(slit);
  const before = prose.filter((piece) => piece.right < fold).length;
  return Math.min(before, prose.length - before) < LEAST_LINES ? undefined : fold;
}

interface Slit {
  from: number;
  to: number;
}

const widthIn = ({ from, to }: Slit) => to - from;
const middleIn = ({ from, to }: Slit) => (from + to) / 2;

/** Stretches without text from top to bottom; specks between `from` and `to` are passed over. */
function slitsOf(pieces: readonly Piece[], from: number, to: number): Slit[] {
  const slits: Slit[] = [];
  let reached: number | undefined;
  for (const piece of pieces.toSorted((a, b) => a.left - b.left)) {
    if (widthOf(piece) < SPECK * heightOf(piece) && piece.left > from && piece.right < to) continue;
    if (reached !== undefined && piece.left > reached) slits.push({ from: reached, to: piece.left });
    reached = Math.max(reached ?? piece.right, piece.right);
  }
  return slits;
}
