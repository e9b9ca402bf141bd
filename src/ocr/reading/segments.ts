/** Cuts a line into words, from both readings and the ink. */

import { lastOf } from '../checked.ts';
import { align } from './align.ts';
import { type Glyph, type LineReading, wordsOf } from './recognizer.ts';
import { directionOf } from './scripts.ts';

/** A span of a line that the secondary recognizer read; its reading's distances are measured from the line's edge. */
export interface Check {
  from: number;
  to: number;
  reading: LineReading;
}

/** One word of a line with both readings. Distances are in line heights from the line's left edge. */
export interface Segment {
  /** The primary recognizer's characters; empty where it read nothing. */
  first: Glyph[];
  second: Glyph[];
  /** Absent where only the primary recognizer read. */
  check?: Check;
  /** The primary recognizer's likelihood of a text between two places of the line; absent where it has no such measure. */
  firstLikelihood?: LineReading['likelihood'];
  /** Whether the primary recognizer has all characters of a text; absent where that is unknown. */
  firstCanWrite?: LineReading['canWrite'];
  from: number;
  to: number;
}

/** Margin around a word that may belong to its first and its last letter, in line heights. */
const READING_SLACK = 0.1;

/** The span of the line that holds a word's letters. */
export function readingSpan({ from, to }: Segment): { from: number; to: number } {
  return { from: from - READING_SLACK, to: to + READING_SLACK };
}

/** An interval without ink, in line heights. */
export interface Blank {
  from: number;
  to: number;
}

/** Tesseract separates letters that are less than this apart; a true space is wider. */
const NARROWEST_SPACE = 0.12;
/** Readings with less similarity than this describe different text: only the secondary one is kept, whole. */
const MIN_SIMILARITY = 0.35;

type Cut = Pick<Segment, 'first' | 'second' | 'check'>;

/**
 * The words of a line, in the order of the primary reading, or of place where there are checks, which lie left to right and
 * do not touch.
 */
export function segmentLine(
  first: LineReading,
  checks: readonly Check[],
  blanks: readonly Blank[],
  length: number,
): Segment[] {
  const spaces = spacesOf(first, checks, blanks);
  const words = wordsOf(spaced(first.glyphs, spaces));
  const segments = (cuts: readonly Cut[]) =>
    placed(cuts, blanks, length).map((segment) => ({
      ...segment,
      firstLikelihood: first.likelihood,
      firstCanWrite: first.canWrite,
    }));
  if (checks.length === 0) return segments(words.map(unchecked));
  const isIn = (check: Check, word: readonly Glyph[]) => {
    const middle = (word[0]!.center + lastOf(word).center) / 2;
    return middle >= check.from && middle <= check.to;
  };
  // The secondary recognizer knows only left-to-right scripts, so that its order of place is reading order. On lines of such
  // scripts that of the primary one is, too; its places are rough, and ordering by them would mix up letters.
  const isRightToLeft = directionOf(first.glyphs.map(({ text }) => text).join('')) === 'rtl';
  const cuts: Cut[] = [];
  let rest = words;
  for (const check of checks) {
    const inside = rest.filter((word) => isIn(check, word));
    const before = rest.filter((word) => !inside.includes(word) && word[0]!.center < check.from);
    rest = rest.filter((word) => !inside.includes(word) && !before.includes(word));
    const letters = isRightToLeft ? inside.flat().toSorted((a, b) => a.center - b.center) : inside.flat();
    cuts.push(...before.map(unchecked), ...compared(letters, spacedCheck(check, spaces), blanks));
  }
  return segments([...cuts, ...rest.map(unchecked)]);
}

/**
 * A gap is as wide as a space from this `share` of the line's median space on, and from `least` line heights on. `known`: the
 * number of spaces on the line that the median needs; on other lines a gap of `besideSymbol` line heights between a symbol
 * and its neighbor is a space.
 */
const SPACE = { share: 0.85, known: 3, least: 0.18, besideSymbol: 0.2 } as const;

