/** The text detector: finds the lines of a picture as rotated rectangles, in no particular order. */
import { itemAt } from '../checked.ts';
import type { Picture } from '../picture/picture.ts';
import type { RgbImage } from '../picture/pixels.ts';
import type { Point } from '../types.ts';
import { bentRegion, joinedAtCreases } from './bent-lines.ts';
import {
  boundsOf,
  convexHull,
  minimumAreaRectangle,
  type Region,
  redirected,
  runsSideways,
  sliceOf,
} from './geometry.ts';

/** For each pixel of an image, the probability that it is in the core of a text line. */
export interface TextMap {
  /** 0 to 255 for a probability of 0 to 1; one byte a pixel, at the size of the network's input. */
  data: Uint8Array;
  width: number;
  height: number;
}

/** The network and the scaling that detection uses. */
export interface TextDetector {
  /** The image at another size. */
  scale(image: RgbImage, width: number, height: number): Promise<RgbImage>;
  mapText(image: RgbImage): Promise<TextMap>;
}

/** A line, or a part of one, as the network detected it. */
export interface TextRegion extends Region {
  /** 0 to 1: the network's mean score over the region's core. */
  score: number;
}

const SETTINGS = {
  /** Longest side of a page at detection, in pixels. Below 1,200 small print is lost. */
  side: 1280,
  /** A strip is detected as a stack of windows twice as long as wide, so that its short side decides the scale. */
  stripAspect: 2,
  /**
   * Resolution for a page whose paper size is known, equal to that of an A4 page: the letters of a large plan are no larger.
   */
  dotsPerInch: 109,
  /** Small pictures are enlarged, up to this factor and this longest side: the network misses 8-pixel text otherwise. */
  enlarge: 2,
  enlargeTo: 960,
  /** Pixels count as text from this value on; a region counts when its mean is at least `score`. */
  threshold: 0.3,
  score: 0.5,
  /** The network draws the core of a line; the line is larger by this share of area over circumference. */
  unclip: 1.6,
  /** In pixels of the map: smaller areas are noise. */
  leastPixels: 6,
  leastHeight: 3,
  /** Print has at least this contrast, of 255. */
  leastContrast: 8,
} as const;

/**
 * When a page is detected once more at a larger scale: its lines stand so close that the network merges them. This applies to
 * every second page of newspapers, papers, books and spreads.
 */
const CLOSER = {
  /** Line distance, in pixels of the map, below which lines merge. */
  pitch: 20,
  /** The wanted distance, reached by a factor of at most `most`: memory grows with its square. */
  pitchWanted: 24,
  most: 2,
  /** Share of a full page that its lines cover from one to the next; margins are the rest. */
  printed: 0.75,
  /** Where this share of a page's text bends, lines stand closer in places, and more than margins surrounds the page. */
  bent: 0.2,
  /** Lines side by side are not neighbors: two lines overlap by this share of the shorter one. */
  over: 0.3,
} as const;

/**
 * Finds text regions. Coordinates are working pixels of `picture`, angles within 45 degrees of horizontal: vertical text
 * has regions that are higher than wide. `inColumns`: the script is written downwards.
 */
export async function detectText(
  picture: Picture,
  detector: TextDetector,
  { inColumns = false } = {},
): Promise<TextRegion[]> {
  const scale = detectionScale(picture);
  const found = await detectAtScale(picture, detector, scale, inColumns);
  const closer = Math.min(1, scale * closerBy(found, picture, scale));
  return closer > scale ? detectAtScale(picture, detector, closer, inColumns) : found;
}

async function detectAtScale(
  { rgb, width, height }: Picture,
  detector: TextDetector,
  scale: number,
  inColumns: boolean,
): Promise<TextRegion[]> {
  const length = (side: number) => Math.max(1, Math.round(side * scale));
  const image = await detector.scale({ data: rgb, width, height }, length(width), length(height));
  const [sx, sy] = [image.width / width, image.height / height];
  const hasInk = (region: Region) => {
    const { x, y, width: wide, height: high } = boundsOf(region);
    return hasContrast(image, { left: x * sx, right: (x + wide) * sx, top: y * sy, bottom: (y + high) * sy });
  };
  const found = regionsOf(await detector.mapText(image), sx, sy).filter(hasInk);
  if (inColumns || !runsSideways(found)) return found;
  // The network was trained on horizontal text: in vertical text it merges some lines and misses others.
  const map = await detector.mapText(turnedRight(image, 3));
  return regionsOf(turnedRight(turnedRight(turnedRight(map, 1), 1), 1), sx, sy).filter(hasInk);
}

/**
 * Whether a part of an image has any contrast, by its green values: on a uniform background the network detects text
 * everywhere. Edges in pixels of the image; they may be outside of it.
 */
