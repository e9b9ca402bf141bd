/** Finds the lines of text on a picture: rotated rectangles, in no order yet. */
import sharp from 'sharp';
import { mapText, type RgbImage, type TextMap } from '../engines/paddle-detector.ts';
import type { Network } from '../engines/paddle-session.ts';
import { convexHull, leastRectangle, type Point, type Region } from './geometry.ts';
import type { Picture } from './picture.ts';

/** A line, or a part of one, as the network saw it. */
export interface TextRegion extends Region {
  /** 0 to 1: how sure the network is, on average over the region's core. */
  score: number;
}

const SETTINGS = {
  /** Longest side that a page is looked at with, in pixels. Below 1,200 small print is lost. */
  side: 1280,
  /** A strip is looked at as a stack of windows twice as long as wide, so that its short side decides the scale. */
  stripAspect: 2,
  /** Small pictures are enlarged, up to this factor and this longest side: 8-pixel text is not seen otherwise. */
  enlarge: 2,
  enlargeTo: 960,
  /**
   * Memory of one look grows with its pixels, by 250 MB for this many; more is not faster.
   * Each window sees this far beyond the seam with its neighbour.
   */
  windowPixels: 700_000,
  overlap: 96,
  /** Pixels count as text from here on; a region counts when its mean is at least `score`. */
  threshold: 0.3,
  score: 0.5,
  /** The network draws the core of a line; the line is larger by this share of area over circumference. */
  unclip: 1.6,
  /** In pixels of the map: specks below are noise. */
  leastPixels: 6,
  leastHeight: 3,
} as const;

/** Finds text regions. Coordinates are working pixels of `picture`. */
export async function detectText(picture: Picture, network: Network): Promise<TextRegion[]> {
  const scale = detectionScale(picture.width, picture.height);
  const image = await scaled(picture, scale);
  const map = await mapText(network, image, {
    pixels: SETTINGS.windowPixels,
    overlap: SETTINGS.overlap,
  });
  return regionsOf(map, image.width / picture.width, image.height / picture.height);
}

/** By which factor a picture is scaled before the network sees it. */
export function detectionScale(width: number, height: number): number {
  const long = Math.max(width, height);
  const short = Math.min(width, height);
  const enlarged = Math.min(SETTINGS.enlarge, SETTINGS.enlargeTo / long);
  if (enlarged > 1) return enlarged;
  const pageScale = SETTINGS.side / long;
  const stripScale = SETTINGS.side / SETTINGS.stripAspect / short;
  return Math.min(1, Math.max(pageScale, stripScale));
}

async function scaled(picture: Picture, scale: number): Promise<RgbImage> {
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const raw = Buffer.from(picture.rgb.buffer, picture.rgb.byteOffset, picture.rgb.byteLength);
  const data = await sharp(raw, {
    raw: { width: picture.width, height: picture.height, channels: 3 },
    limitInputPixels: false,
  })
    .resize({ width, height, fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer();
  return { data, width, height };
}

/** Connected areas of the map as rectangles, grown to the whole line. `sx`, `sy`: pixels of the map per working pixel. */
export function regionsOf(map: TextMap, sx: number, sy: number): TextRegion[] {
  const { data, width, height } = map;
  const threshold = SETTINGS.threshold * 255;
  const seen = new Uint8Array(data.length);
  const stack = new Int32Array(data.length);
  const left = new Int32Array(height);
  const right = new Int32Array(height);
  const regions: TextRegion[] = [];
  for (let start = 0; start < data.length; start++) {
    if (seen[start] || data[start]! <= threshold) continue;
    const area = flood(start);
    if (area.count < SETTINGS.leastPixels || area.sum < area.count * SETTINGS.score * 255) continue;
    const core = leastRectangle(convexHull(outline(area.top, area.bottom)));
    if (!core || Math.min(core.width * sx, core.height * sy) < SETTINGS.leastHeight) continue;
    const grow = (SETTINGS.unclip * core.width * core.height) / (core.width + core.height);
    regions.push({
      ...core,
      width: core.width + grow,
      height: core.height + grow,
      score: area.sum / area.count / 255,
    });
  }
  return regions;

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
      count++;
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
