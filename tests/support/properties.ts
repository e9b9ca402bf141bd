import fc, { type IAsyncProperty } from 'fast-check';

/** Set for the wide run, which goes through all inputs of a sweep; the gate goes through a part of them. */
const IS_WHOLE = process.env.SWEEPS === 'whole';

/** How many inputs this run draws of `runs`. */
export const drawnOf = (runs: number): number => (IS_WHOLE ? runs : Math.ceil(runs / 2));

/** What this run goes through: `first` in the gate, `others` as well in the wide run. */
export const sweep = <Case>(first: readonly Case[], others: readonly Case[]): Case[] =>
  IS_WHOLE ? [...first, ...others] : [...first];

/**
 * Demands that a property holds for drawn inputs: `runs` in the wide run, half as many in the gate. Both draw the same
 * ones every time, so that a failure means a change; `npm run fuzz` draws others. A failure names its seed and the
 * smallest input that fails.
 */
export function holds<Drawn>(property: IAsyncProperty<Drawn>, runs: number): Promise<void> {
  return fc.assert(property, { seed: 20_261_122, numRuns: drawnOf(runs) });
}
