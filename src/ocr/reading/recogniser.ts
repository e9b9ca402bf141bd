/** What every recogniser of a single line is asked for and answers. */
import type { GrayImage } from '../picture/picture.ts';

/**
 * One character as it was read. Distances are in line heights (crop pixels / crop height) from the crop's left edge,
 * so that readings of crops of different sizes can be laid on one another.
 */
export interface Glyph {
  text: string;
  /** 0 to 1, as the recogniser itself states it; not calibrated. */
  confidence: number;
  centre: number;
  /** A space stands before it. */
  startsWord: boolean;
}

export interface LineReading {
  /** In reading order, without spaces. */
  glyphs: Glyph[];
  /**
   * How likely the recogniser finds that the span between two distances says `text`:
   * the mean logarithm of the chance for each character, at most 0. Absent where it cannot tell.
   */
  likelihood?: (text: string, from: number, to: number) => number;
  /** Whether every character of a text is in the recogniser's alphabet. Absent where it cannot tell. */
  canWrite?: (text: string) => boolean;
  /**
   * The likeliest character between two distances and its chance, 0 to 1, even where "nothing" is likelier still: for a place
   * where something else saw ink. Absent where the recogniser cannot tell.
   */
  likeliestMark?: (from: number, to: number) => { text: string; confidence: number } | undefined;
}

export interface LineRecogniser {
  /** Pixels; what the recogniser was trained on. */
  readonly cropHeight: number;
  /**
   * Reads a crop of one line, dark ink on a light ground. Undefined where that is in letters which it leaves to others.
   * `views`: crops of the same line and size that differ a little; the chances of characters are averaged over all of them.
   */
  read(
    crop: GrayImage,
    options?: { views?: readonly GrayImage[]; signal?: AbortSignal },
  ): Promise<LineReading | undefined>;
}

/** Who can read a page first: that decides by what weights its readings are judged, and how far what it says of itself counts. */
export type FirstReader = 'network' | 'tesseract';

/** Reads all lines of a page: the first look at it. */
export interface PageReader {
  readonly name: FirstReader;
  /** Pixels; how high it wants its crops. */
  readonly cropHeight: number;
  /** A word deserves a second look when it is less sure of a character than this: of a word that the language has, or of another. */
  readonly sure: { known: number; other: number };
  /** Crops of one line each, dark ink on a light ground. One call is one thread's work. */
  read(crops: readonly GrayImage[], signal?: AbortSignal): Promise<LineReading[]>;
}

/** Glyphs in reading order, word by word. */
export function wordsOf(glyphs: readonly Glyph[]): Glyph[][] {
  const words: Glyph[][] = [];
  for (const glyph of glyphs) {
    if (glyph.startsWord || words.length === 0) words.push([]);
    words.at(-1)!.push(glyph);
  }
  return words;
}
