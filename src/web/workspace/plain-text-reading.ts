import type { Extraction } from '#contract/extraction';

const NO_BOX = { x: 0, y: 0, width: 0, height: 0 };

/** An extraction made from plain text: lines, paragraphs and words in order, without doubtful words and positions. */
export function readingOfText(text: string, language: string): Extraction {
  let paragraph = 0;
  let previousLine = '';
  const lines = text.split('\n').flatMap((line) => {
    const words = line.match(/\S+/g);
    // Lines with leading or trailing spaces are not joined, because joining loses the spaces.
    if (!words || /^\s/.test(line) || /\s$/.test(previousLine)) paragraph += 1;
    previousLine = line;
    if (!words) return [];
    const read = words.map((word) => ({ text: word, confidence: 100, box: NO_BOX }));
    return [{ text: line, confidence: 100, box: NO_BOX, paragraph, words: read }];
  });
  return {
    extractedText: text,
    wordCount: lines.reduce((sum, { words }) => sum + words.length, 0),
    confidence: 100,
    lines,
    ...commonFields(language),
  };
}

/** An extraction without words, for exports: their words must not seem to have positions. */
export const emptyReading = (language: string): Extraction => ({
  extractedText: '',
  wordCount: 0,
  confidence: 100,
  lines: [],
  ...commonFields(language),
});

/** The page size of exports: A4 at 150 dpi, in pixels. */
const A4_PAGE = { width: 1240, height: 1754, rotation: 0 };

const commonFields = (language: string) => ({
  hidden: [],
  image: A4_PAGE,
  language,
  durationMs: 0,
  notices: [],
});
