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
  const rows: Fragment[][] = [];
  const ends = new RowEnds(effort);
  for (const fragment of fragments.toSorted((a, b) => a.left - b.left)) {
    let best: number | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const number of ends.near(fragment)) {
      const last = lastOf(rows[number]!);
      const distance = Math.abs(middleOf(last) - middleOf(fragment));
      const overlapping =
        last.right - fragment.left > 0.5 * Math.min(last.right - last.left, fragment.right - fragment.left);
      if (!onOneRow(last, fragment) || overlapping) continue;
      // Of two equally near rows, the one that started first.
      if (distance > least || (distance === least && number > best!)) continue;
      best = number;
      least = distance;
    }
    const number = best ?? rows.length;
    if (best === undefined) rows.push([]);
    ends.move(number, rows[number]!.at(-1), fragment);
    rows[number]!.push(fragment);
  }
  const yOf = (row: readonly Fragment[]) =>
    row.reduce((sum, fragment) => sum + middleOf(fragment), 0) / row.length;
  return rows
    .map((row) => ({ row, y: yOf(row) }))
    .sort((a, b) => a.y - b.y)
    .map(({ row }) => row);
}

/** The numbers of rows by the position of their last fragments: in bands of fragments of similar height. */
class RowEnds {
  readonly #levels = new Map<number, Map<number, Set<number>>>();
  readonly #effort: Effort;

  constructor(effort: Effort) {
    this.#effort = effort;
  }

  move(number: number, from: Fragment | undefined, to: Fragment): void {
    if (from) this.#bandOf(from).delete(number);
    this.#bandOf(to).add(number);
  }

  /** Rows whose last fragment may be on one row with this one, in no order. */
  *near(fragment: Fragment): Generator<number> {
    for (const [height, bands] of this.#levels) {
      // The smaller height of two counts.
      const reach = 0.5 * Math.min(heightOf(fragment), height);
      const last = Math.floor((middleOf(fragment) + reach) / height);
      for (let band = Math.floor((middleOf(fragment) - reach) / height); band <= last; band++) {
        let seen = 0;
        for (const number of bands.get(band) ?? []) {
          if (seen++ >= MAX_NEIGHBORS) break;
          this.#effort.spend(1);
          yield number;
        }
      }
    }
  }

  #bandOf(fragment: Fragment): Set<number> {
    const height = levelOf(fragment);
    const bands = this.#levels.get(height) ?? new Map<number, Set<number>>();
    this.#levels.set(height, bands);
    const band = Math.floor(middleOf(fragment) / height);
    const numbers = bands.get(band) ?? new Set<number>();
    bands.set(band, numbers);
    return numbers;
  }
}
