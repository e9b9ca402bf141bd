/** The differences between scripts: direction, spaces between words, script-specific marks. */

/** Scripts without spaces between words; the text between two spaces is a phrase or a sentence. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
/** Scripts in which one character can be a word. */
const SYLLABIC = /\p{Script=Hangul}/u;
/** Scripts with stacked and joined consonants: one misread consonant makes a word unlikely. */
const STACKED =
  /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}]/u;
/** Fewest letters and signs of a word in them: readings of icons are shorter. */
const STACKED_WORD = 4;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** True where neither length nor lexicon shows whether a text is a word. */
export function isBeyondWords(text: string): boolean {
  return UNSPACED.test(text) || (SYLLABIC.test(text) && text.length <= 2);
}

/** True for two or more characters of a script in which they can be a phrase. */
export function writesPhrases(text: string): boolean {
  return [...text].filter((letter) => UNSPACED.test(letter) || SYLLABIC.test(letter)).length > 1;
}

/** True for a word in stacked letters, as those of India. */
export function isStackedWord(text: string): boolean {
  return [...text].filter((letter) => STACKED.test(letter)).length >= STACKED_WORD;
}

/** By the majority of the letters; undefined for a text without any. */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  let toLeft = 0;
  let letters = 0;
  for (const [letter] of text.matchAll(/\p{L}/gu)) {
    letters++;
    if (RIGHT_TO_LEFT.test(letter)) toLeft++;
  }
  if (letters === 0) return undefined;
  return toLeft * 2 > letters ? 'rtl' : 'ltr';
}

const FULL_WIDTH: Readonly<Record<string, string>> = {
  ',': '，',
  ';': '；',
  ':': '：',
  '?': '？',
  '!': '！',
};
/** Some data for Arabic letters knows Latin marks only. */
const ARABIC: Readonly<Record<string, string>> = { ',': '،', ';': '؛', '?': '؟' };
/** Malayalam letters without a vowel, by their spelling before they had a character of their own. */
const CHILLU: Readonly<Record<string, string>> = { ണ: 'ൺ', ന: 'ൻ', ര: 'ർ', ല: 'ൽ', ള: 'ൾ', ക: 'ൿ' };

/** Replaces marks and letters of another script by the look-alikes of the text's own script. */
export function mendMarks(text: string): string {
  return (
    text
      // Full-width marks stand between ideographs; Korean and mixed text follow other conventions.
      .replace(
        /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[,;:?!](?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|$)/gu,
        (mark) => FULL_WIDTH[mark]!,
      )
      .replace(/(?<=(?!\p{N})[\p{Script=Arabic}\p{Script=Thaana}])[,;?]/gu, (mark) => ARABIC[mark]!)
      .replace(/(?<=\p{Script=Armenian}):$/u, '։')
      .replace(/(?<=\p{Script=Greek})\u00b5|\u00b5(?=\p{Script=Greek})/gu, 'μ')
      // The prefix of a unit is the micro sign, which looks the same.
      .replace(/(?<!\p{Script=Greek})μ(?=[A-Za-z]|$)/gu, '\u00b5')
      // The virama of Tamil and of Sinhala joins no letters by itself, so a non-joiner has no effect.
      .replace(/([\u0bcd\u0dca])\u200c/g, '$1')
      .replace(/([ണനരലളക])\u0d4d\u200d/g, (_, letter: string) => CHILLU[letter]!)
      // The sign that makes a vowel nasal looks like a zero, and stands after letters only.
      .replace(/(?<=[\u0c85-\u0cd6])\u0ce6(?![\u0ce6-\u0cef])/g, '\u0c82')
      .replace(/(?<=[\u0c05-\u0c56])\u0c66(?![\u0c66-\u0c6f])/g, '\u0c02')
      .replace(/(?<=[\u0d05-\u0d4d])\u0d66(?![\u0d66-\u0d6f])/g, '\u0d02')
      // Lao's vowel am, read as two signs that look like it.
      .replace(/\u0ecd([\u0ec8-\u0ecb]?)\u0eb2/g, '$1\u0eb3')
  );
}