export function hasContrast(
  { data, width, height }: RgbImage,
  { left, right, top, bottom }: { left: number; right: number; top: number; bottom: number },
): boolean {
  const [lastX, lastY] = [Math.min(width, right), Math.min(height, bottom)];
  let [least, most] = [255, 0];
  for (let y = Math.max(0, Math.floor(top)); y < lastY; y++) {
    for (let x = Math.max(0, Math.floor(left)); x < lastX; x++) {
      const green = data[(y * width + x) * 3 + 1]!;
      if (green < least) least = green;
      if (green > most) most = green;
    }
    if (most - least >= SETTINGS.leastContrast) return true;
  }
  return false;
}

/**
 * The factor by which a page has to be enlarged to separate its lines; 1 where they are separate. The boxes of merged lines
 * cover more than the page: their height over the covered area gives the distance of lines.
 */
export function closerBy(
  regions: readonly Region[],
  { width, height }: { width: number; height: number },
  scale: number,
): number {
  const lines = regions
    .map((region) => ({
      across: Math.min(region.width, region.height),
      along: Math.max(region.width, region.height),
    }))
    .sort((a, b) => a.across - b.across);
  const total = lines.reduce((sum, { along }) => sum + along, 0);
  const covered = lines.reduce((sum, { along, across }) => sum + along * across, 0) / (width * height);
  let seen = 0;
  const low = lines.find(({ along }) => {
    seen += along;
    return seen >= total / 4;
  });
  if (!low) return 1;
  const room = (low.across * CLOSER.printed) / covered;
  const pitch = scale * Math.min(room, pitchOfBent(regions) ?? room);
  return pitch > CLOSER.pitch ? 1 : Math.min(CLOSER.most, CLOSER.pitchWanted / pitch);
}

/** Line distance where lines stand closest (the lower quartile by length), or undefined on a page that is not bent. */
function pitchOfBent(regions: readonly Region[]): number | undefined {
  const lengthOf = (some: readonly Region[]) => some.reduce((sum, { width }) => sum + width, 0);
  if (lengthOf(regions.filter(({ spine }) => spine)) < CLOSER.bent * lengthOf(regions)) return undefined;
  const lines = regions.filter(({ width, height }) => width > 2 * height).sort((a, b) => a.cy - b.cy);
  const steps = lines.flatMap((line, i) => {
    const { sin, cos } = { sin: Math.sin(line.angle), cos: Math.cos(line.angle) };
    for (const other of lines.slice(i + 1)) {
      if (other.cy - line.cy > line.width) return [];
      const shared =
        (line.width + other.width) / 2 -
        Math.max(Math.abs(other.cx - line.cx), Math.abs(line.width - other.width) / 2);
      const step = (other.cy - line.cy) * cos - (other.cx - line.cx) * sin;
      const isNext = step > Math.min(line.height, other.height) / 2;
      if (isNext && shared > CLOSER.over * Math.min(line.width, other.width))
        return [{ step, length: line.width }];
    }
    return [];
  });
  return quartile(steps);
}

/** The lower quartile of steps, weighted by length. */
function quartile(steps: readonly { step: number; length: number }[]): number | undefined {
  const total = steps.reduce((sum, { length }) => sum + length, 0);
  let seen = 0;
  return steps
    .toSorted((a, b) => a.step - b.step)
    .find(({ length }) => {
      seen += length;
      return seen >= total / 4;
    })?.step;
}

/** An image of bytes, rotated by 90 degrees clockwise. */
function turnedRight({ data, width, height }: RgbImage, channels: number): RgbImage {
  const turned = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * channels;
      const to = (x * height + height - 1 - y) * channels;
      for (let channel = 0; channel < channels; channel++) turned[to + channel] = data[from + channel]!;
    }
  }
  return { data: turned, width: height, height: width };
}

/** The factor by which a picture is scaled for the network. */
export function detectionScale({
  width,
  height,
  dotsPerInch,
}: Pick<Picture, 'width' | 'height' | 'dotsPerInch'>): number {
  const long = Math.max(width, height);
  const short = Math.min(width, height);
  const enlarged = Math.min(SETTINGS.enlarge, SETTINGS.enlargeTo / long);
  if (enlarged > 1) return enlarged;
  const pageScale = SETTINGS.side / long;
  const stripScale = SETTINGS.side / SETTINGS.stripAspect / short;
  const onPaper = dotsPerInch === undefined ? 0 : SETTINGS.dotsPerInch / dotsPerInch;
  return Math.min(1, Math.max(pageScale, stripScale, onPaper));
}

