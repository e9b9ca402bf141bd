/** Connectionist temporal classification: from chances at each step to characters, and back to how likely a text is. */
import type { Posteriors } from './paddle-head.ts';

const BLANK = 0;

export interface Decoded {
  class: number;
  /** The highest chance among the steps that belong to it, 0 to 1. */
  confidence: number;
  /** First and last step, both included. */
  from: number;
  to: number;
}

/** The likeliest class of each step, repetitions joined and blanks dropped. */
export function decodeGreedily({ steps, classes, logs }: Posteriors): Decoded[] {
  const decoded: Decoded[] = [];
  let previous = BLANK;
  for (let step = 0; step < steps; step++) {
    const row = step * classes;
    let best = BLANK;
    for (let index = 1; index < classes; index++) if (logs[row + index]! > logs[row + best]!) best = index;
    if (best !== BLANK) {
      const confidence = Math.exp(logs[row + best]!);
      const last = decoded.at(-1);
      if (last && best === previous) {
        last.to = step;
        last.confidence = Math.max(last.confidence, confidence);
      } else decoded.push({ class: best, confidence, from: step, to: step });
    }
    previous = best;
  }
  return decoded;
}

/**
 * The logarithm of the chance that steps `from` to `to` (excluded) say the classes of `target`, over all the ways
 * of spreading them; minus infinity when there are too few steps.
 */
export function logLikelihood(
  { classes, logs }: Posteriors,
  target: readonly number[],
  from: number,
  to: number,
): number {
  // States: blank, first, blank, second, … blank.
  const states = 2 * target.length + 1;
  const symbolOf = (state: number) => (state % 2 === 0 ? BLANK : target[state >> 1]!);
  let forward = new Float64Array(states).fill(Number.NEGATIVE_INFINITY);
  let next = new Float64Array(states);
  for (let step = from; step < to; step++) {
    const row = step * classes;
    for (let state = 0; state < states; state++) {
      const symbol = symbolOf(state);
      let sum: number;
      if (step === from) sum = state < 2 ? 0 : Number.NEGATIVE_INFINITY;
      else {
        sum = forward[state]!;
        if (state > 0) sum = logAdd(sum, forward[state - 1]!);
        // Between two different characters no blank is needed.
        if (state > 2 && symbol !== BLANK && symbol !== symbolOf(state - 2)) {
          sum = logAdd(sum, forward[state - 2]!);
        }
      }
      next[state] = sum + logs[row + symbol]!;
    }
    [forward, next] = [next, forward];
  }
  if (states === 1) return forward[0]!;
  return logAdd(forward[states - 1]!, forward[states - 2]!);
}

export function logAdd(a: number, b: number): number {
  if (a === Number.NEGATIVE_INFINITY) return b;
  if (b === Number.NEGATIVE_INFINITY) return a;
  return a > b ? a + Math.log1p(Math.exp(b - a)) : b + Math.log1p(Math.exp(a - b));
}
