/** Finds all text on a page, upright and in its own direction. */
import type { Picture } from '../picture/picture.ts';
import { columnGlyphs } from './column-glyphs.ts';
import { detectText, type TextDetector, type TextRegion } from './detect.ts';
import { type DropCap, findDropCaps } from './drop-caps.ts';
import type { Region } from './geometry.ts';
import { isolatedGlyphs } from './isolated-glyphs.ts';
import { alongLeaders } from './leaders.ts';
import { LineImage } from './line-image.ts';
import { type Orientation, type OrientationModels, orientPage } from './orient.ts';
import { withOuterUnderscores } from './outer-underscores.ts';
import { type DisplayNumber, displayNumbers } from './seven-segments.ts';
import { acrossLines, isPartOfStamp, stampLayer } from './stamps.ts';

/** The lines of a page; `regions` are those that the text detector found, without those of stamps. */
export interface PageLines extends Orientation<TextRegion> {
  /** The text lines, in the order of `regions`. */
  lines: LineImage<TextRegion>[];
  /** Single characters: signs alone on a line, those in a column of a table, and drop caps. */
  glyphs: LineImage[];
  /** Single signs alone on a line. */
  signs: Region[];
  dropCaps: DropCap<TextRegion>[];
  /** Numbers on seven-segment displays; no region of the text detector covers them. */
  numbers: (Pick<DisplayNumber, 'characters'> & { image: LineImage })[];
  /** Text that lies across the lines in another color, such as stamps, without other colors. */
  stamps: LineImage<TextRegion>[];
  /**
   * Extends lines over the underscores around them that the text detector left out; unchanged lines are the same objects.
   * Absent if the picture shows the page rotated.
   */
  overUnderscores?: (lines: readonly LineImage[]) => LineImage[];
}

/**
 * @param options `inColumns`: the script is written downwards. `onFound` receives the detected regions, within 45 degrees
 * of horizontal
 */
export async function findLines(
  picture: Picture,
  detector: TextDetector,
  models: OrientationModels,
  { inColumns, onFound }: { inColumns: boolean; onFound?: (found: readonly TextRegion[]) => void },
): Promise<PageLines> {
  const found = await detectText(picture, detector, { inColumns });
  onFound?.(found);
  const oriented = await orientPage(picture, found, models);
  const { quarterTurns, angle } = oriented;
  // Searches for undetected text need the lines of an upright page.
  const liesAsRead = quarterTurns === 0 && !inColumns;
  const whole = liesAsRead ? alongLeaders(picture, oriented.regions, angle) : oriented.regions;
  const layer = inColumns ? undefined : stampLayer(picture, whole);
  const stamped = layer ? acrossLines(await detectText(layer, detector), whole) : [];
  const numbers = liesAsRead ? displayNumbers(picture) : [];
  const regions = whole.filter(
    (region) =>
      !(layer && isPartOfStamp(region, stamped, picture, layer)) &&
      !numbers.some((number) => isInside(region, number.region)),
  );
  const signs = liesAsRead ? isolatedGlyphs(picture, regions) : [];
  const inTables = liesAsRead ? columnGlyphs(picture, regions, angle) : [];
  const dropCaps = inColumns ? [] : findDropCaps(picture, regions, angle);
  const imageOf = <R extends Region>(region: R) => new LineImage(picture, region);
  return {
    regions,
    quarterTurns,
    angle,
    lines: regions.map(imageOf),
    glyphs: [...signs, ...inTables, ...dropCaps.map(({ region }) => region)].map(imageOf),
    signs,
    dropCaps,
    numbers: numbers.map(({ region, characters }) => ({ image: imageOf(region), characters })),
    stamps: layer ? stamped.map((region) => new LineImage(layer, region)) : [],
    ...(liesAsRead && { overUnderscores: (lines) => withOuterUnderscores(picture, lines) }),
  };
}

/** Whether the center of a region is in a horizontal one. */
const isInside = ({ cx, cy }: Region, { cx: x, cy: y, width, height }: Region): boolean =>
  Math.abs(cx - x) <= width / 2 && Math.abs(cy - y) <= height / 2;
