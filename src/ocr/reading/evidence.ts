/** The features of a word's readings, from which the choice and the confidence calibration follow. */
import { required } from '../checked.ts';
import { align } from './align.ts';
import type { Lexicon } from './lexicon.ts';
import type { Features } from './logistic.ts';
import type { Glyph } from './recognizer.ts';
import { isBeyondWords } from './scripts.ts';
import { readingSpan, type Segment } from './segments.ts';
import {
  baseOf,
  FOREIGN,
  hasOddCase,
  hasOddCharacter,
  inLexicon,
  looksLikeNumber,
  looksLikePrice,
  mixture,
} from './word-shape.ts';

export interface Evidence {
  first: string;
  second: string;
  /** Mean confidence of the primary recognizer, 0 to 1. */
  firstConfidence: number;
  /** The least confidence of its characters. */
  firstLeast: number;
  /** Least and mean confidence of the secondary recognizer's characters, 0 to 1; 0 without a reading. */
  secondLeast: number;
  secondMean: number;
  /** Mean logarithm per character of the secondary recognizer's chance for either text, -8 to 0. */
  firstLikelihood: number;
  secondLikelihood: number;
  /** The primary recognizer's chance for either text, in the same way; 0 where it gives none. */
  firstOwnLikelihood: number;
  secondOwnLikelihood: number;
  firstInLexicon: 0 | 1;
  secondInLexicon: 0 | 1;
  /**
   * The secondary recognizer's text has a character that the primary one lacks, so that the primary reading says nothing
   * about it.
   */
  firstLacks: boolean;
  /** The secondary recognizer read nothing where the primary one read a letter, which is part of `second`. */
  secondLacks: boolean;
}

const MIN_LIKELIHOOD = -8;
/** Of the primary recognizer, which has fewer characters and gives a text with missing ones no chance. */
const MIN_OWN_LIKELIHOOD = -4;

export const spellingOf = (glyphs: readonly Glyph[]): string => glyphs.map((glyph) => glyph.text).join('');

/** The least chance, 0 to 1, of the secondary recognizer's likeliest mark. */
const MIN_OF_MARK = 0.08;
/** Characters whose centers are nearer than this, in line heights, are the same ink. */
const TAKEN = 0.3;

/**
 * The secondary recognizer's likeliest mark in place of a lone character that only the primary one read. Undefined for a
 * longer word, and where the secondary one read that ink as part of another word.
 */
function markOf({ first, check, from, to }: Segment): { text: string; confidence: number } | undefined {
  const [only, ...others] = first;
  // Ink that the secondary recognizer read beside it belongs to another character.
  const isTaken = check?.reading.glyphs.some(
    ({ center }) => Math.abs(center - required(only).center) < TAKEN,
  );
  if (others.length > 0 || isTaken) return undefined;
  const mark = check?.reading.likeliestMark?.(from, to);
  return mark && mark.confidence >= MIN_OF_MARK ? mark : undefined;
}

export function gatherEvidence(segment: Segment, lexicon: Lexicon): Evidence {
  const second = segment.check?.reading;
  const first = spellingOf(segment.first);
  const mark = segment.second.length === 0 && first !== '' ? markOf(segment) : undefined;
  const { text: compared, lacksLetter } = secondTextOf(segment, lexicon);
  const secondText = mark?.text ?? compared;
  const firstConfidences = segment.first.map((glyph) => glyph.confidence);
  const secondConfidences = mark ? [mark.confidence] : segment.second.map((glyph) => glyph.confidence);
  const span = readingSpan(segment);
  const likelihood = (text: string) => {
    if (text === '' || !second?.likelihood) return MIN_LIKELIHOOD;
    return Math.max(MIN_LIKELIHOOD, second.likelihood(text, span.from, span.to));
  };
  const ownLikelihood = (text: string) => {
    if (text === '' || !segment.firstLikelihood) return 0;
    return Math.max(MIN_OWN_LIKELIHOOD, segment.firstLikelihood(text, span.from, span.to));
  };
  return {
    first,
    second: secondText,
    firstConfidence: mean(firstConfidences),
    firstLeast: least(firstConfidences),
    secondLeast: least(secondConfidences),
    secondMean: mean(secondConfidences),
    firstLikelihood: likelihood(first),
    secondLikelihood: likelihood(secondText),
    firstOwnLikelihood: ownLikelihood(first),
    secondOwnLikelihood: ownLikelihood(secondText),
    firstInLexicon: inLexicon(first, lexicon),
    secondInLexicon: inLexicon(secondText, lexicon),
    firstLacks: segment.firstCanWrite?.(secondText) === false,
    secondLacks: lacksLetter,
  };
}

