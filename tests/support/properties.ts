import fc, { type IAsyncProperty } from 'fast-check';

/** Set for the wide run, which tests all inputs of a sweep; the default run tests a part of them. */
const IS_WHOLE = process.env.SWEEPS === 'whole';

/** Number of inputs in this run, of `runs`. */
export const drawnOf = (runs: number): number => (IS_WHOLE ? runs : Math.ceil(runs / 2));

/** Inputs of this run: `first` in the default run, `others` as well in the wide run. */
export const sweep = <Case>(first: readonly Case[], others: readonly Case[]): Case[] =>
  IS_WHOLE ? [...first, ...others] : [...first];

/**
 * Checks a property for random inputs: `runs` in the wide run, half as many in the default run. The seed is fixed, so that a
 * failure means a change; `npm run fuzz` uses other seeds. A failure reports its seed and the smallest failing input.
 */
export function holds<Drawn>(property: IAsyncProperty<Drawn>, runs: number): Promise<void> {
  return fc.assert(property, { seed: 20_261_122, numRuns: drawnOf(runs) });
}
