/** Lexicon correction: replaces an unclear letter where a word of the lexicon is as good a reading. */
import type { Lexicon } from './lexicon.ts';
import { readingSpan, type Segment } from './segments.ts';

/** A shorter word has so many neighbors that one of them always fits. */
const WORD = /^(\P{L}*)(\p{L}[\p{L}\p{M}]{3,})((?:[^\p{L}\p{M}]\P{L}*)?)$/u;
/**
 * The greatest disadvantage of a known word for the secondary recognizer, per letter and at most, as a natural logarithm: the
 * longer a word, the fewer others are near it. Of 61 words that it changed on training and tuning receipts and on rendered
 * pages, 36 became right and none wrong.
 */
const ADVANTAGE = { perLetter: 0.5, most: 4 };

/**
 * `text`, or the lexicon's word one letter away from it. Only for words that the secondary recognizer has read: it can rate
 * any other text. Names stay, because a clear reading leaves its neighbors no chance.
 */
export function correctedByLexicon(text: string, segment: Segment, lexicon: Lexicon): string {
  const likelihood = segment.check?.reading.likelihood;
  const letters = lettersOf(text);
  if (!likelihood || letters === undefined || lexicon.has(letters)) return text;
  // Names of other languages: a word of this one is near by chance.
  if ([...letters].some((letter) => !lexicon.letters.has(letter))) return text;
  const { from, to } = readingSpan(segment);
  const chanceOf = (candidate: string) => candidate.length * likelihood(candidate, from, to);
  let best = text;
  let most = chanceOf(text) - Math.min(ADVANTAGE.most, ADVANTAGE.perLetter * letters.length);
  for (const candidate of neighborsOf(text, lexicon)) {
    const chance = chanceOf(candidate);
    if (chance <= most) continue;
    best = candidate;
    most = chance;
  }
  return best;
}

const lettersOf = (text: string): string | undefined => WORD.exec(text)?.[2];

/** `text` with each word in it replaced by each lexicon word one letter away; nothing for a short one. */
export function* neighborsOf(text: string, lexicon: Lexicon): Generator<string> {
  const [, before, letters, after] = WORD.exec(text) ?? [];
  if (letters === undefined) return;
  for (const word of lexicon.near(letters)) yield before + inCaseOf(letters, word) + after;
}

function inCaseOf(model: string, word: string): string {
  if (model === model.toUpperCase()) return word.toUpperCase();
  return /^\p{Lu}/u.test(model) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}
