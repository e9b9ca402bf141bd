/** Reads all lines of a page. */
import type { Region } from '../page/geometry.ts';
import type { PageLines } from '../page/page-lines.ts';
import type { DisplayNumber } from '../page/seven-segments.ts';
import type { Picture } from '../picture/picture.ts';
import { fuseLine, meanConfidence } from './fuse.ts';
import {
  checkWhole,
  type LineReadings,
  type Readers,
  readRegions,
  withOuterUnderscoresRead,
} from './recognize.ts';
import { withUpsideDown } from './upside-down.ts';

/**
 * Words with less confidence are doubtful. A text with more mean confidence needs no check of its script: letters of another
 * script read as Latin ones seldom reach it.
 */
export const DOUBTFUL = 0.85;
/** A page whose words are less sure on average, such as old handwriting, gains nothing from more views. */
const ILLEGIBLE = 0.45;

/**
 * The readings of the page's regions, in their order, followed by those of its signs, column glyphs, drop caps, stamps and displays.
 * @param options `inColumns`: the script is written downwards. `thorough`: lines with a doubtful word are read once more, in
 * several views
 */
export async function readPage(
  picture: Picture,
  page: PageLines,
  readers: Readers,
  options: { inColumns: boolean; thorough: boolean; onProgress(line: number, of: number): void },
): Promise<LineReadings[]> {
  const { regions, signs, columnGlyphs, dropCaps, numbers, stamps } = page;
  const all: Region[] = [...regions, ...signs, ...columnGlyphs, ...dropCaps.map(({ region }) => region)];
  const upright = await readRegions(picture, all, {
    ...readers,
    onProgress: (line) => options.onProgress(line, all.length),
  });
  const glyphs = await withLoneGlyphsReread(picture, upright, readers);
  const complete = page.liesAsRead ? await withOuterUnderscoresRead(picture, glyphs, readers) : glyphs;
  if (options.thorough) {
    const words = complete.map((reading) => fuseLine(reading, readers.lexicon));
    const isInDoubt = (_: LineReadings, i: number) =>
      words[i]!.some(({ confidence }) => confidence < DOUBTFUL);
    if (meanConfidence(words.flat()) > ILLEGIBLE)
      await checkWhole(picture, complete.filter(isInDoubt), readers, { views: true });
  }
  // Vertical columns are upright in the only direction that they have.
  const straight = options.inColumns ? complete : await withUpsideDown(picture, complete, readers);
  const stamped = stamps ? await readRegions(stamps.layer, stamps.regions, readers) : [];
  return [...straight, ...stamped, ...numbers.map((number) => readingOf(number, readers))];
}

/** A region of at most this width, in heights, holds a character or two. */
const LONE = 1.2;
/** More of them without text are icons or a pattern. */
const MAX_LONE = 40;
/** Of the height: paper that such a region lacks when it is cut too tightly for the recognizers. */
const TIGHT = { along: 0.5, across: 0.2 } as const;
/** What is kept of a second attempt: icons read as letters, figures and other signs. */
const KEPT = /^[{}()[\]]+[;,]?$/;

/** Lines with regions of a single character without text, such as a brace, read again with more paper around. */
async function withLoneGlyphsReread(
  picture: Picture,
  lines: readonly LineReadings[],
  readers: Readers,
): Promise<LineReadings[]> {
  const isSilent = (line: LineReadings) =>
    !line.isHalftone &&
    line.region.width <= LONE * line.region.height &&
    fuseLine(line, readers.lexicon).length === 0;
  const silent = lines.filter(isSilent);
  if (silent.length > MAX_LONE) return [...lines];
  const again = await readRegions(
    picture,
    silent.map(({ region }) => ({
      ...region,
      width: region.width + TIGHT.along * region.height,
      height: region.height * (1 + TIGHT.across),
    })),
    readers,
  );
  const better = new Map(
    silent.map((line, i) => {
      const words = fuseLine(again[i]!, readers.lexicon);
      return [line, words.length === 1 && KEPT.test(words[0]!.text) ? again[i] : undefined];
    }),
  );
  return lines.map((line) => better.get(line) ?? line);
}

/** Each segment of a display is clearly lit or not. */
const LIT_CONFIDENCE = 0.99;

/** A number of a display as a line; the recognizers do not know its digits. */
function readingOf({ region, characters }: DisplayNumber, { first }: Readers): LineReadings {
  const length = region.width / region.height;
  const glyphs = characters.map(({ text, at }, i) => ({
    text,
    confidence: LIT_CONFIDENCE,
    center: at * length,
    startsWord: i === 0,
  }));
  return { region, reader: first.name, first: { glyphs }, checks: [], boxes: [], blanks: [], length };
}
