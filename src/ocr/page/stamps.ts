/** Separates colored ink, such as a stamp's, from the dark print that it lies over. */
import type { Picture } from '../picture/picture.ts';
import { bytesForAll } from '../picture/pixels.ts';
import { boundsOf, median, type Region } from './geometry.ts';

/** Of 255: a color's channels differ by this at least, and those of dark print by no more than `dark`. */
const SATURATION = { colored: 60, dark: 45 } as const;
/** Dark print is below this, of 255, and paper above `paper`, which most of the page is. */
const LEVEL = { dark: 110, paper: 160 } as const;
/** Hues are counted in this many parts of the circle; a stamp has one of them and its neighbors. */
const HUES = 12;
/** Number of pixels that are sampled to find colored ink. */
const SAMPLES = 400_000;
/** Of all pixels, the colored ink. More is a picture. */
const SHARE = { least: 0.0008, most: 0.12 } as const;
/** A stamp's line is this many times longer than high; its frame and its emblem are not. */
const MIN_ASPECT = 1.5;
/** Radians and line heights: a stamp is turned against the page's lines by more, or larger. */
const TILT = 0.06;
const LARGE = 2.5;
/** Of a region's box, the part that one line covers where the region is a part of it. */
const ON_LINE = 0.5;
/** Of a layer's ink in a region, the most of other ink there where the region is the layer's. */
const ON_LAYER = 0.08;
/** A line is stamped over where this share of its colored columns has dark ink too; of so many lines at least. */
const STAMPED = { columns: 0.35, lines: 2, least: 0.1 } as const;

/**
 * The colored ink of a page alone, as dark print on white paper. Undefined where no colored ink lies over dark lines.
 * @param regions of the page's lines, in working pixels
 */
export function stampLayer(picture: Picture, regions: readonly Region[]): Picture | undefined {
  const { rgb, gray, width, height } = picture;
  const pixels = width * height;
  const counts = new Uint32Array(HUES);
  let [paper, sampled] = [0, 0];
  const step = Math.max(1, Math.floor(pixels / SAMPLES));
  for (let i = 0; i < pixels; i += step, sampled++) {
    if (gray[i]! > LEVEL.paper) paper++;
    const hue = hueAt(rgb, i);
    if (hue >= 0) counts[hue]!++;
  }
  if (paper < sampled / 2) return undefined;
  const hue = counts.indexOf(Math.max(...counts));
  const isOfHue = (i: number) => {
    const own = hueAt(rgb, i);
    return own >= 0 && Math.min((own - hue + HUES) % HUES, (hue - own + HUES) % HUES) <= 1;
  };
  const share = (counts[hue]! + counts[(hue + 1) % HUES]! + counts[(hue + HUES - 1) % HUES]!) / sampled;
  if (share < SHARE.least || share > SHARE.most) return undefined;
  const isDark = (i: number) => gray[i]! < LEVEL.dark && saturationAt(rgb, i) <= SATURATION.dark;
  const stamped = regions.filter((region) => isStamped(region, { width, height, isOfHue, isDark }));
  if (stamped.length < STAMPED.lines) return undefined;
  const layer = bytesForAll(pixels).fill(255);
  const colors = bytesForAll(3 * pixels).fill(255);
  for (let i = 0; i < pixels; i++) {
    if (!isOfHue(i)) continue;
    const level = 255 - Math.min(255, 2 * saturationAt(rgb, i));
    layer[i] = level;
    colors.fill(level, 3 * i, 3 * i + 3);
  }
  return { ...picture, gray: layer, rgb: colors };
}

/**
 * Of the regions that were found on a layer those that lie across the lines of the page. What lies on one of them or between
 * them, such as a colored word, is a part of the page.
 */
export function acrossLines<R extends Region>(found: readonly R[], lines: readonly Region[]): R[] {
  const boxes = lines.map(boundsOf);
  const [angle, height] = [median(lines.map((line) => line.angle)), median(lines.map((line) => line.height))];
  return found.filter((region) => {
    if (region.width < MIN_ASPECT * region.height) return false;
    const isOfPage = Math.abs(region.angle - angle) < TILT && region.height < LARGE * height;
    if (isOfPage) return false;
    const box = boundsOf(region);
    return boxes.every((line) => {
      const wide = Math.min(box.x + box.width, line.x + line.width) - Math.max(box.x, line.x);
      const high = Math.min(box.y + box.height, line.y + line.height) - Math.max(box.y, line.y);
      return wide <= 0 || high <= 0 || wide * high < ON_LINE * box.width * box.height;
    });
  });
}

/** Whether a region of the page shows a part of a stamp: it lies on one and holds hardly any ink but that of its layer. */
export function isPartOfStamp(
  region: Region,
  stamps: readonly Region[],
  picture: Picture,
  layer: Picture,
): boolean {
  const isOnStamp = stamps.some((stamp) => {
    const { x, y, width, height } = boundsOf(stamp);
    return region.cx >= x && region.cx <= x + width && region.cy >= y && region.cy <= y + height;
  });
  return isOnStamp && isOfLayer(region, picture, layer);
}

function isOfLayer(region: Region, picture: Picture, layer: Picture): boolean {
  const { left, right, top, bottom } = boxWithin(region, picture);
  let [own, other] = [0, 0];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const i = y * picture.width + x;
      if (layer.gray[i]! < LEVEL.paper) own++;
      else if (picture.gray[i]! < LEVEL.dark) other++;
    }
  }
  return own > 0 && other < ON_LAYER * own;
}

interface Inks {
  width: number;
  height: number;
  isOfHue(pixel: number): boolean;
  isDark(pixel: number): boolean;
}

function isStamped(region: Region, { width, height, isOfHue, isDark }: Inks): boolean {
  const { left, right, top, bottom } = boxWithin(region, { width, height });
  let [colored, both] = [0, 0];
  for (let x = left; x < right; x += 2) {
    let [hasColor, hasDark] = [false, false];
    for (let y = top; y < bottom; y += 2) {
      hasColor ||= isOfHue(y * width + x);
      hasDark ||= isDark(y * width + x);
    }
    if (hasColor) colored++;
    if (hasColor && hasDark) both++;
  }
  return 2 * colored > STAMPED.least * (right - left) && both > STAMPED.columns * colored;
}

function boxWithin(region: Region, { width, height }: { width: number; height: number }) {
  const box = boundsOf(region);
  return {
    left: Math.max(0, Math.floor(box.x)),
    right: Math.min(width, Math.ceil(box.x + box.width)),
    top: Math.max(0, Math.floor(box.y)),
    bottom: Math.min(height, Math.ceil(box.y + box.height)),
  };
}

function saturationAt(rgb: Uint8Array, i: number): number {
  const [red, green, blue] = [rgb[3 * i]!, rgb[3 * i + 1]!, rgb[3 * i + 2]!];
  return Math.max(red, green, blue) - Math.min(red, green, blue);
}

/** The part of the circle of hues that a pixel is in, 0 to 11; −1 for a gray one. */
function hueAt(rgb: Uint8Array, i: number): number {
  const [red, green, blue] = [rgb[3 * i]!, rgb[3 * i + 1]!, rgb[3 * i + 2]!];
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  if (range < SATURATION.colored) return -1;
  const sixth =
    most === red
      ? (green - blue) / range
      : most === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4;
  return Math.floor((((sixth + 6) % 6) * HUES) / 6) % HUES;
}