/** Confidence of a letter of the primary recognizer that is missing from the secondary reading. */
const SURE_LETTER = 0.6;
/** Confidence of the secondary recognizer from which an accented letter keeps its case. */
const SURE_CASE = 0.95;

/**
 * The secondary recognizer's text, with accented letters in the case of the primary one, which sees the heights of a whole
 * line: "VUČIĆ" for "VUčIć". Where it lacks a letter that the primary one read, that letter is put in: it knows few letters with
 * two accents, and reads nothing there.
 */
function secondTextOf({ first, second }: Segment, lexicon: Lexicon): { text: string; lacksLetter: boolean } {
  const plain = spellingOf(second);
  if (first.length === 0 || second.length === 0) return { text: plain, lacksLetter: false };
  const isKnown = inLexicon(spellingOf(first), lexicon) === 1 || inLexicon(plain, lexicon) === 1;
  let lacksLetter = false;
  const text = align(first, second)
    .pairs.map(([i, j]) => {
      const [a, b] = [first[i], second[j]];
      if (a && b) {
        const isUnsure = FOREIGN.test(b.text) && b.confidence < SURE_CASE;
        return isUnsure ? inCaseOf(a.text, b.text, j === 0 ? '' : plain) : b.text;
      }
      if (b) return b.text;
      if (isKnown || !a || !/^\p{L}$/u.test(a.text) || a.confidence < SURE_LETTER) return '';
      if (second.some(({ center }) => Math.abs(center - a.center) < TAKEN)) return '';
      lacksLetter = true;
      return a.text;
    })
    .join('');
  return { text, lacksLetter };
}

/**
 * `letter` in the case of another reading of it; unchanged where that is another letter, or where the English letters of the
 * word have another case.
 * @param word of which it is not the first letter
 */
function inCaseOf(other: string, letter: string, word: string): string {
  if (other === '°' && letter === 'º') return other;
  const [base, otherBase] = [baseOf(letter), baseOf(other)];
  if (base === otherBase || base.toLowerCase() !== otherBase.toLowerCase()) return letter;
  const isCapital = otherBase === otherBase.toUpperCase();
  if ((isCapital ? /[a-z]/ : /[A-Z]/).test(word)) return letter;
  return isCapital ? letter.toUpperCase() : letter.toLowerCase();
}

/** Where both recognizers read different text: the features for the primary text (positive) or the secondary one. */
export function choiceFeatures(e: Evidence): Features {
  return {
    bias: 1,
    firstConfidence: e.firstConfidence,
    secondLeast: e.secondLeast,
    secondMean: e.secondMean,
    ...totals(e),
    lexicon: e.firstInLexicon - e.secondInLexicon,
    // The longer a word, the less likely it is in the lexicon by chance.
    lexiconLength: (e.firstInLexicon - e.secondInLexicon) * Math.min(1, e.first.length / 8),
    price: Number(looksLikePrice(e.first)) - Number(looksLikePrice(e.second)),
    length: Math.max(-3, Math.min(3, e.first.length - e.second.length)),
    firstOdd: Number(hasOddCharacter(e.first)),
    secondOdd: Number(hasOddCharacter(e.second)),
    oddCase: Number(hasOddCase(e.second)) - Number(hasOddCase(e.first)),
    onlyCase: Number(e.first.toLowerCase() === e.second.toLowerCase()),
    secondNumber: Number(looksLikeNumber(e.second)),
    short: Number(Math.max(e.first.length, e.second.length) <= 2),
  };
}

