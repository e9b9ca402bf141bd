import type { Box, Extraction } from '#contract/extraction';
import { boundsOf } from '#geometry/boxes';
import { boxOf, inReadingOrder, type LaidLine, type LaidWord } from './layer-order.ts';

/** A character of a document as it stands on its page; `box`: null for one that only parts others. */
export interface LaidCharacter {
  text: string;
  /** In pixels of the drawn page. */
  box: Box | null;
}

/** Of a line's height: a larger gap above a line opens a paragraph. */
const PARAGRAPH_GAP = 0.8;
/** What documents write where a word is parted at the end of a line, and may leave where it was not. */
const PARTING: readonly string[] = ['\u0002', '\u00ad', '\ufffe'];

/**
 * The text of a page as an extraction, in reading order; null where there is none. Its confidence is 100 %: nothing was
 * recognized.
 */
export function textLayerOf(
  characters: readonly LaidCharacter[],
  image: { width: number; height: number },
): Extraction | null {
  const lines = inReadingOrder(linesOf(characters));
  if (lines.length === 0) return null;
  let paragraph = 0;
  const writtenLines = lines.map((words, index) => {
    const before = lines[index - 1];
    if (before && isApart(boxOf(before), boxOf(words))) paragraph += 1;
    return {
      text: words.map(({ text }) => text).join(' '),
      confidence: 100,
      box: whole(boxOf(words)),
      paragraph,
      words: words.map(({ text, box }) => ({ text, confidence: 100, box: whole(box) })),
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

/** As the document parts them. */
function linesOf(characters: readonly LaidCharacter[]): LaidLine[] {
  let line: LaidWord[] = [];
  const lines = [line];
  let letters: { text: string; box: Box }[] = [];
  let isParted = false;
  const endWord = () => {
    const box = boundsOf(letters.map((letter) => letter.box));
    const text = letters.map((letter) => letter.text).join('') + (isParted ? '-' : '');
    if (box) line.push({ text, box });
    letters = [];
    isParted = false;
  };
  for (const { text, box } of characters) {
    if (PARTING.includes(text)) isParted = true;
    else if (text === '\r' || text === '\n') {
      endWord();
      if (line.length > 0) {
        line = [];
        lines.push(line);
      }
    } else if (text.trim() === '' || text < ' ') {
      isParted = false;
      endWord();
    } else if (box) {
      isParted = false;
      letters.push({ text, box });
    }
  }
  isParted = false;
  endWord();
  return lines.filter(({ length }) => length > 0);
}

/** Further below than lines of one paragraph are, or further up, as where a column begins. */
function isApart(above: Box, below: Box): boolean {
  const gap = below.y - (above.y + above.height);
  return gap > PARAGRAPH_GAP * Math.min(above.height, below.height) || below.y + below.height < above.y;
}

/** In whole pixels, at least one each way. */
function whole({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return {
    x: left,
    y: top,
    width: Math.max(1, Math.ceil(x + width) - left),
    height: Math.max(1, Math.ceil(y + height) - top),
  };
}