/**
 * Whether a space may have been missed between two neighboring characters: after a comma or a semicolon, beside a symbol,
 * or between a number and a word. Elsewhere a wide gap comes from the font.
 */
function mayBeSeparated(before: Glyph, after: Glyph): boolean {
  if (/^[,;]$/.test(before.text) || SYMBOL.test(before.text) || SYMBOL.test(after.text)) return true;
  const [digit, letter] = [/\p{N}/u, /\p{L}/u];
  return (
    (digit.test(before.text) && letter.test(after.text)) ||
    (letter.test(before.text) && digit.test(after.text))
  );
}

/** Neither letter nor figure, punctuation or ASCII: signs of mathematics, arrows, currencies. */
const SYMBOL = /[^\p{L}\p{M}\p{N}\p{P}\x20-\x7e]/u;

/** Words between or before numbers, as in "2019 to 2021": no code starts with one, so that a narrow gap after it is a space. */
const BEFORE_NUMBERS = /^(?:to|and|or|from|by|until|till|for|at|on|of|in)$/i;

/** The gaps of a line that may be spaces. */
interface Spaces {
  blanks: Blank[];
  /** Those after `BEFORE_NUMBERS`. */
  narrow: Blank[];
  /** The line has too few spaces to measure their width. */
  besideSymbolsOnly: boolean;
}

function spacesOf(first: LineReading, checks: readonly Check[], blanks: readonly Blank[]): Spaces {
  const widths: number[] = [];
  for (const glyphs of [first.glyphs, ...checks.map(({ reading }) => reading.glyphs)]) {
    for (const [i, glyph] of glyphs.entries()) {
      const before = glyphs[i - 1];
      if (!before || !glyph.startsWord || before.center >= glyph.center) continue;
      const gap = widestBlank(before.center, glyph.center, blanks);
      if (gap) widths.push(gap.to - gap.from);
    }
  }
  const besideSymbolsOnly = widths.length < SPACE.known;
  const usual = widths.toSorted((a, b) => a - b)[widths.length >> 1]!;
  const least = besideSymbolsOnly ? SPACE.besideSymbol : Math.max(SPACE.least, usual * SPACE.share);
  const from = (width: number) => blanks.filter((blank) => blank.to - blank.from >= width);
  return { blanks: from(least), narrow: from(NARROWEST_SPACE), besideSymbolsOnly };
}

/** The same glyphs, with a new word after each space that may have been missed. */
function spaced(glyphs: readonly Glyph[], { blanks, narrow, besideSymbolsOnly }: Spaces): Glyph[] {
  let word = '';
  return glyphs.map((glyph, i) => {
    const before = glyphs[i - 1];
    const sofar = word;
    word = glyph.startsWord ? glyph.text : word + glyph.text;
    if (!before || glyph.startsWord || before.center >= glyph.center) return glyph;
    const isBetween = ({ from, to }: Blank) =>
      (from + to) / 2 > before.center && (from + to) / 2 < glyph.center;
    const mayBeSpace = besideSymbolsOnly
      ? SYMBOL.test(before.text) || SYMBOL.test(glyph.text)
      : mayBeSeparated(before, glyph);
    const isBeforeNumber = BEFORE_NUMBERS.test(sofar) && /^\d$/.test(glyph.text);
    if (!(mayBeSpace && blanks.some(isBetween)) && !(isBeforeNumber && narrow.some(isBetween))) return glyph;
    word = glyph.text;
    return { ...glyph, startsWord: true };
  });
}

const spacedCheck = (check: Check, spaces: Spaces): Check => ({
  ...check,
  reading: { ...check.reading, glyphs: spaced(check.reading.glyphs, spaces) },
});

const unchecked = (word: Glyph[]): Cut => ({ first: word, second: [] });

/** Symbols that are repeated without spaces, as in ratings. The primary recognizer lacks them and reads spaces between them. */
const REPEATED_SYMBOL = /^[★☆●○✓✗]$/;

/**
 * Words of a span that both recognizers read. A word starts where either reading starts one, except where only the primary
 * one does and the ink has no gap, or repeated symbols.
 */
