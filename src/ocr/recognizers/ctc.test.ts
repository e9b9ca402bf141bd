import { describe, expect, it } from 'vitest';
import { decodeGreedily, logLikelihood, type Posteriors, readingOf } from './ctc.ts';

/** Class 0 is the blank; each row holds the probabilities of one step. */
function posteriors(rows: readonly (readonly number[])[]): Posteriors {
  return { steps: rows.length, classes: rows[0]!.length, logs: Float32Array.from(rows.flat(), Math.log) };
}

describe('decodeGreedily', () => {
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

  it('lowers the confidence of a character with a possible third one beside it', () => {
    const [clear, unclear] = [0, 0.6].map((third) =>
      decodeGreedily(
        posteriors([
          [0.05, 0.95, 0, 0],
          [1 - third, 0, 0, third],
          [0.05, 0, 0.95, 0],
        ]),
      ),
    );
    expect(clear!.map(({ confidence }) => confidence.toFixed(2))).toEqual(['0.95', '0.95']);
    expect(unclear!.map(({ class: index }) => index)).toEqual([1, 3, 2]);
    expect(Math.max(...unclear!.map(({ confidence }) => confidence))).toBeLessThanOrEqual(0.95);
    expect(unclear![1]!.confidence).toBeCloseTo(0.6);
  });
});

describe('logLikelihood', () => {
  const even = posteriors([
    [0.5, 0.3, 0.2],
    [0.5, 0.3, 0.2],
  ]);

  it('sums over all alignments of a text with the steps', () => {
    // "a" over two steps: a blank, blank a, a a.
    expect(Math.exp(logLikelihood(even, [1], 0, 2))).toBeCloseTo(0.3 * 0.5 + 0.5 * 0.3 + 0.3 * 0.3);
  });

  it('sums to one over all texts', () => {
    const texts = [[], [1], [2], [1, 2], [2, 1]];
    const sum = texts.reduce((total, text) => total + Math.exp(logLikelihood(even, text, 0, 2)), 0);
    expect(sum).toBeCloseTo(1);
  });

  it('is zero for a text that needs more steps', () => {
    expect(logLikelihood(even, [1, 1], 0, 2)).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe('readingOf', () => {
  const characters = ['', ' ', 'a', 'b'];
  const alphabet = { characters, classOf: (text: string) => characters.indexOf(text) };
  /** The steps of "a b", with high confidence. */
  const steps = posteriors(
    [1, 2, 1, 3, 1].map((index) => characters.map((_, other) => (other === index ? 0.97 : 0.01))),
  );

  it('has characters at their places, and none for spaces', () => {
    const { glyphs } = readingOf(steps, alphabet, 0.5);
    expect(glyphs).toMatchObject([
      { text: 'a', center: 0.75, startsWord: true },
      { text: 'b', center: 1.75, startsWord: true },
    ]);
  });

  it('gives a word a high likelihood whatever the space around it', () => {
    const { likelihood } = readingOf(steps, alphabet, 0.5);
    expect(likelihood!('a', 0, 1.5)).toBeGreaterThan(-0.15);
    expect(likelihood!('b', 0, 1.5)).toBeLessThan(-3);
  });

  it('answers for the very end of a line, and for characters outside the alphabet', () => {
    const { likelihood } = readingOf(steps, alphabet, 0.5);
    expect(likelihood!('a', 7, 9)).toBeLessThan(0);
    expect(likelihood!('a', 7, 9)).toBeGreaterThan(-20);
    const without = { ...alphabet, classOf: () => undefined };
    // Any character may stand there; this one cannot be confirmed.
    const lacking = readingOf(steps, without, 0.5);
    expect(lacking.likelihood!('a', 0, 1)).toBeCloseTo(-1.5, 2);
    expect(lacking.canWrite!('a')).toBe(false);
  });
});
