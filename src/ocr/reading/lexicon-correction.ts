/** Sets right a letter or two that no recogniser saw clearly, where a word of the language is as good a reading. */
import type { Lexicon } from './lexicon.ts';
import { readingSpan, type Segment } from './segments.ts';

/** A shorter word has so many neighbours that one of them always fits. */
const WORD = /^(\P{L}*)(\p{L}[\p{L}\p{M}]{3,})((?:[^\p{L}\p{M}]\P{L}*)?)$/u;
/**
 * By this much for each letter, and by no more than `most`, a known word may be less likely to the second recogniser than
 * what was read, as a natural logarithm: the longer a word, the fewer others lie near it. Of 61 words that it changed on
 * training and tuning receipts and on rendered pages 36 became right and none wrong.
 */
const ADVANTAGE = { perLetter: 0.5, most: 4 };

/**
 * `text`, or the word one letter away from it that the language has. Only for what the second recogniser has looked at:
 * it can say how likely any other text is. Names stay: what is read clearly leaves no neighbour a chance.
 */
export function correctedByLexicon(text: string, segment: Segment, lexicon: Lexicon): string {
  const likelihood = segment.check?.reading.likelihood;
  const letters = lettersOf(text);
  if (!likelihood || letters === undefined || lexicon.has(letters)) return text;
  const { from, to } = readingSpan(segment);
  const chanceOf = (candidate: string) => candidate.length * likelihood(candidate, from, to);
  let best = text;
  let most = chanceOf(text) - Math.min(ADVANTAGE.most, ADVANTAGE.perLetter * letters.length);
  for (const candidate of neighboursOf(text, lexicon)) {
    const chance = chanceOf(candidate);
    if (chance <= most) continue;
    best = candidate;
    most = chance;
  }
  return best;
}

const lettersOf = (text: string): string | undefined => WORD.exec(text)?.[2];

/** `text` with each word in it that the language has one letter away from what it says; nothing for a short one. */
export function* neighboursOf(text: string, lexicon: Lexicon): Generator<string> {
  const [, before, letters, after] = WORD.exec(text) ?? [];
  if (letters === undefined) return;
  for (const word of lexicon.near(letters)) yield before + inCaseOf(letters, word) + after;
}

function inCaseOf(model: string, word: string): string {
  if (model === model.toUpperCase()) return word.toUpperCase();
  return /^\p{Lu}/u.test(model) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}