/** A greater margin, as a natural logarithm, adds nothing. */
const MAX_MARGIN = 12;

/**
 * By how much the primary text as a whole is likelier than the secondary one, to the secondary and to the primary recognizer.
 */
function totals(e: Evidence): { total: number; ownTotal: number } {
  const margin = (first: number, second: number) =>
    Math.max(-MAX_MARGIN, Math.min(MAX_MARGIN, first * e.first.length - second * e.second.length));
  return {
    total: margin(e.firstLikelihood, e.secondLikelihood),
    ownTotal: e.firstLacks ? 0 : margin(e.firstOwnLikelihood, e.secondOwnLikelihood),
  };
}

/** How closely a word was examined. */
export type Scrutiny = 'checked' | 'beside' | 'none';

/** The features of the chosen text: one of both readings, or a corrected word. */
export function trustFeatures(e: Evidence, text: string, scrutiny: Scrutiny, lexicon: Lexicon): Features {
  const checked = scrutiny === 'checked';
  const same = e.first === e.second;
  const nearly = !same && bare(e.first) !== '' && bare(e.first) === bare(e.second);
  const alone = checked && (e.first === '' || e.second === '');
  const differ = checked && !same && !nearly && !alone;
  const odds = (chance: number) => Math.log((chance + 0.01) / (1.01 - chance));
  const known = inLexicon(text, lexicon);
  const beyond = isBeyondWords(text);
  const letters = /\p{L}/u.test(text) || !/\p{N}/u.test(text);
  const likelihood = text === e.first ? e.firstLikelihood : e.secondLikelihood;
  const { total, ownTotal } = totals(e);
  const sign = text === e.first ? 1 : -1;
  return {
    bias: 1,
    unchecked: Number(!checked),
    beside: Number(scrutiny === 'beside'),
    uncheckedFirst: checked ? 0 : odds(e.firstConfidence),
    uncheckedLeast: checked ? 0 : odds(e.firstLeast),
    ownLikelihood: text !== e.second ? e.firstOwnLikelihood : e.firstLacks ? 0 : e.secondOwnLikelihood,
    agreed: Number(checked && same),
    agreedFirst: checked && same ? odds(e.firstConfidence) : 0,
    agreedSecond: checked && same ? odds(e.secondLeast) : 0,
    nearly: Number(checked && nearly),
    alone: Number(alone),
    aloneFirst: alone && e.second === '' ? odds(e.firstConfidence) : 0,
    aloneSecond: alone && e.first === '' ? odds(e.secondLeast) : 0,
    differ: Number(differ),
    differFirst: differ && !e.firstLacks ? odds(e.firstConfidence) * sign : 0,
    differSecond: differ ? odds(e.secondLeast) * -sign : 0,
    choseFirst: Number(differ && text === e.first),
    respelled: Number(text !== e.first && text !== e.second),
    likelihood: checked ? likelihood : 0,
    margin: differ ? total * sign : 0,
    ownMargin: differ ? ownTotal * sign : 0,
    known,
    unknownWord: Number(letters && known === 0 && text.length > 2 && !beyond),
    short: Number(text.length <= 2 && !beyond),
    mark: Number(!/[\p{L}\p{N}]/u.test(text)),
    number: Number(looksLikeNumber(text)),
    price: Number(looksLikePrice(text)),
    mixture: mixture(text),
    odd: Number(hasOddCharacter(text)),
    oddCase: Number(hasOddCase(text)),
    long: Math.min(12, text.length) / 12,
  };
}

/** The letters and digits that the accuracy measures compare, without accents: the primary recognizer lacks many. */
const bare = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

const least = (values: readonly number[]): number => (values.length === 0 ? 0 : Math.min(...values));
