/** In what scripts differ from one another: direction, spaces between words, marks that only one of them has. */

/** Scripts that write no spaces between words; what stands between two spaces is a phrase or a whole sentence. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** One character of these can be a word. */
const SYLLABIC = /\p{Script=Hangul}/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** True where neither a text's length nor a dictionary tells whether it is a word. */
export function isBeyondWords(text: string): boolean {
  return UNSPACED.test(text) || (SYLLABIC.test(text) && text.length <= 2);
}

/** True for two characters and more of a script in which they can be a phrase. */
export function writesPhrases(text: string): boolean {
  return [...text].filter((letter) => UNSPACED.test(letter) || SYLLABIC.test(letter)).length > 1;
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

/** Marks as their script has them, where a recogniser gave a look-alike of another one. */
export function mendMarks(text: string): string {
  return (
    text
      // Between ideographs stand full-width marks; Korean and mixed text have their own habits.
      .replace(
        /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[,;:?!](?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|$)/gu,
        (mark) => FULL_WIDTH[mark]!,
      )
      // Tamil's virama never joins letters, so there is nothing that a non-joiner could keep apart.
      .replace(/\u0bcd\u200c/g, '\u0bcd')
  );
}
