/** Rows of lines that are read across. */
import { lastOf } from '../../checked.ts';
import {
  type Effort,
  type Fragment,
  heightOf,
  levelOf,
  MAX_NEIGHBORS,
  middleOf,
  onOneRow,
} from './line-fragments.ts';

/** Lines read across: fragments of one row from left to right, rows downwards. Rows may climb or sag a little. */
export function rowsOf(fragments: readonly Fragment[], effort: Effort): Fragment[][] {
  const rows: Row[] = [];
  const ends = new RowEnds(effort);
  for (const fragment of fragments.toSorted((a, b) => a.left - b.left)) {
    let best: Row | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const row of ends.near(fragment)) {
      const last = lastOf(row.fragments);
      const distance = Math.abs(middleOf(last) - middleOf(fragment));
      const overlapping =
        last.right - fragment.left > 0.5 * Math.min(last.right - last.left, fragment.right - fragment.left);
      if (!onOneRow(last, fragment) || overlapping) continue;
      // Of two equally near rows, the one that started first.
      if (distance > least || (best && distance === least && row.number > best.number)) continue;
      best = row;
      least = distance;
    }
    const row = best ?? { number: rows.length, fragments: [] };
    if (!best) rows.push(row);
    ends.move(row, row.fragments.at(-1), fragment);
    row.fragments.push(fragment);
  }
  const yOf = (row: readonly Fragment[]) =>
    row.reduce((sum, fragment) => sum + middleOf(fragment), 0) / row.length;
  return rows
    .map((row) => ({ row: row.fragments, y: yOf(row.fragments) }))
    .sort((a, b) => a.y - b.y)
    .map(({ row }) => row);
}

interface Row {
  /** How many rows started before it. */
  number: number;
  fragments: Fragment[];
}

/** Rows by the position of their last fragments: in bands of fragments of similar height. */
class RowEnds {
  readonly #levels = new Map<number, Map<number, Set<Row>>>();
  readonly #effort: Effort;

  constructor(effort: Effort) {
    this.#effort = effort;
  }

  move(row: Row, from: Fragment | undefined, to: Fragment): void {
    if (from) this.#bandOf(from).delete(row);
    this.#bandOf(to).add(row);
  }

  /** Rows whose last fragment may be on one row with this one, in no order. */
  *near(fragment: Fragment): Generator<Row> {
    for (const [height, bands] of this.#levels) {
      // The smaller height of two counts.
      const reach = 0.5 * Math.min(heightOf(fragment), height);
      const last = Math.floor((middleOf(fragment) + reach) / height);
      for (let band = Math.floor((middleOf(fragment) - reach) / height); band <= last; band++) {
        let seen = 0;
        for (const row of bands.get(band) ?? []) {
          if (seen++ >= MAX_NEIGHBORS) break;
          this.#effort.spend(1);
          yield row;
        }
      }
    }
  }

  #bandOf(fragment: Fragment): Set<Row> {
    const height = levelOf(fragment);
    const bands = this.#levels.get(height) ?? new Map<number, Set<Row>>();
    this.#levels.set(height, bands);
    const band = Math.floor(middleOf(fragment) / height);
    const rows = bands.get(band) ?? new Set<Row>();
    bands.set(band, rows);
    return rows;
  }
}
