/** The words that tesseract reports for a line, and their conversion to glyphs. */
import type { LineReading } from '../reading/recognizer.ts';

/** A word of a line crop and the columns of the crop it covers. */
export interface CropWord {
  text: string;
  /** 0 to 1, as tesseract reports it. */
  confidence: number;
  x: number;
  width: number;
  /** A separate word without a space before it, as in scripts without spaces. */
  joined: boolean;
}

/**
 * The reading parameters of tesseract, and the confidence from which its words are right: it already includes its lexicon.
 */
export const TESSERACT_READING = {
  name: 'tesseract',
  cropHeight: 36,
  sure: { known: 0.9, other: 0.9 },
} as const;

/** Tesseract places words, not characters: they are spread evenly over their word. `height`: the crop's. */
export function readingOfWords(words: readonly CropWord[], height: number): LineReading {
  const glyphs = words.flatMap(({ text, confidence, x, width, joined }) => {
    const characters = [...text];
    const advance = width / characters.length / height;
    return characters.map((character, index) => ({
      text: character,
      confidence,
      center: x / height + (index + 0.5) * advance,
      startsWord: index === 0 && !joined,
    }));
  });
  return { glyphs };
}
