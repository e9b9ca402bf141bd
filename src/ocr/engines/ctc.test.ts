import { describe, expect, it } from 'vitest';
import { decodeGreedily, logLikelihood } from './ctc.ts';
import type { Posteriors } from './paddle-head.ts';

/** Class 0 is the blank; each row holds the chances of one step. */
function posteriors(rows: readonly (readonly number[])[]): Posteriors {
  return { steps: rows.length, classes: rows[0]!.length, logs: Float32Array.from(rows.flat(), Math.log) };
}

describe('greedy decoding', () => {
  it('joins repeated characters and drops blanks', () => {
    const decoded = decodeGreedily(
      posteriors([
        [0.1, 0.8, 0.1],
        [0.1, 0.9, 0.0],
        [0.9, 0.1, 0.0],
        [0.2, 0.8, 0.0],
        [0.3, 0.0, 0.7],
      ]),
    );
    expect(decoded.map(({ class: index, from, to }) => [index, from, to])).toEqual([
      [1, 0, 1],
      [1, 3, 3],
      [2, 4, 4],
    ]);
    expect(decoded[0]!.confidence).toBeCloseTo(0.9);
  });
});

describe('the likelihood of a text', () => {
  const even = posteriors([
    [0.5, 0.3, 0.2],
    [0.5, 0.3, 0.2],
  ]);

  it('adds up all the ways of spreading it over the steps', () => {
    // "a" over two steps: a blank, blank a, a a.
    expect(Math.exp(logLikelihood(even, [1], 0, 2))).toBeCloseTo(0.3 * 0.5 + 0.5 * 0.3 + 0.3 * 0.3);
  });

  it('of all texts together is one', () => {
    const texts = [[], [1], [2], [1, 2], [2, 1]];
    const sum = texts.reduce((total, text) => total + Math.exp(logLikelihood(even, text, 0, 2)), 0);
    expect(sum).toBeCloseTo(1);
  });

  it('is nil for a text that needs more steps', () => {
    expect(logLikelihood(even, [1, 1], 0, 2)).toBe(Number.NEGATIVE_INFINITY);
  });
});
