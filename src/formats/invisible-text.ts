/** The text layer of a page in a PDF. */
import { firstOf, itemAt } from './checked.ts';
import { GLYPH, type GlyphlessFont } from './glyphless-font.ts';
import { number } from './pdf-file.ts';
import { isRightToLeft, type PositionedText } from './positioned-text.ts';
import { type Slanted, slantedWords } from './slanted.ts';
import { toUpright } from './upright.ts';

interface Page {
  /** Units of the page per pixel. */
  scale: number;
  /** Units of the page. */
  height: number;
  /** Name of the font among the page's resources. */
  fontName: `/${string}`;
}

/**
 * Operators that write a page's words at their positions in text rendering mode 3 (invisible). The coordinate system is the
 * upright picture with its origin at the bottom left. Each character of the result is one byte of the content stream.
 */
export function invisibleText(
  { paragraphs, picture }: PositionedText,
  font: GlyphlessFont,
  page: Page,
): string {
  let size = 0;
  const operators = paragraphs.flatMap(({ lines }) =>
    lines.flatMap(({ words }) => {
      const places = slantedWords(words.map(({ box }) => toUpright(box, picture)));
      const placed = words.map((word, index) => ({ ...word, ...itemAt(places, index) }));
      // PDF readers expect glyphs from left to right in every script, and reorder right-to-left text themselves.
      const leftwards = isRightToLeft(words.map(({ text }) => text).join(' '));
      if (leftwards) placed.sort((one, other) => one.x - other.x);
      return placed.map((word, index) => {
        const spaced = (leftwards ? placed[index + 1] : word)?.spaced ?? true;
        // pdf.js joins words of one size: exact sizes keep the words of a slanted line separate, each at its own height.
        const height = word.angle === 0 ? Math.max(Math.round(word.height), 1) : word.height;
        const wordOperators = wordOf({ ...word, spaced }, placed[index + 1], height, font, page);
        if (height === size) return wordOperators;
        size = height;
        return `${page.fontName} ${number(height * page.scale, page.scale < 1 ? 2 : 1)} Tf ${wordOperators}`;
      });
    }),
  );
  return operators.length === 0 ? '' : `BT 3 Tr\n${operators.join('\n')}\nET`;
}

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const charactersOf = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);

interface PlacedWord extends Slanted {
  text: string;
  /** A space follows. */
  spaced: boolean;
}

/** Operators for a word stretched to its box, and the space after it. `size`: font size in pixels. */
function wordOf(
  word: PlacedWord,
  next: PlacedWord | undefined,
  size: number,
  font: GlyphlessFont,
  page: Page,
): string {
  const { text, width, height, spaced } = word;
  const gap = next ? next.x - word.x - (next.width + width) / 2 : 0;
  // Two words without a space between them must touch, or a PDF reader would detect a space.
  const stretch = spaced || gap < 0 || gap > height ? 0 : gap;
  const characters = charactersOf(text);
  const visual = (isRightToLeft(text) ? inVisualOrder(characters) : characters).join('');
  const natural = font.encode(visual).width * size;
  const percent = Math.max(1, (100_000 * (width + stretch)) / natural);
  const stretched = `${matrixOf(word, page)} Tm ${number(percent, percent < 100 ? 1 : 0)} Tz`;
  return `${stretched} ${font.encode(spaced ? `${visual} ` : visual).operand} Tj`;
}

/**
 * Radians. A word with a smaller slope is written horizontally at its own height: poppler splits a word with rising letters
 * into several words, and then a search does not find it.
 */
const MAX_HORIZONTAL_ANGLE = 0.17;

/** The text matrix of a word: the direction of its line, and its start on the baseline. */
function matrixOf({ x, y, width, height, angle }: Slanted, page: Page): string {
  const operators = Math.abs(angle) <= MAX_HORIZONTAL_ANGLE ? 0 : angle;
  const [cos, sin] = [Math.cos(operators), Math.sin(operators)];
  const along = -width / 2;
  const down = height / 2 + (GLYPH.descent / 1000) * height;
  const left = (x + along * cos - down * sin) * page.scale;
  const bottom = page.height - (y + along * sin + down * cos) * page.scale;
  const place = [left, bottom].map((value) => number(value, page.scale < 1 ? 1 : 0));
  return [...[cos, -sin, sin, cos].map((value) => number(value)), ...place].join(' ');
}

/** The characters of a right-to-left word in visual order; numbers in it run the other way. */
function inVisualOrder(characters: readonly string[]): string[] {
  const isNumber = (character: string) => /[\p{Nd}A-Za-z]/u.test(character);
  const runs: string[][] = [];
  for (const character of characters) {
    const run = runs.at(-1);
    if (run && isNumber(character) && isNumber(firstOf(run))) run.push(character);
    else runs.push([character]);
  }
  return runs.reverse().flat();
}
