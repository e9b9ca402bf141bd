/** Tables of a page, ruled and unruled. */
import { firstOf, itemAt, lastOf, pairwise } from '../../checked.ts';
import { median } from '../../page/geometry.ts';
import { isProse } from '../order/text-columns.ts';
import { holds, ruledTables } from './ruled-tables.ts';
import type { Rules } from './rules.ts';
import { type FoundTable, type PlacedWord, rightOf, textOf } from './table-parts.ts';
import { unruledTables } from './unruled-tables.ts';

/**
 * @param lines words of each line, in reading order
 * @param blocks the text column of each line, from the ordering
 */
export function findTables(
  lines: readonly (readonly PlacedWord[])[],
  blocks: readonly number[],
  rules: Rules,
): FoundTable[] {
  const words = lines.flat();
  if (words.length < 4) return [];
  const height = median(words.map(({ box }) => box.height));
  const drawn = ruledTables(rules, words, height);
  const running = proseOf(lines, blocks);
  const free = words.filter((word) => !running.has(word.line) && !drawn.some((table) => holds(table, word)));
  const isSeparated = (top: number, bottom: number) =>
    drawn.some(({ rows }) => {
      const middle = (firstOf(rows) + lastOf(rows)) / 2;
      return middle > top && middle < bottom;
    });
  return [...drawn, ...unruledTables(free, rules, isSeparated)].sort(
    (a, b) => firstOf(a.rows) - firstOf(b.rows),
  );
}

/** Lines of running text, which is never part of a table. */
function proseOf(lines: readonly (readonly PlacedWord[])[], blocks: readonly number[]): Set<number> {
  const grouped = new Map<number, number[]>();
  for (const [line, block] of blocks.entries()) {
    const members = grouped.get(block) ?? [];
    members.push(line);
    grouped.set(block, members);
  }
  const running = new Set<number>();
  for (const members of grouped.values()) {
    const extents = members.flatMap((line) => {
      const words = itemAt(lines, line);
      if (words.length === 0) return [];
      const left = Math.min(...words.map(({ box }) => box.x));
      const right = Math.max(...words.map(({ box }) => rightOf(box)));
      const tops = words.map(({ box }) => box.y);
      const height = median(words.map(({ box }) => box.height));
      const top = Math.min(...tops);
      const wide = pairwise(words).some(([before, word]) => word.box.x - rightOf(before.box) > 1.2 * height);
      return [
        { left, right, top, bottom: top + height, text: textOf([...words]), words: words.length, wide },
      ];
    });
    if (extents.length < 3) continue;
    const often = median(extents.map(({ words: count }) => count));
    const wide = extents.filter((extent) => extent.wide).length;
    if (often >= 4 && wide <= 0.2 * extents.length && isProse(extents))
      for (const line of members) running.add(line);
  }
  return running;
}

/** 0 to 1: the chance that a cell of a table is in its right place, found on the tuning set. */
export function certaintyOf({ drawn, rows, columns }: FoundTable): number {
  if (drawn) return 0.96;
  const [height, width] = [rows.length - 1, columns.length - 1];
  return height >= 6 && width >= 3 ? 0.96 : height * width >= 12 ? 0.8 : 0.5;
}
