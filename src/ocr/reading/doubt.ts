/** Decides which parts of a line the secondary recognizer reads as well. */

import { lastOf } from '../checked.ts';
import { spellingOf } from './evidence.ts';
import type { Lexicon } from './lexicon.ts';
import { type Glyph, type LineReading, wordsOf } from './recognizer.ts';
import type { Blank } from './segments.ts';
import { between } from './word-shape.ts';

/** A part of a line, in line heights from its left edge. */
export interface Span {
  from: number;
  to: number;
}

/** Characters per line height of length below which the primary recognizer has left something out. */
const SPARSE = 0.8;
/** A line can be cut at a gap in the ink of at least this, in line heights: it lies between words, not letters. */
const CUT = 0.2;
/** Spans nearer than this are read together: the part between them costs less than another call. */
const NEAR = 1.5;
/** A line is read whole when the doubtful share of its length is larger. */
const MAX = 0.6;

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Without a percent sign: fractions are read as one. */
const FIGURES = /^[\d.,:/-]+$/;
const CAPITALS = /^\p{Lu}{2,4}$/u;
/** Words of one character that are common in every text and that the primary recognizer does not confuse with others. */
const COMMON_ALONE = /^(?:[aAI]|&|[—–-]|\p{L}\.)$/u;

/**
 * Marks as print has them around a word. Others stand for signs that the primary recognizer lacks: a comma before a word for
 * a low quotation mark, "=" behind it for "≈".
 */
const ORDINARY_MARKS = /^[("'“‘«[]*[\p{L}\p{N}][^=<>%#*+~^|\\]*$/u;

export type IsSure = (word: readonly Glyph[]) => boolean;

/**
 * Judges whether the primary recognizer's reading of a word may stand. Words of the lexicon and figures may; unknown words,
 * lone signs and codes are always read again.
 * @param sure least confidence of every character, 0 to 1: `known` for words of the lexicon, `other` for figures
 */
export function confidenceCheckFor(lexicon: Lexicon, sure: { known: number; other: number }): IsSure {
  return (word) => {
    const text = spellingOf(word);
    const letters = between(text, LETTER_OR_DIGIT);
    // Short words in capitals are mostly codes, which the lexicon may hold by chance. "Ne" is how a numero sign is read.
    const known =
      letters.length > 1 &&
      !CAPITALS.test(letters) &&
      letters !== 'Ne' &&
      ORDINARY_MARKS.test(text) &&
      lexicon.has(letters);
    // The primary recognizer is sure of the wrong character where it lacks the right one: it reads "kΩ" as "kQ", "≠" as "#",
    // "Ł" as "L".
    if (!known && !FIGURES.test(text) && !COMMON_ALONE.test(text)) return false;
    const least = known ? sure.known : sure.other;
    return word.every(({ confidence }) => confidence >= least);
  };
}

/**
 * Whether a line needs no second reading: every word is sure, it has as many characters as print has, and a gap separates
 * each two words.
 * @param blanks spans without ink, in line heights
 * @param length of the line, in line heights
 */
export function isBeyondDoubt(
  { glyphs }: LineReading,
  blanks: readonly Blank[],
  length: number,
  isSure: IsSure,
): boolean {
  const words = wordsOf(glyphs);
  return (
    glyphs.length > 0 &&
    glyphs.length >= length * SPARSE &&
    words.every(isSure) &&
    !words.some((word, i) => i > 0 && joinedByInk(words[i - 1]!, word, blanks))
  );
}

/** Whether ink continues from one word to the next: the primary recognizer reads underscores as a space. */
function joinedByInk(before: readonly Glyph[], after: readonly Glyph[], blanks: readonly Blank[]): boolean {
  const [from, to] = [lastOf(before).center, after[0]!.center];
  return from < to && !blanks.some((blank) => blank.to > from && blank.from < to);
}

/**
 * The parts to read again, left to right: doubtful words near one another, or the whole line where most of it is doubtful.
 */
export function doubtfulSpans(
  reading: LineReading,
  blanks: readonly Blank[],
  length: number,
  isSure: IsSure,
): Span[] {
  const whole = [{ from: 0, to: length }];
  if (reading.glyphs.length < length * SPARSE) return whole;
  const joined = joinedWhereNear(doubtfulWords(reading, blanks, length, isSure));
  const doubtful = joined.reduce((sum, { from, to }) => sum + to - from, 0);
  return doubtful > length * MAX ? whole : joined;
}

/** Doubtful words, each up to the gaps in the ink around it. */
export function doubtfulWords(
  { glyphs }: LineReading,
  blanks: readonly Blank[],
  length: number,
  isSure: IsSure,
): Span[] {
  const cuts = blanks.filter((blank) => blank.to - blank.from >= CUT).map(({ from, to }) => (from + to) / 2);
  const spans: Span[] = [];
  const words = wordsOf(glyphs);
  for (const [i, word] of words.entries()) {
    const [before, after] = [words[i - 1], words[i + 1]];
    const joined =
      (before && joinedByInk(before, word, blanks)) || (after && joinedByInk(word, after, blanks));
    if (!joined && isSure(word)) continue;
    const centers = word.map(({ center }) => center);
    const [first, final] = [Math.min(...centers), Math.max(...centers)];
    spans.push({
      from:
        (before && edgeBetween(lastOf(before).center, first, blanks)) ??
        cuts.findLast((cut) => cut <= first) ??
        0,
      to:
        (after && edgeBetween(final, after[0]!.center, blanks)) ?? cuts.find((cut) => cut > final) ?? length,
    });
  }
  return spans;
}

/**
 * The middle of the widest gap between two words that is wide enough for a cut. The first character of a word may be placed as
 * far to the right as the gap behind it, as in figures of one width.
 */
function edgeBetween(before: number, after: number, blanks: readonly Blank[]): number | undefined {
  const between = blanks.filter(({ from, to }) => (from + to) / 2 > before && (from + to) / 2 <= after);
  const widest = between.reduce<Blank | undefined>(
    (best, blank) => (best && best.to - best.from >= blank.to - blank.from ? best : blank),
    undefined,
  );
  if (!widest || widest.to - widest.from < CUT) return undefined;
  return (widest.from + widest.to) / 2;
}

/** Left to right; those are joined between which there is less than `near`, in line heights. */
export function joinedWhereNear(spans: readonly Span[], near = NEAR): Span[] {
  const joined: Span[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && from - last.to < near) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}
