/** Rotated rectangles on the working picture: the position of text before and after the page is turned upright. */
import { firstOf, itemAt, lastOf, pairwise, required } from '../checked.ts';
import type { Box, Point } from '../types.ts';

/**
 * A rotated rectangle in working pixels, origin at the top left, y downwards.
 * `angle` is the direction in which its text reads, in radians clockwise from "to the right";
 * `width` runs along that direction and `height` across it.
 */
export interface Region {
  cx: number;
  cy: number;
  width: number;
  height: number;
  angle: number;
  /** The center line of bent text: points of the picture along it, in any direction. */
  spine?: readonly Point[];
}

/** The smallest upright box around a rotated rectangle, in the same pixels. */
export function boundsOf(region: Region): Box {
  const cos = Math.abs(Math.cos(region.angle));
  const sin = Math.abs(Math.sin(region.angle));
  const width = region.width * cos + region.height * sin;
  const height = region.width * sin + region.height * cos;
  return { x: region.cx - width / 2, y: region.cy - height / 2, width, height };
}

/** The corners of a rotated rectangle as its text reads, from the top left on clockwise. */
export function cornersOf({ cx, cy, width, height, angle }: Region): Point[] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ] as const;
  return corners.map(([along, across]) => ({
    x: cx + (along * width * cos - across * height * sin) / 2,
    y: cy + (along * width * sin + across * height * cos) / 2,
  }));
}

/** The part of a region between two distances from its left edge, both in working pixels along the text. */
export function sliceOf<R extends Region>(region: R, from: number, to: number): R {
  const middle = (from + to) / 2 - region.width / 2;
  return {
    ...region,
    cx: region.cx + middle * Math.cos(region.angle),
    cy: region.cy + middle * Math.sin(region.angle),
    width: to - from,
  };
}

/**
 * The region on the page rotated by `-angle` about the origin, so that text of that angle is horizontal.
 * The result's own angle is the remaining slant of the line.
 */
export function levelled(region: Region, angle: number): Region {
  const cos = Math.cos(-angle);
  const sin = Math.sin(-angle);
  const turned = (x: number, y: number): Point => ({ x: x * cos - y * sin, y: x * sin + y * cos });
  const { x: cx, y: cy } = turned(region.cx, region.cy);
  const { spine } = region;
  return {
    ...region,
    cx,
    cy,
    angle: wrapAngle(region.angle - angle),
    ...(spine && { spine: spine.map(({ x, y }) => turned(x, y)) }),
  };
}

/** The same rectangle, read in a direction that is `quarterTurns` quarter turns clockwise from before. */
export function redirected(region: Region, quarterTurns: number): Region {
  const swapped = quarterTurns % 2 !== 0;
  return {
    ...region,
    width: swapped ? region.height : region.width,
    height: swapped ? region.width : region.height,
    angle: wrapAngle(region.angle + (quarterTurns * Math.PI) / 2),
  };
}

/**
 * How far the middle of a bent line lies from the straight one, at each of `count` places spread evenly over
 * `length` along the region's direction; working pixels, positive downwards as the text reads.
 */
export function bendOf({ cx, cy, angle, spine = [] }: Region, length: number, count: number): Float32Array {
  const bend = new Float32Array(count);
  if (spine.length < 2) return bend;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const places = spine
    .map(({ x, y }) => ({
      along: (x - cx) * cos + (y - cy) * sin + length / 2,
      across: (y - cy) * cos - (x - cx) * sin,
    }))
    .sort((a, b) => a.along - b.along);
  let next = 1;
  for (let i = 0; i < count; i++) {
    const along = ((i + 0.5) * length) / count;
    while (next < places.length - 1 && itemAt(places, next).along < along) next++;
    const [from, to] = [itemAt(places, next - 1), itemAt(places, next)];
    // Beyond its ends the spine continues straight.
    const share = (along - from.along) / (to.along - from.along || 1);
    bend[i] = from.across + (to.across - from.across) * Math.max(-0.5, Math.min(1.5, share));
  }
  return bend;
}

/** `count` points spread evenly along the middle of a region's text, in reading direction. */
export function courseOf(region: Region, count: number): Point[] {
  const { cx, cy, width, angle } = region;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return Array.from(bendOf(region, width, count), (across, i) => {
    const along = ((i + 0.5) / count - 0.5) * width;
    return { x: cx + along * cos - across * sin, y: cy + along * sin + across * cos };
  });
}

/** Number of points at which a bent line is straightened. */
const STRAIGHTENED = 8;

