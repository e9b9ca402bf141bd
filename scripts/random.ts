/** A deterministic random number generator: the same seed gives the same sequence on every machine. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  between(min: number, max: number): number;
  whole(min: number, max: number): number;
  of<T>(choices: readonly T[]): T;
  chance(probability: number): boolean;
  /** Normally distributed around 0. */
  normal(deviation: number): number;
}

/** Creates a mulberry32 generator. */
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
    between: (min, max) => min + (max - min) * next(),
    whole: (min, max) => min + Math.floor((max - min + 1) * next()),
    of: (choices) => choices[Math.floor(choices.length * next())]!,
    chance: (probability) => next() < probability,
    normal: (deviation) => deviation * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}
