/** Aligns two readings of one line, character by character. */

/** Characters that are confused with one another; a pairing within a group costs half. */
const LOOK_ALIKES = [
  '0OoDQ',
  '1lI|!i',
  '5S$s',
  '8B',
  '2Zz',
  '6Gb',
  '9gq',
  ',.',
  "‘'`’",
  '“”"',
  '-—–_~',
  'cC',
  'uU',
  'vV',
  'wW',
  'xX',
  'pP',
  'kK',
  'mM',
  'yY',
  'fF',
  'jJ',
  '({[',
  ')}]',
  'rn',
  ':;',
];

/** Cost of an unpaired character; two of them cost more than any pairing. */
const GAP = 0.9;
/** Characters further apart than this on the line, in line heights, are not the same ink. */
const APART = 1.2;
const APART_COST = 0.6;

const groupsOf = new Map<string, Set<number>>();
for (const [group, characters] of LOOK_ALIKES.entries()) {
  for (const character of characters) {
    const groups = groupsOf.get(character) ?? new Set();
    groupsOf.set(character, groups.add(group));
  }
}

/** 0 for the same character, 1 for two that have nothing in common. */
export function dissimilarity(a: string, b: string): number {
  if (a === b) return 0;
  if (a.toLowerCase() === b.toLowerCase()) return 0.3;
  const others = groupsOf.get(b);
  for (const group of groupsOf.get(a) ?? []) if (others?.has(group)) return 0.5;
  return 1;
}

/** A character and the place of its center on the line, in line heights. */
export interface Placed {
  text: string;
  center: number;
}

/** An index into each reading, or -1 where a reading has no counterpart. */
export type Pair = readonly [first: number, second: number];

export interface Alignment {
  pairs: Pair[];
  /** 0 to 1: similarity of the readings. */
  similarity: number;
}

/** The cheapest alignment by dynamic programming, in time and space of the product of both lengths. */
export function align(first: readonly Placed[], second: readonly Placed[]): Alignment {
  const columns = second.length + 1;
  const cost = new Float32Array((first.length + 1) * columns);
  for (let i = 1; i <= first.length; i++) cost[i * columns] = i * GAP;
  for (let j = 1; j < columns; j++) cost[j] = j * GAP;
  const pairing = (i: number, j: number): number => {
    const a = first[i - 1]!;
    const b = second[j - 1]!;
    return dissimilarity(a.text, b.text) + (Math.abs(a.center - b.center) > APART ? APART_COST : 0);
  };
  for (let i = 1; i <= first.length; i++) {
    for (let j = 1; j < columns; j++) {
      const at = i * columns + j;
      cost[at] = Math.min(
        cost[at - columns - 1]! + pairing(i, j),
        cost[at - columns]! + GAP,
        cost[at - 1]! + GAP,
      );
    }
  }
  const pairs: Pair[] = [];
  let i = first.length;
  let j = second.length;
  while (i > 0 || j > 0) {
    const at = i * columns + j;
    const here = cost[at]!;
    if (i > 0 && j > 0 && Math.abs(here - cost[at - columns - 1]! - pairing(i, j)) < 1e-3)
      pairs.push([--i, --j]);
    else if (i > 0 && Math.abs(here - cost[at - columns]! - GAP) < 1e-3) pairs.push([--i, -1]);
    else pairs.push([-1, --j]);
  }
  const longest = Math.max(1, first.length, second.length);
  return { pairs: pairs.reverse(), similarity: 1 - cost.at(-1)! / longest };
}
