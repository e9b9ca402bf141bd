/** Detects a text in a language that it was not read in. */
import type { Word } from '../types.ts';
import type { Lexicon } from './lexicon.ts';

/**
 * Languages that a text may be in, the likeliest first, each with its likeness relative to the first one's. Codes are those
 * of the recognizer's data.
 */
export type LanguageIdentifier = (text: string) => Likenesses | Promise<Likenesses>;

type Likenesses = readonly (readonly [code: string, likeness: number])[];

/** Least confidence of the words that are judged. */
const SURE = 0.7;
/** Fewer words, on a receipt or a sign, are names and places. */
const MIN_WORDS = 30;
/** The lexicon knows nine in ten words of an English page; of a German one two in three, because it is large. */
const KNOWN_IN_OWN = 0.83;
/** The greatest likeness of the languages that were read. */
const LIKENESS_OF_OTHERS = 0.97;
/** The greatest likeness of the second candidate: a text in several languages resembles several. */
const LIKENESS_OF_NEXT = 0.995;
/**
 * Factor for the confidence of a word that the lexicon does not know. Fitted on pages in seven languages that were read as
 * English: .82 on one half of them, .90 on the other.
 */
const LEFT_OF_CONFIDENCE = 0.85;

const RUN_OF_LETTERS = /[\p{L}\p{M}]+/gu;
const WORD = /^[\p{L}\p{M}’']{2,}$/u;

/** The code of the language, if it is clearly not among `languages`. */
export async function otherLanguage(
  words: readonly Word[],
  languages: readonly string[],
  lexicon: Lexicon,
  judge: LanguageIdentifier,
): Promise<string | undefined> {
  const texts = words.filter(({ confidence }) => confidence >= SURE).flatMap(({ text }) => wordIn(text));
  if (texts.length < MIN_WORDS) return undefined;
  const known = texts.filter((text) => lexicon.has(text)).length;
  if (known >= texts.length * KNOWN_IN_OWN) return undefined;
  const judged = await judge(texts.join(' '));
  const [likeliest, next] = judged;
  const own = judged.filter(([code]) => languages.includes(code)).map(([, likeness]) => likeness);
  // A language that the identifier does not know cannot be ruled out.
  if (!likeliest || own.length === 0) return undefined;
  if (Math.max(...own) > LIKENESS_OF_OTHERS || (next?.[1] ?? 0) > LIKENESS_OF_NEXT) return undefined;
  return likeliest[0];
}

/**
 * A word of another language with its confidence reduced: a word unknown to the wrong lexicon has lost its accents, or more.
 */
export function lessSure(word: Word, lexicon: Lexicon): Word {
  const runs = word.text.match(RUN_OF_LETTERS) ?? [];
  if (runs.every((run) => run.length < 2 || lexicon.has(run))) return word;
  return { ...word, confidence: word.confidence * LEFT_OF_CONFIDENCE };
}

/** Without the punctuation around it; empty where it holds other characters than letters. */
function wordIn(text: string): readonly string[] {
  const runs = [...text.matchAll(RUN_OF_LETTERS)];
  const [first, last] = [runs[0], runs.at(-1)];
  if (!first || !last) return [];
  const word = text.slice(first.index, last.index + last[0].length);
  return WORD.test(word) ? [word] : [];
}
