/** What speaks for each reading of a word: the numbers by which the chooser and the calibration decide. */
import type { Lexicon } from '../engines/lexicon.ts';
import type { Glyph } from '../engines/recogniser.ts';
import type { Features } from './logistic.ts';
import { isBeyondWords } from './scripts.ts';
import { readingSpan, type Segment } from './segments.ts';
import {
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
  /** Mean confidence of the first recogniser, 0 to 1. */
  firstConfidence: number;
  /** Least and mean confidence of the second one's characters, 0 to 1; 0 where it read nothing. */
  secondLeast: number;
  secondMean: number;
  /** Mean logarithm a character of the second one's chance for either text, -8 to 0. */
  firstLikelihood: number;
  secondLikelihood: number;
  firstInLexicon: 0 | 1;
  secondInLexicon: 0 | 1;
}

const LEAST_LIKELIHOOD = -8;

export const textOf = (glyphs: readonly Glyph[]): string => glyphs.map((glyph) => glyph.text).join('');

export function gatherEvidence(segment: Segment, lexicon: Lexicon): Evidence {
  const second = segment.check?.reading;
  const first = textOf(segment.first);
  const secondText = textOf(segment.second);
  const confidences = segment.second.map((glyph) => glyph.confidence);
  const span = readingSpan(segment);
  const likelihood = (text: string) => {
    if (text === '' || !second?.likelihood) return LEAST_LIKELIHOOD;
    return Math.max(LEAST_LIKELIHOOD, second.likelihood(text, span.from, span.to));
  };
  return {
    first,
    second: secondText,
    firstConfidence: mean(segment.first.map((glyph) => glyph.confidence)),
    secondLeast: confidences.length > 0 ? Math.min(...confidences) : 0,
    secondMean: mean(confidences),
    firstLikelihood: likelihood(first),
    secondLikelihood: likelihood(secondText),
    firstInLexicon: inLexicon(first, lexicon),
    secondInLexicon: inLexicon(secondText, lexicon),
  };
}

/** Where both recognisers read something and differ: what speaks for the first one's text (positive) or the second's. */
export function choiceFeatures(e: Evidence): Features {
  return {
    bias: 1,
    firstConfidence: e.firstConfidence,
    firstConfidenceSquared: e.firstConfidence ** 2,
    secondLeast: e.secondLeast,
    secondMean: e.secondMean,
    likelihood: e.firstLikelihood - e.secondLikelihood,
    lexicon: e.firstInLexicon - e.secondInLexicon,
    mixture: mixture(e.second) - mixture(e.first),
    price: Number(looksLikePrice(e.first)) - Number(looksLikePrice(e.second)),
    length: Math.max(-3, Math.min(3, e.first.length - e.second.length)),
    firstOdd: Number(hasOddCharacter(e.first)),
    secondOdd: Number(hasOddCharacter(e.second)),
    oddCase: Number(hasOddCase(e.second)) - Number(hasOddCase(e.first)),
    onlyCase: Number(e.first.toLowerCase() === e.second.toLowerCase()),
    firstNumber: Number(looksLikeNumber(e.first)),
    secondNumber: Number(looksLikeNumber(e.second)),
    short: Number(Math.max(e.first.length, e.second.length) <= 2),
  };
}

/** How closely a word was looked at. */
export type Scrutiny = 'checked' | 'beside' | 'none';

/** What speaks for the chosen text being right: one of both readings, or a word that is spelled like neither. */
export function trustFeatures(e: Evidence, text: string, scrutiny: Scrutiny, lexicon: Lexicon): Features {
  const checked = scrutiny === 'checked';
  const same = e.first === e.second;
  const nearly = !same && e.first.toLowerCase() === e.second.toLowerCase();
  const alone = checked && (e.first === '' || e.second === '');
  const differ = checked && !same && !nearly && !alone;
  const odds = (chance: number) => Math.log((chance + 0.01) / (1.01 - chance));
  const known = inLexicon(text, lexicon);
  const beyond = isBeyondWords(text);
  const letters = /\p{L}/u.test(text) || !/\p{N}/u.test(text);
  const likelihood = text === e.first ? e.firstLikelihood : e.secondLikelihood;
  return {
    bias: 1,
    unchecked: Number(!checked),
    beside: Number(scrutiny === 'beside'),
    uncheckedFirst: checked ? 0 : odds(e.firstConfidence),
    agreed: Number(checked && same),
    agreedFirst: checked && same ? odds(e.firstConfidence) : 0,
    agreedSecond: checked && same ? odds(e.secondLeast) : 0,
    nearly: Number(checked && nearly),
    alone: Number(alone),
    aloneFirst: alone && e.second === '' ? odds(e.firstConfidence) : 0,
    aloneSecond: alone && e.first === '' ? odds(e.secondLeast) : 0,
    differ: Number(differ),
    differFirst: differ ? odds(e.firstConfidence) * (text === e.first ? 1 : -1) : 0,
    differSecond: differ ? odds(e.secondLeast) * (text === e.first ? -1 : 1) : 0,
    choseFirst: Number(differ && text === e.first),
    respelled: Number(text !== e.first && text !== e.second),
    likelihood: checked ? likelihood : 0,
    margin: differ ? Math.abs(e.firstLikelihood - e.secondLikelihood) : 0,
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

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
