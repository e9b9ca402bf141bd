import { expect, test } from 'vitest';
import { type Alphabet, logLikelihood, type Posteriors, readingOf } from './ctc.ts';

const CHARACTERS = ['', ' ', 'a', 'o', '#'];
const alphabet: Alphabet = {
  characters: CHARACTERS,
  classOf: (text) => (CHARACTERS.indexOf(text) > 0 ? CHARACTERS.indexOf(text) : undefined),
};

/** A row of probabilities for each step; the classes without a name share the rest. */
function stepsOf(...rows: readonly Readonly<Record<string, number>>[]): Posteriors {
  const logs = rows.flatMap((row) => {
    const named = Object.values(row).reduce((sum, chance) => sum + chance, 0);
    const rest = (1 - named) / (CHARACTERS.length - Object.keys(row).length);
    return CHARACTERS.map((character) => Math.log(row[character] ?? rest));
  });
  return { steps: rows.length, classes: CHARACTERS.length, logs: Float32Array.from(logs) };
}

/** Steps of half a line height that read "ao". */
const reading = readingOf(stepsOf({ a: 0.92 }, { '': 0.92 }, { o: 0.92 }), alphabet, 0.5);
const likelihood = (text: string) => reading.likelihood!(text, 0, 1.5);

test('likelihood: a letter outside the alphabet counts as the letter without its accent, with a penalty', () => {
  // The mean over two characters, one of which is missing.
  expect(likelihood('ao') - likelihood('aö')).toBeCloseTo(1.5 / 2, 5);
  expect(likelihood('aö')).toBeGreaterThan(likelihood('oö'));
});

test('likelihood: a character without a base in the alphabet counts as any character in its place', () => {
  expect(likelihood('a≠')).toBeGreaterThan(likelihood('aa'));
  expect(likelihood('a≠')).toBeLessThan(likelihood('ao'));
});

test('likelihood: the wildcard fits ink and not the empty step between two letters', () => {
  const [blank, any] = [0, -1];
  const ink = stepsOf({ o: 0.92 });
  const empty = stepsOf({ '': 0.92 });
  expect(logLikelihood(ink, [any], 0, 1)).toBeCloseTo(Math.log(0.98), 4);
  expect(logLikelihood(empty, [any], 0, 1)).toBeCloseTo(Math.log(0.08), 4);
  expect(logLikelihood(empty, [], 0, 1)).toBeCloseTo(empty.logs[blank]!, 5);
});

test('likelihood: no text is less likely than the mean logarithm -20', () => {
  expect(likelihood('ao≠≠≠≠≠≠')).toBe(-20);
});

test('canWrite: true only where the alphabet has every character of the text', () => {
  expect(reading.canWrite!('aoa#')).toBe(true);
  expect(reading.canWrite!('')).toBe(true);
  expect(reading.canWrite!('aö')).toBe(false);
  expect(reading.canWrite!('😀')).toBe(false);
});

test('likeliestMark: the likeliest character of the span and its probability, although the blank is likelier', () => {
  const { likeliestMark } = readingOf(
    stepsOf({ '': 0.97 }, { '': 0.7, '#': 0.2 }, { '': 0.5, ' ': 0.4 }, { a: 0.9 }),
    alphabet,
    0.5,
  );
  const mark = likeliestMark!(0, 1.5);
  expect(mark?.text).toBe('#');
  expect(mark?.confidence).toBeCloseTo(0.2, 5);
  expect(likeliestMark!(1.5, 2)?.text).toBe('a');
});

test('likeliestMark: undefined if the span has no step', () => {
  expect(reading.likeliestMark!(9, 10)).toBeUndefined();
});
