/** The interface of every recognizer of a single line. */
import { lastOf } from '../checked.ts';
import type { GrayImage } from '../picture/pixels.ts';
import type { ScriptShares } from './other-script.ts';

/**
 * One recognized character. Distances are in line heights (crop pixels / crop height) from the crop's left edge, so that
 * readings of crops of different sizes can be aligned.
 */
export interface Glyph {
  text: string;
  /** 0 to 1, as the recognizer itself states it; not calibrated. */
  confidence: number;
  center: number;
  /** A space stands before it. */
  startsWord: boolean;
}

export interface LineReading {
  /** In reading order, without spaces. */
  glyphs: Glyph[];
  /**
   * The likelihood of `text` in the span between two distances: the mean log-probability per character, at most 0. Absent if
   * the recognizer has no such measure.
   */
  likelihood?: (text: string, from: number, to: number) => number;
  /** Whether every character of a text is in the recognizer's alphabet. Absent where that is unknown. */
  canWrite?: (text: string) => boolean;
  /**
   * The likeliest character between two distances and its chance, 0 to 1, even where "nothing" is likelier still: for a place
   * where another recognizer saw ink. Absent where the recognizer has no such measure.
   */
  likeliestMark?: (from: number, to: number) => { text: string; confidence: number } | undefined;
  /** The script of the whole crop. Absent where the recognizer cannot tell. */
  scripts?: () => ScriptShares;
}

export interface LineRecognizer {
  /** Height of a crop in pixels, as in training. */
  readonly cropHeight: number;
  /**
   * Reads a crop of one line, dark ink on a light ground. Undefined for a script that the recognizer does not read.
   * `views`: crops of the same line and size that differ a little; the probabilities of characters are averaged over all of them.
   */
  read(
    crop: GrayImage,
    options?: { views?: readonly GrayImage[]; signal?: AbortSignal },
  ): Promise<LineReading | undefined>;
}

/** The primary recognizer. It decides which weights judge its readings, and how far its own confidence counts. */
export type FirstReader = 'network' | 'tesseract';

/** The primary recognizer: reads all lines of a page. */
export interface PageReader {
  readonly name: FirstReader;
  /** Height of its crops, in pixels. */
  readonly cropHeight: number;
  /**
   * A word gets a second reading when a character has less confidence than this: for a word of the lexicon, or another one.
   */
  readonly sure: { known: number; other: number };
  /** Crops of one line each, dark ink on a light ground. One call is one thread's work. */
  read(crops: readonly GrayImage[], signal?: AbortSignal): Promise<LineReading[]>;
}

/** Mean confidence of the characters, 0 to 1; 0 where there are none. */
export const meanConfidenceOf = ({ glyphs }: LineReading): number =>
  glyphs.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, glyphs.length);

/** Glyphs in reading order, word by word. */
export function wordsOf(glyphs: readonly Glyph[]): Glyph[][] {
  const words: Glyph[][] = [];
  for (const glyph of glyphs) {
    if (glyph.startsWord || words.length === 0) words.push([]);
    lastOf(words).push(glyph);
  }
  return words;
}
