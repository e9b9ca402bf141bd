/** Whether a text is in a language that it was not read in. */
import type { Word } from '../types.ts';
import type { Lexicon } from './lexicon.ts';

/**
 * Languages that a text may be in, the likeliest first, each with its likeness in shares of the first one's. Codes as data for
 * the recogniser has them.
 */
export type LanguageIdentifier = (text: string) => readonly (readonly [code: string, likeness: number])[];

/** Words of which this is asked are read with some confidence. */
const SURE = 0.7;
/** Fewer words, on a receipt or a sign, are names and places. */
const FEWEST_WORDS = 30;
/** Of the words of an English page the dictionary knows nine in ten; of a German one two in three, because it is large. */
const KNOWN_IN_OWN = 0.83;
/** The likeness that the languages which were read reach at most. */
const LIKENESS_OF_OTHERS = 0.97;
/** And the next one after the likeliest: a text in several languages is in none of them. */
const LIKENESS_OF_NEXT = 0.995;
/**
 * What is left of the confidence in a word that the dictionary does not know. Fitted on pages in seven languages that were
 * read as English: .82 on one half of them, .90 on the other.
 */
const LEFT_OF_CONFIDENCE = 0.85;

const RUN_OF_LETTERS = /[\p{L}\p{M}]+/gu;
const WORD = /^[\p{L}\p{M}’']{2,}$/u;

/** The code of the language, if there is one that is surely not among `languages`. */
export function otherLanguage(
  words: readonly Word[],
  languages: readonly string[],
  lexicon: Lexicon,
  judge: LanguageIdentifier,
): string | undefined {
  const texts = words.filter(({ confidence }) => confidence >= SURE).flatMap(({ text }) => wordIn(text));
  if (texts.length < FEWEST_WORDS) return undefined;
  const known = texts.filter((text) => lexicon.has(text)).length;
  if (known >= texts.length * KNOWN_IN_OWN) return undefined;
  const judged = judge(texts.join(' '));
  const [likeliest, next] = judged;
  const own = judged.filter(([code]) => languages.includes(code)).map(([, likeness]) => likeness);
  // Nobody can tell a text from a language that the judge does not know.
  if (!likeliest || own.length === 0) return undefined;
  if (Math.max(...own) > LIKENESS_OF_OTHERS || (next?.[1] ?? 0) > LIKENESS_OF_NEXT) return undefined;
  return likeliest[0];
}

/** A word of another language as sure as it is: what the wrong dictionary does not know has lost its accents, or more. */
export function lessSure(word: Word, lexicon: Lexicon): Word {
  const runs = word.text.match(RUN_OF_LETTERS) ?? [];
  if (runs.every((run) => run.length < 2 || lexicon.has(run))) return word;
  return { ...word, confidence: word.confidence * LEFT_OF_CONFIDENCE };
}

/** Without the punctuation around it; none where something else than letters is inside. */
function wordIn(text: string): readonly string[] {
  const runs = [...text.matchAll(RUN_OF_LETTERS)];
  const [first, last] = [runs[0], runs.at(-1)];
  if (!first || !last) return [];
  const word = text.slice(first.index, last.index + last[0].length);
  return WORD.test(word) ? [word] : [];
}