function compared(first: readonly Glyph[], check: Check, blanks: readonly Blank[]): Cut[] {
  const second = withRowsJoined(check.reading.glyphs, blanks);
  const { pairs, similarity } = align(first, second);
  if (similarity < MIN_SIMILARITY && second.length > 0) {
    return wordsOf(second).map((word) => ({ first: [], second: word, check }));
  }
  const cuts: Cut[] = [];
  let word: Cut = { first: [], second: [], check };
  for (const [i, j] of pairs) {
    const a = first[i];
    const b = second[j];
    // The secondary recognizer left out the letters before it.
    const isWithin =
      a?.startsWord === false &&
      word.second.length === 0 &&
      word.first.length > 0 &&
      !isApart(lastOf(word.first), a, blanks);
    if (b?.startsWord ? !isWithin : a?.startsWord && !areJoined(second, j, blanks)) {
      cuts.push(word);
      word = { first: [], second: [], check };
    }
    if (a) word.first.push(a);
    if (b) word.second.push(b);
  }
  return [...cuts, word].filter((cut) => cut.first.length + cut.second.length > 0);
}

/** The widest gap between repeated symbols, in line heights. */
const WIDEST_IN_ROW = 0.3;

function withRowsJoined(glyphs: readonly Glyph[], blanks: readonly Blank[]): Glyph[] {
  return glyphs.map((glyph, i) => {
    const before = glyphs[i - 1];
    const isInRow = before && REPEATED_SYMBOL.test(before.text) && REPEATED_SYMBOL.test(glyph.text);
    return isInRow && !isApart(before, glyph, blanks, WIDEST_IN_ROW)
      ? { ...glyph, startsWord: false }
      : glyph;
  });
}

function areJoined(glyphs: readonly Glyph[], index: number, blanks: readonly Blank[]): boolean {
  const before = glyphs[index - 1];
  const after = glyphs[index];
  if (!before || !after) return false;
  if (REPEATED_SYMBOL.test(before.text) && REPEATED_SYMBOL.test(after.text)) return true;
  return !isApart(before, after, blanks);
}

/** Whether there is a gap of `least` line heights between two characters. */
function isApart(before: Glyph, after: Glyph, blanks: readonly Blank[], least = NARROWEST_SPACE): boolean {
  const widest = widestBlank(before.center, after.center, blanks);
  return widest !== undefined && widest.to - widest.from >= least;
}

/** Greatest error of a glyph's center, in line heights. */
const SLACK = 0.08;

function widestBlank(from: number, to: number, blanks: readonly Blank[]): Blank | undefined {
  let widest: Blank | undefined;
  for (const blank of blanks) {
    const middle = (blank.from + blank.to) / 2;
    if (middle <= from - SLACK || middle >= to + SLACK) continue;
    if (!widest || blank.to - blank.from > widest.to - widest.from) widest = blank;
  }
  return widest;
}

/** Sets each word's edges in the widest gap of ink between it and its neighbor on the line, whichever is read first. */
function placed(words: readonly Cut[], blanks: readonly Blank[], length: number): Segment[] {
  const segments = words.map((word) => {
    const centers = [...word.first, ...word.second].map((glyph) => glyph.center);
    return { ...word, from: Math.min(...centers), to: Math.max(...centers) };
  });
  const lead = blanks.find((blank) => blank.from <= SLACK);
  const trail = blanks.findLast((blank) => blank.to >= length - SLACK);
  const leftToRight = segments.toSorted((a, b) => a.from + a.to - b.from - b.to);
  let from = Math.min(lead?.to ?? 0, leftToRight[0]?.from ?? 0);
  for (const [index, segment] of leftToRight.entries()) {
    const next = leftToRight[index + 1];
    segment.from = from;
    if (!next) {
      segment.to = Math.max(trail?.from ?? length, segment.to);
      break;
    }
    const gap = widestBlank(segment.to, next.from, blanks);
    const middle = (segment.to + next.from) / 2;
    segment.to = gap?.from ?? middle;
    from = gap?.to ?? middle;
  }
  return segments;
}
