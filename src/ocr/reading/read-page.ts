/** Reads all lines of a page. */
import type { LineImage } from '../page/line-image.ts';
import type { PageLines } from '../page/page-lines.ts';
import { fuseLine, meanConfidence } from './fuse.ts';
import { checkWhole, hasIdentifier, type LineReadings, type Readers, readLines } from './recognize.ts';
import { withUpsideDown } from './upside-down.ts';

/**
 * Words with less confidence are doubtful. A text with more mean confidence needs no check of its script: letters of another
 * script read as Latin ones seldom reach it.
 */
export const DOUBTFUL = 0.85;
/** A page whose words are less sure on average, such as old handwriting, gains nothing from more views. */
const ILLEGIBLE = 0.45;

/**
 * The readings of the page's text lines, in their order, followed by those of its glyphs, stamps and displays.
 * @param options `inColumns`: the script is written downwards. `thorough`: lines with a doubtful word are read once more, in
 * several views
 */
export async function readPage(
  page: PageLines,
  readers: Readers,
  options: { inColumns: boolean; thorough: boolean; onProgress(line: number, of: number): void },
): Promise<LineReadings[]> {
  const all: LineImage[] = [...page.lines, ...page.glyphs];
  const upright = await readLines(all, {
    ...readers,
    onProgress: (line) => options.onProgress(line, all.length),
  });
  const glyphs = await withLoneGlyphsReread(upright, readers);
  const complete = await withOuterUnderscoresRead(page, glyphs, readers);
  if (options.thorough) {
    const words = complete.map((reading) => fuseLine(reading, readers.lexicon));
    const isInDoubt = (_: LineReadings, i: number) =>
      words[i]!.some(({ confidence }) => confidence < DOUBTFUL);
    if (meanConfidence(words.flat()) > ILLEGIBLE)
      await checkWhole(complete.filter(isInDoubt), readers, { views: true });
  }
  // Vertical columns are upright in the only direction that they have.
  const straight = options.inColumns ? complete : await withUpsideDown(complete, readers);
  const stamped = await readLines(page.stamps, readers);
  return [...straight, ...stamped, ...page.numbers.map((number) => readingOf(number, readers))];
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
  lines: readonly LineReadings[],
  readers: Readers,
): Promise<LineReadings[]> {
  const isSilent = (line: LineReadings) =>
    !line.isHalftone &&
    line.image.region.width <= LONE * line.image.region.height &&
    fuseLine(line, readers.lexicon).length === 0;
  const silent = lines.filter(isSilent);
  if (silent.length > MAX_LONE) return [...lines];
  const withPaper = ({ image }: LineReadings): LineImage => {
    const { region } = image;
    return image.at({
      ...region,
      width: region.width + TIGHT.along * region.height,
      height: region.height * (1 + TIGHT.across),
    });
  };
  const again = await readLines(silent.map(withPaper), readers);
  const better = new Map(
    silent.map((line, i) => {
      const words = fuseLine(again[i]!, readers.lexicon);
      return [line, words.length === 1 && KEPT.test(words[0]!.text) ? again[i] : undefined];
    }),
  );
  return lines.map((line) => better.get(line) ?? line);
}

/**
 * Reads lines again over the underscores that the text detector left out, on a page with identifiers: elsewhere dashes, rules
 * and specks look the same.
 */
async function withOuterUnderscoresRead(
  { overUnderscores }: PageLines,
  lines: readonly LineReadings[],
  readers: Readers,
): Promise<LineReadings[]> {
  if (!overUnderscores || !lines.some(hasIdentifier)) return [...lines];
  const images = lines.map(({ image }) => image);
  const grown = overUnderscores(images);
  const again = await readLines(
    grown.filter((image, i) => image !== images[i]),
    readers,
  );
  const readingOf = new Map(again.map((reading) => [reading.image, reading]));
  return lines.map((line, i) => readingOf.get(grown[i] ?? line.image) ?? line);
}

/** Each segment of a display is clearly lit or not. */
const LIT_CONFIDENCE = 0.99;

/** A number of a display as a line; the recognizers do not know its digits. */
function readingOf({ image, characters }: PageLines['numbers'][number], { first }: Readers): LineReadings {
  const length = image.region.width / image.region.height;
  const glyphs = characters.map(({ text, at }, i) => ({
    text,
    confidence: LIT_CONFIDENCE,
    center: at * length,
    startsWord: i === 0,
  }));
  return { image, reader: first.name, first: { glyphs }, checks: [], boxes: [], blanks: [], length };
}