/** The straight rectangle along the middle of a part of a bent line. */
export function straightened(region: Region): Region {
  if (!region.spine) return region;
  const { spine: _, ...straight } = region;
  const course = courseOf(region, STRAIGHTENED);
  const [first, last] = [firstOf(course), lastOf(course)];
  return {
    ...straight,
    cx: course.reduce((sum, { x }) => sum + x, 0) / STRAIGHTENED,
    cy: course.reduce((sum, { y }) => sum + y, 0) / STRAIGHTENED,
    angle: Math.atan2(last.y - first.y, last.x - first.x),
  };
}

/** Above this share of box extent, the page's text runs up or down. */
const SIDEWAYS = 0.6;
/** A box has a clear direction when it is this many times longer than wide. */
const ELONGATED = 1.5;

/**
 * Whether the text of a picture is vertical, by the extent of its boxes, whose angles are within 45 degrees of
 * horizontal.
 */
export function runsSideways(regions: readonly Region[]): boolean {
  let sideways = 0;
  let level = 0;
  for (const { width, height } of regions) {
    if (height > width * ELONGATED) sideways += height;
    else if (width > height * ELONGATED) level += width;
  }
  return sideways > (sideways + level) * SIDEWAYS;
}

/** An angle brought into (-π, π]. */
export function wrapAngle(angle: number): number {
  const turn = 2 * Math.PI;
  const wrapped = ((angle % turn) + turn) % turn;
  return wrapped > Math.PI ? wrapped - turn : wrapped;
}

/** Twice the signed area of the triangle; above zero when `c` lies clockwise of the way from `a` to `b`. */
function turnOf(a: Point, b: Point, c: Point): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/** Convex hull by Andrew's monotone chain. `points` must be sorted by y, then by x. */
export function convexHull(points: readonly Point[]): Point[] {
  const chain = (ordered: Iterable<Point>): Point[] => {
    const hull: Point[] = [];
    for (const point of ordered) {
      while (hull.length > 1 && turnOf(required(hull.at(-2)), lastOf(hull), point) <= 0) hull.pop();
      hull.push(point);
    }
    hull.pop();
    return hull;
  };
  if (points.length < 3) return [...points];
  return [...chain(points), ...chain([...points].reverse())];
}

/**
 * The rectangle of least area around a convex hull, by trying each edge's direction (one of them is optimal).
 * Its angle lies in (-π/4, π/4]; the reading direction of the text is not known yet. Undefined for fewer than three points.
 */
export function minimumAreaRectangle(hull: readonly Point[]): Region | undefined {
  if (hull.length < 3) return undefined;
  let best: Region | undefined;
  let bestArea = Number.POSITIVE_INFINITY;
  for (const [from, to] of pairwise([...hull, firstOf(hull)])) {
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    if (length === 0) continue;
    const cos = (to.x - from.x) / length;
    const sin = (to.y - from.y) / length;
    let left = Number.POSITIVE_INFINITY;
    let right = Number.NEGATIVE_INFINITY;
    let top = Number.POSITIVE_INFINITY;
    let bottom = Number.NEGATIVE_INFINITY;
    for (const { x, y } of hull) {
      const along = x * cos + y * sin;
      const across = y * cos - x * sin;
      if (along < left) left = along;
      if (along > right) right = along;
      if (across < top) top = across;
      if (across > bottom) bottom = across;
    }
    const area = (right - left) * (bottom - top);
    if (area >= bestArea) continue;
    bestArea = area;
    const along = (left + right) / 2;
    const across = (top + bottom) / 2;
    best = {
      cx: along * cos - across * sin,
      cy: along * sin + across * cos,
      width: right - left,
      height: bottom - top,
      angle: Math.atan2(sin, cos),
    };
  }
  return best && flattest(best);
}

/** Of a rectangle's four descriptions, the one whose angle is nearest to horizontal. */
function flattest(region: Region): Region {
  let upright = { ...region, angle: wrapAngle(region.angle) };
  while (upright.angle > Math.PI / 4) upright = redirected(upright, -1);
  while (upright.angle <= -Math.PI / 4) upright = redirected(upright, 1);
  return upright;
}

/**
 * The nearest region to the right on a line's row. `from`: its left edge, from the left edge of the line.
 * @param index of the line among the regions
 */
export function nextOnRow<R extends Region>(
  line: Region,
  index: number,
  regions: readonly R[],
): { index: number; region: R; from: number } | undefined {
  const [cos, sin] = [Math.cos(line.angle), Math.sin(line.angle)];
  let nearest: { index: number; region: R; from: number } | undefined;
  for (const [other, region] of regions.entries()) {
    if (other === index) continue;
    const [x, y] = [region.cx - line.cx, region.cy - line.cy];
    const along = x * cos + y * sin;
    if (along < 0 || Math.abs(y * cos - x * sin) > line.height / 2) continue;
    const from = along - region.width / 2 + line.width / 2;
    if (!nearest || from < nearest.from) nearest = { index: other, region, from };
  }
  return nearest;
}

/** The median, the upper one of two; 0 for an empty list. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
