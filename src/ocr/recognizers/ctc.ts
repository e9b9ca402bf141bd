/**
 * Connectionist temporal classification: decodes the probabilities of each step to characters, and computes the likelihood
 * of a text.
 */
import type { Glyph, LineReading } from '../reading/recognizer.ts';
import { baseOf } from '../reading/word-shape.ts';

/** The probability of each character at each step of a line. */
export interface Posteriors {
  steps: number;
  classes: number;
  /** Natural logarithms, row by row: `steps` × `classes`. */
  logs: Float32Array;
}

/** The characters of a network's classes. */
export interface Alphabet {
  /** By class. The blank is class 0 and an empty string, as is a class without text. */
  readonly characters: readonly string[];
  /** Undefined for a character without a class. */
  classOf(character: string): number | undefined;
}

const BLANK = 0;
/** The least mean log-probability that `likelihood` returns. */
const IMPOSSIBLE = -20;
/**
 * The penalty for a character outside the alphabet, as a natural logarithm. It counts as its base letter, or as any character
 * where that is missing too: a network without "ö" can still rate how well "o" fits there.
 */
const LACKING = 1.5;
/** The class of a wildcard: any character but the blank. */
const ANY = -1;

/**
 * The reading of a line from a network's output.
 * @param posteriors log-probabilities, `steps` rows of `classes`
 * @param stepWidth in line heights
 */
export function readingOf(posteriors: Posteriors, alphabet: Alphabet, stepWidth: number): LineReading {
  return {
    glyphs: glyphsOf(posteriors, alphabet, stepWidth),
    likelihood: (text, from, to) =>
      meanLikelihood(posteriors, alphabet, text, from / stepWidth, to / stepWidth),
    canWrite: (text) => [...text].every((character) => alphabet.classOf(character) !== undefined),
    likeliestMark: (from, to) => likeliestMark(posteriors, alphabet, from / stepWidth, to / stepWidth),
  };
}

function glyphsOf(posteriors: Posteriors, { characters }: Alphabet, stepWidth: number): Glyph[] {
  const glyphs: Glyph[] = [];
  let spaced = false;
  for (const { class: index, confidence, from, to } of decodeGreedily(posteriors)) {
    const text = characters[index] ?? '';
    if (text === ' ') spaced = true;
    if (text === ' ' || text === '') continue;
    const center = ((from + to + 1) / 2) * stepWidth;
    glyphs.push({ text, confidence, center, startsWord: spaced || glyphs.length === 0 });
    spaced = false;
  }
  return glyphs;
}

/**
 * The likeliest character except the blank and the space between two positions, in steps, and its probability, 0 to 1.
 */
function likeliestMark(
  { steps, classes, logs }: Posteriors,
  { characters }: Alphabet,
  from: number,
  to: number,
): { text: string; confidence: number } | undefined {
  let best = { text: '', log: Number.NEGATIVE_INFINITY };
  for (let step = Math.max(0, Math.floor(from)); step < Math.min(steps, Math.ceil(to)); step++) {
    for (let index = 1; index < classes; index++) {
      const log = logs[step * classes + index]!;
      if (log > best.log) {
        const text = characters[index] ?? '';
        if (text.trim() !== '') best = { text, log };
      }
    }
  }
  return best.text === '' ? undefined : { text: best.text, confidence: Math.exp(best.log) };
}

function meanLikelihood(
  posteriors: Posteriors,
  alphabet: Alphabet,
  text: string,
  from: number,
  to: number,
): number {
  const target: number[] = [];
  for (const character of text) {
    target.push(alphabet.classOf(character) ?? alphabet.classOf(baseOf(character)) ?? ANY);
  }
  // A text that only the other recognizer saw may lie at the very end.
  const last = Math.max(1, Math.min(posteriors.steps, Math.ceil(to)));
  const first = Math.max(0, Math.min(last - 1, Math.floor(from)));
  const lacking = [...text].filter((character) => alphabet.classOf(character) === undefined).length;
  const log = logLikelihood(posteriors, target, first, last, alphabet.classOf(' ')) - lacking * LACKING;
  return Math.max(IMPOSSIBLE, log / Math.max(1, target.length));
}

export interface Decoded {
  class: number;
  /**
   * 0 to 1: the probability at the step where it is highest, or less if a step between it and its neighbors may be another
   * character.
   */
  confidence: number;
  /** First and last step, both included. */
  from: number;
  to: number;
}

/** The likeliest class of each step, repetitions joined and blanks dropped. */
export function decodeGreedily(posteriors: Posteriors): Decoded[] {
  const { steps, classes, logs } = posteriors;
  const peaks: Peak[] = [];
  let previous = BLANK;
  for (let step = 0; step < steps; step++) {
    const row = step * classes;
    let best = BLANK;
    for (let index = 1; index < classes; index++) if (logs[row + index]! > logs[row + best]!) best = index;
    if (best !== BLANK) {
      const last = peaks.at(-1);
      if (last && best === previous) {
        last.to = step;
        if (logs[row + best]! > logs[last.at * classes + best]!) last.at = step;
      } else peaks.push({ class: best, from: step, to: step, at: step });
    }
    previous = best;
  }
  let before = betweenPeaks(posteriors, undefined, peaks[0]);
  return peaks.map((peak, index) => {
    const after = betweenPeaks(posteriors, peak, peaks[index + 1]);
    const confidence = Math.min(before, chance(posteriors, peak.at, peak.class), after);
    before = after;
    return { class: peak.class, confidence, from: peak.from, to: peak.to };
  });
}

/** `at`: the step at which a character is clearest. */
type Peak = Pick<Decoded, 'class' | 'from' | 'to'> & { at: number };

/** How far the least clear step between two characters rules out anything but them and the blank. */
function betweenPeaks(posteriors: Posteriors, left: Peak | undefined, right: Peak | undefined): number {
  let least = 1;
  const end = right?.at ?? posteriors.steps;
  for (let step = left ? left.at + 1 : 0; step < end; step++) {
    let sum = chance(posteriors, step, BLANK);
    if (left) sum += chance(posteriors, step, left.class);
    if (right && right.class !== left?.class) sum += chance(posteriors, step, right.class);
    least = Math.min(least, sum);
  }
  return least;
}

const chance = ({ logs, classes }: Posteriors, step: number, index: number): number =>
  Math.exp(logs[step * classes + index]!);

/**
 * The log-probability that steps `from` to `to` (excluded) read as the classes of `target`, summed over all alignments;
 * minus infinity if there are too few steps. A class of -1 stands for any class but the blank.
 * @param space the class that may stand wherever a blank may: the steps around a word may be those of its neighbors
 */
export function logLikelihood(
  { classes, logs }: Posteriors,
  target: readonly number[],
  from: number,
  to: number,
  space?: number,
): number {
  // States: blank, first, blank, second, … blank.
  const states = 2 * target.length + 1;
  const symbolOf = (state: number) => (state % 2 === 0 ? BLANK : target[state >> 1]!);
  const chanceOf = (row: number, symbol: number) => {
    if (symbol !== ANY) return logs[row + symbol]!;
    // Any class but the blank.
    return Math.log(Math.max(1e-9, 1 - Math.exp(logs[row + BLANK]!)));
  };
  let forward = new Float64Array(states).fill(Number.NEGATIVE_INFINITY);
  let next = new Float64Array(states);
  for (let step = from; step < to; step++) {
    const row = step * classes;
    const blank = space === undefined ? logs[row]! : logAdd(logs[row]!, logs[row + space]!);
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
      next[state] = sum + (symbol === BLANK ? blank : chanceOf(row, symbol));
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
