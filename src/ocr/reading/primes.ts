/** Tells the primes of feet, inches, minutes and seconds from apostrophes and quotes, by the slant of their strokes. */
import { lastOf } from '../checked.ts';
import { connectedParts, type InkPart } from '../page/connected-parts.ts';
import type { GrayImage } from '../picture/pixels.ts';
import { INK } from './ink-boxes.ts';
import type { Glyph } from './recognizer.ts';

/** Characters that recognizers confuse with primes. */
const QUOTE = /^['"’‘”“´`′″]$/;
const FIGURE = /^[\p{Nd}¼½¾⅓⅔]$/u;
/**
 * Columns to the left for each row down: a stroke that slants by `sure` is a prime, and one that slants by `least` if the
 * middles of its rows are at most `bend` of its height off a straight line. Straight quotes do not slant, and curled ones bend
 * (by .04 or more in most fonts) or slant by .25 to .5.
 */
const SLANT = { sure: 0.56, least: 0.12, bend: 0.012 } as const;
/**
 * In heights of the figure before: the least and greatest height of a prime, its lowest point below the figure's top, and the
 * greatest gap between two strokes.
 */
const STROKE = { least: 0.15, most: 0.55, down: 0.6, apart: 0.2 } as const;
/** In heights of the figure before: the greatest width of a stroke along a row. */
const THICKEST = 0.25;
/**
 * In heights of the figure before: where a prime begins, from the figure's middle. One that was not read is clear of the figure,
 * whose parts look like a stroke in worn print.
 */
const READ = { least: 0, most: Number.POSITIVE_INFINITY } as const;
const UNREAD = { least: 0.3, most: 0.8 } as const;
/** Figures of a number that may lack its prime. */
const LONGEST = 3;
/** Of a prime that only its ink shows. */
const UNREAD_CONFIDENCE = 0.8;

/**
 * The glyphs of a line with primes after figures, 5′ 11″, in place of apostrophes and quotes, and with those that were not
 * read.
 * @param crop the line that the glyphs were read from, dark ink on light paper; their centers are in its heights
 */
export function withPrimesResolved(glyphs: readonly Glyph[], crop: GrayImage): Glyph[] {
  if (!glyphs.some(({ text }) => FIGURE.test(text))) return [...glyphs];
  let found: InkPart[] | undefined;
  const parts = () => {
    found ??= connectedParts(
      crop.gray.map((level) => (level < INK ? 1 : 0)),
      crop.width,
      crop.height,
    ).sort((one, other) => one.left - other.left);
    return found;
  };
  return glyphs.flatMap((glyph, i) => {
    const [before, after] = [glyphs[i - 1], glyphs[i + 1]];
    if (before && QUOTE.test(glyph.text) && FIGURE.test(before.text)) {
      const isInWord = after && !after.startsWord && /\p{L}/u.test(after.text);
      const strokes = isInWord ? [] : primesBehind(before, after, parts(), crop, READ);
      return strokes.length > 0 ? [{ ...glyph, text: signOf(strokes) }] : [glyph];
    }
    if (!mayLackPrime(glyphs, i)) return [glyph];
    const strokes = primesBehind(glyph, after, parts(), crop, UNREAD);
    if (strokes.length === 0) return [glyph];
    const center = (strokes[0]!.left + lastOf(strokes).right) / 2 / crop.height;
    return [glyph, { text: signOf(strokes), confidence: UNREAD_CONFIDENCE, center, startsWord: false }];
  });
}

/** Whether a glyph ends a short number, as measures are, and no sign follows. */
function mayLackPrime(glyphs: readonly Glyph[], at: number): boolean {
  const after = glyphs[at + 1];
  if (after && (!after.startsWord || QUOTE.test(after.text))) return false;
  let start = at;
  while (start > 0 && !glyphs[start]!.startsWord) start--;
  const word = glyphs.slice(start, at + 1);
  return word.length <= LONGEST && word.every(({ text }) => FIGURE.test(text));
}

const signOf = (strokes: readonly InkPart[]) => (strokes.length === 1 ? '′' : '″');

/**
 * The one or two strokes of a prime after a figure; empty for anything else there.
 * @param parts the ink of the crop, left to right
 */
function primesBehind(
  figure: Glyph,
  after: Glyph | undefined,
  parts: readonly InkPart[],
  crop: GrayImage,
  place: { least: number; most: number },
): InkPart[] {
  const from = Math.round(figure.center * crop.height);
  const to = after ? Math.round(after.center * crop.height) : crop.width;
  const between = (start: number, end: number) =>
    parts.filter(({ left, right }) => left < end && right > start);
  const [own] = between(from - 2, from + 2).sort((a, b) => b.bottom - b.top - (a.bottom - a.top));
  if (!own) return [];
  const height = own.bottom - own.top;
  const above = between(from, to).filter(
    ({ top, bottom, left, right }) =>
      right <= to &&
      bottom <= own.top + STROKE.down * height &&
      bottom - top >= STROKE.least * height &&
      left - from >= place.least * height &&
      left - from <= place.most * height,
  );
  // Strokes farther away, such as the dot of an i, are ignored.
  const [first] = above;
  const raised = above.filter((part) => first && part.left - first.right <= STROKE.apart * height);
  const areStrokes = raised.every(({ top, bottom }) => bottom - top <= STROKE.most * height);
  if (!areStrokes || raised.length === 0 || raised.length > 2) return [];
  // Strokes overlap horizontally, so the slant is fitted over both.
  const whole = {
    top: Math.min(...raised.map(({ top }) => top)),
    bottom: Math.max(...raised.map(({ bottom }) => bottom)),
    left: Math.min(...raised.map(({ left }) => left)),
    right: Math.max(...raised.map(({ right }) => right)),
  };
  return isPrime(whole, crop, THICKEST * height * raised.length) ? raised : [];
}

/** Whether one stroke, or two, is thin, slanted and straight. @param thickest pixels along a row */
function isPrime(
  { top, bottom, left, right }: Omit<InkPart, 'pixels'>,
  { gray, width }: GrayImage,
  thickest: number,
): boolean {
  const rows: { y: number; x: number }[] = [];
  let ink = 0;
  for (let y = top; y < bottom; y++) {
    let [sum, moment] = [0, 0];
    for (let x = Math.max(0, left - 1); x < Math.min(width, right + 1); x++) {
      const darkness = 255 - gray[y * width + x]!;
      sum += darkness;
      moment += darkness * x;
    }
    ink += sum / 255;
    rows.push({ y, x: moment / sum });
  }
  const mean = (of: (row: { x: number; y: number }) => number) =>
    rows.reduce((sum, row) => sum + of(row), 0) / rows.length;
  const [x, y] = [mean((row) => row.x), mean((row) => row.y)];
  const slope =
    mean((row) => (row.y - y) * (row.x - x)) /
    Math.max(
      1,
      mean((row) => (row.y - y) ** 2),
    );
  const bend = Math.sqrt(mean((row) => (row.x - x - slope * (row.y - y)) ** 2)) / rows.length;
  const isStraight = -slope >= SLANT.sure || (-slope >= SLANT.least && bend <= SLANT.bend);
  return isStraight && ink / rows.length <= thickest;
}
