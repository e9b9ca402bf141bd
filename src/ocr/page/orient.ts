/**
 * Finds the orientation of a page: rotation by multiples of 90 degrees, and skew. Only the regions are changed, not the
 * pixels.
 */

import { required } from '../checked.ts';
import type { Picture } from '../picture/picture.ts';
import type { GrayImage } from '../picture/pixels.ts';
import { type Region, redirected, runsSideways, sliceOf, wrapAngle } from './geometry.ts';
import { LineImage } from './line-image.ts';

export interface Orientation<R extends Region> {
  /** The same regions in the same order, each in the direction in which its text reads. */
  regions: R[];
  /** Quarter turns clockwise of the text on the picture: 0 to 3. */
  quarterTurns: number;
  /** Radians clockwise in which the page's text runs on the picture, quarter turns included. */
  angle: number;
}

/** The orientation classifier: from the image of lines, whether they are upside down. */
export interface OrientationClassifier {
  /** Height of its crops, in pixels. */
  readonly cropHeight: number;
  /** The mean probability, 0 to 1, that the lines are upside down. `crops` must not be empty. */
  upsideDownChance(crops: readonly GrayImage[]): Promise<number>;
}

export interface OrientationModels {
  direction: OrientationClassifier;
  /** How well each line reads in its direction: any measure that is higher for upright text. */
  legibility(lines: readonly LineImage[]): Promise<number[]>;
}

/** A region may be vertical text when it is this many times higher than wide. */
const ACROSS = 1.9;
/** More tall regions than this are a pattern and not text; none of them is read sideways. */
const MAX_ACROSS = 300;
/** By how much the legibility must rise for a region to be turned. 1 is the legibility of one more sure character. */
const CLEARLY = 1.2;
/**
 * The least legibility per line height of a turned region's length. Text has about 1.6 characters there, which are mostly sure; strokes
 * of handwriting reach 0.3.
 */
const DENSE = 0.45;

/** Number of boxes that the classifier judges: the widest ones, each by its first stretch, in heights. */
const JURY = 8;
const STRETCH = 14;
/** The classifier runs first; above this probability recognition decides. */
const SURELY_UPRIGHT = 0.25;

/**
 * Finds the orientation of a page. `regions` have angles within 45 degrees of horizontal, as the text detector returns
 * them.
 */
export async function orientPage<R extends Region>(
  picture: Picture,
  regions: readonly R[],
  judges: OrientationModels,
): Promise<Orientation<R>> {
  const sideways = runsSideways(regions);
  const quarterTurns = await whichOf(picture, regions, sideways ? [1, 3] : [0, 2], judges);
  const turned = regions.map((region) => ({ ...region, ...redirected(region, quarterTurns) }));
  const angle = wrapAngle((quarterTurns * Math.PI) / 2 + skewOf(regions, sideways));
  return { regions: await eachInItsDirection(picture, turned, judges), quarterTurns, angle };
}

/**
 * Rotates tall regions into the direction in which they are most legible: axis titles, book spines, a rotated sheet.
 * @param regions in the direction of the page
 */
async function eachInItsDirection<R extends Region>(
  picture: Picture,
  regions: readonly R[],
  { legibility }: OrientationModels,
): Promise<R[]> {
  const across = [...regions.keys()].filter((i) => regions[i]!.height > ACROSS * regions[i]!.width);
  const turned = [...regions];
  if (across.length === 0 || across.length > MAX_ACROSS) return turned;
  const [asIs, right, left] = await Promise.all(
    [0, 1, -1].map((quarterTurns) =>
      legibility(across.map((i) => new LineImage(picture, redirected(regions[i]!, quarterTurns)))),
    ),
  );
  for (const [place, i] of across.entries()) {
    const best = Math.max(required(right)[place]!, required(left)[place]!);
    const aspect = regions[i]!.height / regions[i]!.width;
    if (best < required(asIs)[place]! + CLEARLY || best < DENSE * aspect) continue;
    const quarterTurns = required(right)[place]! > required(left)[place]! ? 1 : -1;
    turned[i] = { ...regions[i]!, ...redirected(regions[i]!, quarterTurns) };
  }
  return turned;
}

/**
 * Quarter turns clockwise, 0 to 3, of a region's text relative to the page's.
 * @param angle of the page's text, radians
 */
export function quartersOf(region: Region, angle: number): number {
  return (Math.round(wrapAngle(region.angle - angle) / (Math.PI / 2)) + 4) % 4;
}

/**
 * The page's slant in radians clockwise: the median angle of the long lines, weighted by length.
 * Short boxes do not count: the least rectangle around a word of few letters may be slanted.
 */
export function skewOf(regions: readonly Region[], sideways: boolean): number {
  const lines: { along: number; angle: number }[] = [];
  for (const { width, height, angle } of regions) {
    const [along, across] = sideways ? [height, width] : [width, height];
    if (along > across * 3) lines.push({ along, angle });
  }
  lines.sort((a, b) => a.angle - b.angle);
  const half = lines.reduce((sum, { along }) => sum + along, 0) / 2;
  let seen = 0;
  for (const { along, angle } of lines) {
    seen += along;
    if (seen >= half) return angle;
  }
  return 0;
}

async function whichOf(
  picture: Picture,
  regions: readonly Region[],
  [first, second]: readonly [number, number],
  { direction, legibility }: OrientationModels,
): Promise<number> {
  if (regions.length === 0) return first;
  const jury = [...regions]
    .sort((a, b) => Math.max(b.width, b.height) - Math.max(a.width, a.height))
    .slice(0, JURY);
  const facing = (quarterTurns: number) =>
    jury.map((region) => {
      const turned = redirected(region, quarterTurns);
      return new LineImage(picture, sliceOf(turned, 0, Math.min(turned.width, turned.height * STRETCH)));
    });
  // Both directions of a sideways page are equally likely, so both are always read; otherwise upright is by far the usual
  // case.
  if (first === 0) {
    const crops = facing(first).map((line) => line.pixels(direction.cropHeight));
    if ((await direction.upsideDownChance(crops)) < SURELY_UPRIGHT) return first;
  }
  // The classifier alone turns some upright receipts upside down, so legibility decides.
  const [upright, flipped] = [sum(await legibility(facing(first))), sum(await legibility(facing(second)))];
  return flipped > upright ? second : first;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
