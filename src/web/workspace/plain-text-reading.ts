import type { Extraction } from '#contract/extraction';

const NOWHERE = { x: 0, y: 0, width: 0, height: 0 };

/** A plain text in the workspace's form: lines, paragraphs and words in order, none doubtful and none with a place. */
export function readingOfText(text: string, language: string): Extraction {
  let paragraph = 0;
  let before = '';
  const lines = text.split('\n').flatMap((line) => {
    const words = line.match(/\S+/g);
    // Lines that are indented by hand or laid out as on the page are not joined: their line breaks could not be
    // restored.
    if (!words || /^\s/.test(line) || /\s$/.test(before)) paragraph += 1;
    before = line;
    if (!words) return [];
    const read = words.map((word) => ({ text: word, confidence: 100, box: NOWHERE }));
    return [{ text: line, confidence: 100, box: NOWHERE, paragraph, words: read }];
  });
  return {
    extractedText: text,
    wordCount: lines.reduce((sum, { words }) => sum + words.length, 0),
    confidence: 100,
    lines,
    ...aloneIn(language),
  };
}

/** The same without a word, for files: what has no place must not seem to have one. */
export const wordlessReading = (language: string): Extraction => ({
  extractedText: '',
  wordCount: 0,
  confidence: 100,
  lines: [],
  ...aloneIn(language),
});

/** Dots of a sheet of A4: files are laid out on something. */
const SHEET = { width: 1240, height: 1754, rotation: 0 };

const aloneIn = (language: string) => ({
  hidden: [],
  image: SHEET,
  language,
  durationMs: 0,
  notices: [],
});
