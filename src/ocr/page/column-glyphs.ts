/** Finds columns of single characters, such as the quantities of a receipt: the text detector often misses them. */
import type { Picture } from '../picture/picture.ts';
import type { GrayImage } from '../picture/pixels.ts';
import { cutLine, histogramOf, quantile } from './crop.ts';
import { nextOnRow, type Region, sliceOf } from './geometry.ts';

/** Height of the strip between two regions of a row, in pixels. */
const HEIGHT = 32;
/** In heights of the row: the gap between two regions that is searched, and the paper kept on either side. */
const GAP = { least: 1.6, most: 40, edge: 0.15 } as const;
/** In heights of the row: the size of a character or two, and of the gap inside them. */
const GLYPH = { widest: 1.3, lowest: 0.35, highest: 0.95, inside: 0.35 } as const;
/** Ink is darker than paper by at least this share of the contrast of the text beside it. */
const DARK = 0.5;
/** Least contrast of text, of 255. */
const CONTRAST = 40;
/** In heights of the row: how far glyphs of a column lie apart, across and down, and how many a column has. */
const COLUMN = { across: 0.6, down: 8, fewest: 3 } as const;
/** In heights of the row: paper around a glyph in its region. */
const MARGIN = 0.25;
/** A region of at most this width, in heights, that was detected supports a column. */
const SHORT = 1.5;

/**
 * Regions of single characters between two regions of a row that are aligned vertically.
 * @param regions of an upright page, as the text detector found them, in working pixels of `picture`
 * @param angle of the page, in radians
 */
export function columnGlyphs(picture: Picture, regions: readonly Region[], angle: number): Region[] {
  const found = regions.flatMap((line, index) => glyphAfter(picture, line, index, regions) ?? []);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const placed = [...found, ...regions.filter(({ width, height }) => width <= SHORT * height)].map(
    (region) => ({
      region,
      across: region.cx * cos + region.cy * sin,
      down: region.cy * cos - region.cx * sin,
    }),
  );
  const isInColumn = (one: (typeof placed)[number]) => {
    const { height } = one.region;
    const below = placed.filter(
      (other) =>
        Math.abs(other.across - one.across) <= COLUMN.across * height &&
        Math.abs(other.down - one.down) <= COLUMN.down * height,
    );
    return below.length >= COLUMN.fewest;
  };
  return placed.slice(0, found.length).flatMap((one) => (isInColumn(one) ? [one.region] : []));
}

/** The only glyph in the gap between a line and the next region of its row. */
function glyphAfter(
  picture: Picture,
  line: Region,
  index: number,
  regions: readonly Region[],
): Region | undefined {
  if (line.spine) return undefined;
  const { height } = line;
  const next = nextOnRow(line, index, regions);
  if (!next || next.region.spine) return undefined;
  const gap = next.from - line.width;
  if (gap < GAP.least * height || gap > GAP.most * height) return undefined;
  const edge = GAP.edge * height;
  const end = sliceOf(next.region, 0, 0);
  const start = sliceOf(line, line.width, line.width);
  // The row of a photographed page bends: the strip leads from the end of one region to the start of the next.
  const between: Region = {
    cx: (start.cx + end.cx) / 2,
    cy: (start.cy + end.cy) / 2,
    width: Math.hypot(end.cx - start.cx, end.cy - start.cy) - 2 * edge,
    height,
    angle: Math.atan2(end.cy - start.cy, end.cx - start.cx),
  };
  const strip = cutLine(picture, between, HEIGHT);
  if (isBlank(strip)) return undefined;
  const ink = inkIn(strip, levelsOf(cutLine(picture, line, HEIGHT)));
  if (!ink) return undefined;
  const scale = height / HEIGHT;
  return sliceOf(between, ink.from * scale - MARGIN * height, ink.to * scale + MARGIN * height);
}

function isBlank({ gray }: GrayImage): boolean {
  let [least, most] = [255, 0];
  for (const level of gray) {
    if (level < least) least = level;
    if (level > most) most = level;
  }
  return most - least < DARK * CONTRAST;
}

/** The levels of ink and paper in a line of text. */
function levelsOf({ gray }: GrayImage): { ink: number; paper: number } {
  const histogram = histogramOf(gray);
  const at = (share: number) => quantile(histogram, Math.floor(share * (gray.length - 1)) + 1);
  const [darkest, middle, lightest] = [at(0.03), at(0.5), at(0.97)];
  // Ink covers the smaller part of a line.
  return middle - darkest > lightest - middle
    ? { ink: darkest, paper: middle }
    : { ink: lightest, paper: middle };
}

/** The columns of the only character, or two, of a strip; undefined where it holds nothing or more. */
function inkIn(
  { gray, width, height }: GrayImage,
  { ink, paper }: { ink: number; paper: number },
): { from: number; to: number } | undefined {
  if (Math.abs(ink - paper) < CONTRAST) return undefined;
  const isInk = (level: number) => (level - paper) / (ink - paper) >= DARK;
  let [from, to, top, bottom, last] = [width, 0, height, 0, -1];
  for (let x = 0; x < width; x++) {
    let inked = false;
    for (let y = 0; y < height; y++) {
      if (!isInk(gray[y * width + x]!)) continue;
      inked = true;
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
    }
    if (!inked) continue;
    if (last >= 0 && x - last > GLYPH.inside * height) return undefined;
    last = x;
    from = Math.min(from, x);
    to = x + 1;
    if (to - from > GLYPH.widest * height) return undefined;
  }
  const tall = bottom - top;
  if (last < 0 || tall < GLYPH.lowest * height || tall > GLYPH.highest * height) return undefined;
  return { from, to };
}
