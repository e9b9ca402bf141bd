/** Finds which way up the page is: quarter turns and skew. The pixels stay where they are; the regions are redirected. */

import type { GrayImage, Picture } from '../picture/picture.ts';
import { cutLine } from './crop.ts';
import { type Region, redirected, runsSideways, sliceOf, wrapAngle } from './geometry.ts';

export interface Orientation<R extends Region> {
  /** The same regions in the same order, each in the direction in which its text reads. */
  regions: R[];
  /** Quarter turns clockwise by which the text lies on the picture: 0 to 3. */
  quarters: number;
  /** Radians clockwise in which the page's text runs on the picture, quarter turns included. */
  angle: number;
}

/** Says of lines by their looks alone whether they stand on their heads. */
export interface OrientationClassifier {
  /** Pixels; how high it wants its crops. */
  readonly cropHeight: number;
  /** The mean chance, 0 to 1, that the lines are upside down. `crops` must not be empty. */
  upsideDownChance(crops: readonly GrayImage[]): Promise<number>;
}

export interface OrientationModels {
  direction: OrientationClassifier;
  /** How well each region reads in the direction it has: any measure that is higher for text that stands upright. */
  legibility(regions: readonly Region[]): Promise<number[]>;
}

/** A region may run across the page when it is this many times higher than wide. */
const ACROSS = 1.9;
/** More tall regions than this are a pattern and no text: none of them is read sideways. */
const MOST_ACROSS = 300;
/** By how much the legibility must rise for a region to be turned. 1 is the legibility of one more sure character. */
const CLEARLY = 1.2;

/** Boxes asked for their direction: the widest ones say most, and of each its first stretch, in heights. */
const JURY = 8;
const STRETCH = 14;
/** The classifier is asked first; reading decides where it is not sure that the text stands upright. */
const SURELY_UPRIGHT = 0.25;

/** Decides how the page lies. `regions` have angles within 45 degrees of level, as detection gives them. */
export async function orientPage<R extends Region>(
  picture: Picture,
  regions: readonly R[],
  judges: OrientationModels,
): Promise<Orientation<R>> {
  const sideways = runsSideways(regions);
  const quarters = await whichOf(picture, regions, sideways ? [1, 3] : [0, 2], judges);
  const turned = regions.map((region) => ({ ...region, ...redirected(region, quarters) }));
  const angle = wrapAngle((quarters * Math.PI) / 2 + skewOf(regions, sideways));
  return { regions: await eachInItsDirection(turned, judges), quarters, angle };
}

/**
 * Turns tall regions into the direction in which they read best: titles of axes, spines of books, a sheet that lies across.
 * @param regions in the direction of the page
 */
async function eachInItsDirection<R extends Region>(
  regions: readonly R[],
  { legibility }: OrientationModels,
): Promise<R[]> {
  const across = [...regions.keys()].filter((i) => regions[i]!.height > ACROSS * regions[i]!.width);
  const turned = [...regions];
  if (across.length === 0 || across.length > MOST_ACROSS) return turned;
  const [asIs, right, left] = await Promise.all(
    [0, 1, -1].map((quarters) => legibility(across.map((i) => redirected(regions[i]!, quarters)))),
  );
  for (const [place, i] of across.entries()) {
    const best = Math.max(right![place]!, left![place]!);
    if (best < asIs![place]! + CLEARLY) continue;
    const quarters = right![place]! > left![place]! ? 1 : -1;
    turned[i] = { ...regions[i]!, ...redirected(regions[i]!, quarters) };
  }
  return turned;
}

/**
 * Quarter turns, 0 to 3, by which a region's text is turned clockwise against the page's.
 * @param angle of the page's text, radians
 */
export function quartersOf(region: Region, angle: number): number {
  return (Math.round(wrapAngle(region.angle - angle) / (Math.PI / 2)) + 4) % 4;
}

/**
 * The page's slant in radians clockwise: the median angle of the long lines, each with the weight of its length.
 * A short box says nothing: the least rectangle around a word of few letters may lie askew.
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
  const facing = (quarters: number) =>
    jury.map((region) => {
      const turned = redirected(region, quarters);
      return sliceOf(turned, 0, Math.min(turned.width, turned.height * STRETCH));
    });
  // A sideways page has no likelier side, so there both are always read; upright is by far the usual case otherwise.
  if (first === 0) {
    const crops = facing(first).map((region) => cutLine(picture, region, direction.cropHeight));
    if ((await direction.upsideDownChance(crops)) < SURELY_UPRIGHT) return first;
  }
  // The classifier alone flips right receipts; what reads better has the last word.
  const [upright, flipped] = [sum(await legibility(facing(first))), sum(await legibility(facing(second)))];
  return flipped > upright ? second : first;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
