/** Chance that repeats: the same seed gives the same pictures on every machine. */
export interface Random {
  /** A number of [0, 1). */
  next(): number;
  between(least: number, most: number): number;
  whole(least: number, most: number): number;
  of<T>(choices: readonly T[]): T;
  chance(share: number): boolean;
  /** Normally distributed around 0. */
  normal(deviation: number): number;
}

/** The generator is mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (least, most) => least + (most - least) * next(),
    whole: (least, most) => least + Math.floor((most - least + 1) * next()),
    of: (choices) => choices[Math.floor(choices.length * next())]!,
    chance: (share) => next() < share,
    normal: (deviation) => deviation * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}
