/** Puts pieces that stand side by side into one row, and rows from top to bottom. */
import type { Piece } from './place.ts';

/** Pieces whose heights overlap by this share of the lower one stand in one row. */
const SAME_ROW = 0.5;

export function rowsOf(pieces: readonly Piece[]): Piece[][] {
  const rows: Piece[][] = [];
  for (const piece of [...pieces].sort((a, b) => middleOf(a) - middleOf(b))) {
    const row = rows.findLast((candidate) => standsIn(candidate, piece));
    if (row) row.push(piece);
    else rows.push([piece]);
  }
  for (const row of rows) row.sort((a, b) => a.upright.x - b.upright.x);
  return rows;
}

const middleOf = ({ upright }: Piece): number => upright.y + upright.height / 2;

/** Judged by the nearest piece of the row: over a wide page rows may bend. */
function standsIn(row: readonly Piece[], piece: Piece): boolean {
  const distance = (other: Piece) => Math.abs(other.upright.x - piece.upright.x);
  const { upright: near } = row.reduce((a, b) => (distance(b) < distance(a) ? b : a));
  const own = piece.upright;
  const shared = Math.min(near.y + near.height, own.y + own.height) - Math.max(near.y, own.y);
  const aside = Math.min(near.x + near.width, own.x + own.width) - Math.max(near.x, own.x);
  return (
    shared > SAME_ROW * Math.min(near.height, own.height) && aside < 0.3 * Math.min(near.width, own.width)
  );
}
