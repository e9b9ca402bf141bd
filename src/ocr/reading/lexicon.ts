/** The words and letters of the languages that a text is in. */
export interface Lexicon {
  /** True for a word of the language, whatever its case. Pass letters only; digits and punctuation are not handled. */
  has(word: string): boolean;
  /**
   * The words one inserted, deleted or replaced letter away from `word`, in lower case.
   * It tries a thousand stems, so call it for doubtful words only.
   */
  near(word: string): Set<string>;
  /** The letters of the languages' alphabets. */
  readonly letters: ReadonlySet<string>;
  /** Every word, as the data spells it; there may be a hundred thousand. */
  words(): Iterable<string>;
}
