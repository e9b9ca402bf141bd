/** The text layer of a page in a PDF. */
import { firstOf, itemAt } from './checked.ts';
import { GLYPH, type GlyphlessFont } from './glyphless-font.ts';
import { number } from './pdf-file.ts';
import { type Slanted, slantedWords } from './slanted.ts';
import { runsLeftwards, type Transcript } from './transcript.ts';
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
 * Operators that write a page's words in place, in text rendering mode 3, which shows nothing. Their space is the picture
 * turned upright, with its origin at the bottom left. Each character is one byte of the content.
 */
export function invisibleText({ paragraphs, picture }: Transcript, font: GlyphlessFont, page: Page): string {
  let size = 0;
  const shown = paragraphs.flatMap(({ lines }) =>
    lines.flatMap(({ words }) => {
      const places = slantedWords(words.map(({ box }) => toUpright(box, picture)));
      const placed = words.map((word, index) => ({ ...word, ...itemAt(places, index) }));
      // PDF readers read letters from left to right in any script, and reorder right-to-left text themselves.
      const leftwards = runsLeftwards(words.map(({ text }) => text).join(' '));
      if (leftwards) placed.sort((one, other) => one.x - other.x);
      return placed.map((word, index) => {
        const spaced = (leftwards ? placed[index + 1] : word)?.spaced ?? true;
        // Sizes that differ keep words of a slanted line apart in pdf.js, each at its own height.
        const height = word.angle === 0 ? Math.max(Math.round(word.height), 1) : word.height;
        const operators = wordOf({ ...word, spaced }, placed[index + 1], height, font, page);
        if (height === size) return operators;
        size = height;
        return `${page.fontName} ${number(height * page.scale, page.scale < 1 ? 2 : 1)} Tf ${operators}`;
      });
    }),
  );
  return shown.length === 0 ? '' : `BT 3 Tr\n${shown.join('\n')}\nET`;
}

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const charactersOf = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);

interface PlacedWord extends Slanted {
  text: string;
  /** A space follows. */
  spaced: boolean;
}

/** A word stretched to its place, with the space after it. `size`: of the font, in pixels. */
function wordOf(
  word: PlacedWord,
  next: PlacedWord | undefined,
  size: number,
  font: GlyphlessFont,
  page: Page,
): string {
  const { text, width, height, spaced } = word;
  const gap = next ? next.x - word.x - (next.width + width) / 2 : 0;
  // Two words without a space between them must touch, or a reader would see one.
  const stretch = spaced || gap < 0 || gap > height ? 0 : gap;
  const characters = charactersOf(text);
  const visual = (runsLeftwards(text) ? visually(characters) : characters).join('');
  const natural = font.encode(visual).width * size;
  const percent = Math.max(1, (100_000 * (width + stretch)) / natural);
  const stretched = `${matrixOf(word, page)} Tm ${number(percent, percent < 100 ? 1 : 0)} Tz`;
  return `${stretched} ${font.encode(spaced ? `${visual} ` : visual).shown} Tj`;
}

/**
 * Radians. Up to this slope a word is written level, at its height: poppler takes letters that climb within a word for
 * several words, and then finds none.
 */
const LEVEL_UP_TO = 0.17;

/** The start and the direction of a word's line. */
function matrixOf({ x, y, width, height, angle }: Slanted, page: Page): string {
  const shown = Math.abs(angle) <= LEVEL_UP_TO ? 0 : angle;
  const [cos, sin] = [Math.cos(shown), Math.sin(shown)];
  const along = -width / 2;
  const down = height / 2 + (GLYPH.descent / 1000) * height;
  const left = (x + along * cos - down * sin) * page.scale;
  const bottom = page.height - (y + along * sin + down * cos) * page.scale;
  const place = [left, bottom].map((value) => number(value, page.scale < 1 ? 1 : 0));
  return [...[cos, -sin, sin, cos].map((value) => number(value)), ...place].join(' ');
}

/** The characters of a right-to-left word in visual order; numbers in it run the other way. */
function visually(characters: readonly string[]): string[] {
  const isNumber = (character: string) => /[\p{Nd}A-Za-z]/u.test(character);
  const runs: string[][] = [];
  for (const character of characters) {
    const run = runs.at(-1);
    if (run && isNumber(character) && isNumber(firstOf(run))) run.push(character);
    else runs.push([character]);
  }
  return runs.reverse().flat();
}
