/** What is asked of the words and letters of the languages that a text is in. */
export interface Lexicon {
  /** True for a word of the language, whatever its case. Digits and punctuation are not looked at: pass letters. */
  has(word: string): boolean;
  /**
   * The words that one letter sets apart from `word`, put in, left out or exchanged; in lower case.
   * It looks at a thousand stems: ask for doubtful words, not for all.
   */
  near(word: string): Set<string>;
  /** The letters that the languages are written with. */
  readonly letters: ReadonlySet<string>;
  /** Every word, as the data spells it; there may be a hundred thousand. */
  words(): Iterable<string>;
}
