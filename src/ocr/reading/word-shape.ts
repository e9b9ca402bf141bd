/** The shape of a word without its meaning: digits, letters, prices, codes. */
import type { Lexicon } from './lexicon.ts';

const isDigit = (character: string): boolean => character >= '0' && character <= '9';
const LETTER = /\p{L}/u;
/** A letter with an accent, or another one that occurs in no English word except borrowed ones. */
export const FOREIGN = /[^\P{L}A-Za-z]/u;

/** A letter without its accent: "o" for "ö". Any other character stays. */
export const baseOf = (character: string): string => character.normalize('NFD').charAt(0);

/** How mixed letters and digits are: 0 all of one kind, 0.5 half and half, 1 neither letter nor digit. */
export function mixture(text: string): number {
  let digits = 0;
  let letters = 0;
  for (const character of text) {
    if (isDigit(character)) digits++;
    else if (LETTER.test(character)) letters++;
  }
  return digits + letters === 0 ? 1 : Math.min(digits, letters) / (digits + letters);
}

/**
 * A text from its first character of one kind to its last one of another, without the rest on both sides.
 * @param first matches one character; `last` does too, and matches everything that `first` does
 */
export function between(text: string, first: RegExp, last: RegExp = first): string {
  const characters = [...text];
  const from = characters.findIndex((character) => first.test(character));
  const to = characters.findLastIndex((character) => last.test(character));
  return from === -1 ? '' : characters.slice(from, to + 1).join('');
}

/** 1 when the word's letters, of which there must be more than two, are in the lexicon. */
export function inLexicon(text: string, lexicon: Lexicon): 0 | 1 {
  const letters = between(text, LETTER, /[\p{L}\p{M}]/u);
  return letters.length > 2 && lexicon.has(letters) ? 1 : 0;
}

/** An amount of money: digits, a mark, two digits; perhaps a currency before it. */
export const looksLikePrice = (text: string): boolean => /^[A-Z$£€]{0,3}\d[\d,]*[.,]\d\d$/.test(text);
export const looksLikeNumber = (text: string): boolean => /^[\d][\d.,/:-]*$/.test(text);
/** Holds a character that is rare in plain text. */
export const hasOddCharacter = (text: string): boolean =>
  /[^\p{L}\p{M}\p{N}.,/:;()&#%*'"@+=\-$£€!?’“”–—،؛؟।॥、。，；：？！（）「」『』]/u.test(text);
/** Capitals after small letters within a word, as in "tHe". */
export const hasOddCase = (text: string): boolean => /\p{Ll}\p{Lu}/u.test(text);
