import type { Box, Extraction } from '#contract/extraction';
import { boundsOf } from '#geometry/boxes';
import { boxOf, inReadingOrder, type PositionedLine, type PositionedWord } from './layer-order.ts';

/** A character of a text layer; `box`: null for a separator such as a line break. */
export interface PositionedCharacter {
  text: string;
  /** In pixels of the rendered page. */
  box: Box | null;
}

/** In line heights: a line after a larger gap starts a paragraph. */
const PARAGRAPH_GAP = 0.8;
/** Characters that documents use for a hyphen at the end of a line. They can also remain inside of words. */
const SOFT_HYPHENS: readonly string[] = ['\u0002', '\u00ad', '\ufffe'];

/**
 * The text layer of a page as an extraction in reading order; null without text. Its confidence is 100 %, because nothing
 * was recognized.
 */
export function textLayerOf(
  characters: readonly PositionedCharacter[],
  image: { width: number; height: number },
): Extraction | null {
  const lines = inReadingOrder(linesOf(characters));
  if (lines.length === 0) return null;
  let paragraph = 0;
  const writtenLines = lines.map((words, index) => {
    const before = lines[index - 1];
    if (before && startsParagraph(boxOf(before), boxOf(words))) paragraph += 1;
    return {
      text: words.map(({ text }) => text).join(' '),
      confidence: 100,
      box: toWholePixels(boxOf(words)),
      paragraph,
      words: words.map(({ text, box }) => ({ text, confidence: 100, box: toWholePixels(box) })),
    };
  });
  const extractedText = writtenLines
    .map(({ text, paragraph: its }, index) => {
      const last = writtenLines[index - 1];
      if (!last) return text;
      return (last.paragraph === its ? '\n' : '\n\n') + text;
    })
    .join('');
  return {
    extractedText,
    wordCount: writtenLines.reduce((sum, { words }) => sum + words.length, 0),
    confidence: 100,
    lines: writtenLines,
    hidden: [],
    image: { ...image, rotation: 0 },
    language: 'eng',
    durationMs: 0,
    notices: [],
  };
}

/** The lines of words, separated by the line breaks of the document. */
function linesOf(characters: readonly PositionedCharacter[]): PositionedLine[] {
  let line: PositionedWord[] = [];
  const lines = [line];
  let letters: { text: string; box: Box }[] = [];
  let endsWithHyphen = false;
  const endWord = () => {
    const box = boundsOf(letters.map((letter) => letter.box));
    const text = letters.map((letter) => letter.text).join('') + (endsWithHyphen ? '-' : '');
    if (box) line.push({ text, box });
    letters = [];
    endsWithHyphen = false;
  };
  for (const { text, box } of characters) {
    if (SOFT_HYPHENS.includes(text)) endsWithHyphen = true;
    else if (text === '\r' || text === '\n') {
      endWord();
      if (line.length > 0) {
        line = [];
        lines.push(line);
      }
    } else if (text.trim() === '' || text < ' ') {
      endsWithHyphen = false;
      endWord();
    } else if (box) {
      endsWithHyphen = false;
      letters.push({ text, box });
    }
  }
  endsWithHyphen = false;
  endWord();
  return lines.filter(({ length }) => length > 0);
}

/** Whether a line starts a paragraph: after a large gap, or above the previous line, where a new column starts. */
function startsParagraph(above: Box, below: Box): boolean {
  const gap = below.y - (above.y + above.height);
  return gap > PARAGRAPH_GAP * Math.min(above.height, below.height) || below.y + below.height < above.y;
}

/** The smallest box in whole pixels that contains a box, at least one pixel in size. */
function toWholePixels({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return {
    x: left,
    y: top,
    width: Math.max(1, Math.ceil(x + width) - left),
    height: Math.max(1, Math.ceil(y + height) - top),
  };
}