/** Connected areas of the map as rectangles, grown to the whole line. `sx`, `sy`: pixels of the map per working pixel. */
export function regionsOf(map: TextMap, sx: number, sy: number): TextRegion[] {
  const { data, width, height } = map;
  const threshold = SETTINGS.threshold * 255;
  const seen = new Uint8Array(data.length);
  const stack = new Int32Array(data.length);
  /** The pixels of the last flooded area. */
  const visited = new Int32Array(data.length);
  const left = new Int32Array(height);
  const right = new Int32Array(height);
  const cores: TextRegion[] = [];
  for (let start = 0; start < data.length; start++) {
    if (seen[start] || data[start]! <= threshold) continue;
    const area = flood(start);
    if (area.count < SETTINGS.leastPixels || area.sum < area.count * SETTINGS.score * 255) continue;
    const core = minimumAreaRectangle(convexHull(outline(area.top, area.bottom)));
    if (!core || Math.min(core.width * sx, core.height * sy) < SETTINGS.leastHeight) continue;
    const score = area.sum / area.count / 255;
    cores.push({ ...(bent(core, area.count) ?? core), score });
  }
  return grown(cores);

  /** Visits one area; leaves each of its rows' extent in `left` and `right`. */
  function flood(start: number): { count: number; sum: number; top: number; bottom: number } {
    let depth = 0;
    let count = 0;
    let sum = 0;
    const top = Math.floor(start / width);
    let bottom = top - 1;
    const visit = (pixel: number): void => {
      if (seen[pixel] || data[pixel]! <= threshold) return;
      seen[pixel] = 1;
      stack[depth++] = pixel;
    };
    visit(start);
    while (depth > 0) {
      const pixel = stack[--depth]!;
      const y = Math.floor(pixel / width);
      const x = pixel - y * width;
      visited[count++] = pixel;
      sum += data[pixel]!;
      // The scan meets an area at its topmost row, and rows below are first met in order.
      for (; bottom < y; bottom++) {
        left[bottom + 1] = width;
        right[bottom + 1] = -1;
      }
      if (x < left[y]!) left[y] = x;
      if (x > right[y]!) right[y] = x;
      if (x > 0) visit(pixel - 1);
      if (x < width - 1) visit(pixel + 1);
      if (y > top) visit(pixel - width);
      if (y < height - 1) visit(pixel + width);
    }
    return { count, sum, top, bottom };
  }

  /** The last flooded area as a bent line; undefined when it is straight. */
  function bent(core: Region, count: number): Region | undefined {
    return bentRegion(core, visited.subarray(0, count), width, sx, sy);
  }

  /** Corners of the area's pixels, row by row, in working pixels. */
  function outline(top: number, bottom: number): Point[] {
    const points: Point[] = [];
    for (let edge = top; edge <= bottom + 1; edge++) {
      const above = Math.max(top, edge - 1);
      const below = Math.min(bottom, edge);
      const from = Math.min(left[above]!, left[below]!);
      const to = Math.max(right[above]!, right[below]!) + 1;
      points.push({ x: from / sx, y: edge / sy }, { x: to / sx, y: edge / sy });
    }
    return points;
  }
}

/**
 * Regions grown from the core, which the network draws, to the whole line. Two neighbors on one line grow to the middle
 * between them at most: a letter at the edge would otherwise be read in both.
 */
function grown(cores: readonly TextRegion[]): TextRegion[] {
  const sideways = runsSideways(cores);
  // A vertical page is treated as a page rotated by 90 degrees.
  const level = joinedAtCreases(cores.map((core) => (sideways ? { ...core, ...redirected(core, 1) } : core)));
  const lines = level.map((core) => {
    const growth = (SETTINGS.unclip * core.width * core.height) / (core.width + core.height);
    return { core, growth, before: growth / 2, after: growth / 2 };
  });
  const downwards = lines.toSorted((a, b) => a.core.cy - b.core.cy);
  for (const [place, line] of downwards.entries()) {
    const one = line.core;
    for (let next = place + 1; next < downwards.length; next++) {
      const neighbor = itemAt(downwards, next);
      const other = neighbor.core;
      const [dx, dy] = [other.cx - one.cx, other.cy - one.cy];
      if (dy > one.width + one.height) break;
      const { angle } = one.width > other.width ? one : other;
      const across = dy * Math.cos(angle) - dx * Math.sin(angle);
      if (Math.abs(across) > Math.min(one.height, other.height) / 2) continue;
      const along = dx * Math.cos(angle) + dy * Math.sin(angle);
      const share = (Math.abs(along) - (one.width + other.width) / 2) / 2;
      if (share < 0) continue;
      const [first, second] = along > 0 ? [line, neighbor] : [neighbor, line];
      first.after = Math.min(first.after, share);
      second.before = Math.min(second.before, share);
    }
  }
  return lines.map(({ core, growth, before, after }) => {
    const { cx, cy } = sliceOf(core, -before, core.width + after);
    const whole = { ...core, cx, cy, width: core.width + before + after, height: core.height + growth };
    return sideways ? { ...whole, ...redirected(whole, -1) } : whole;
  });
}
