import type { Corners, Pixels, Point } from './perspective.ts';
import {
  crossing,
  type Equation,
  type Gradient,
  gradientOf,
  type Line,
  linesIn,
  lineThrough,
  type Planes,
  smoothed,
  turn,
} from './straight-lines.ts';

/*
 * Finds the sheet in a photograph: straight lines by a Hough transform of the color gradient, then the four of them
 * that best bound something of another color than what is around it. Written for pictures of about 400 pixels.
 */

/** Pairs of about one direction: a pattern of the desk must not take the places of the sheet. */
const MAX_PAIRS = 40;
/** Degrees. */
const DIRECTION = 6;
/** Opposite sides of a sheet differ by at most so many degrees, neighboring ones by at least so many. */
const OPPOSITE = 35;
const NEIGHBORING = 45;
/** Shares of the picture: the smallest sheet, and how far a corner may lie outside. */
const SMALLEST = 0.08;
const OUTSIDE = 0.04;
/** Of each side, how much of it must be seen as an edge. */
const MIN_OF_SIDE = 0.35;
const SAMPLES = 36;
const LOOKED_AT_CLOSELY = 40;

/** The corners of the sheet, in the picture's pixels; null where none is found. */
export function findSheet(picture: Pixels): Corners | null {
  const planes = smoothed(picture);
  const gradient = gradientOf(planes, picture);
  const pairs = pairsOf(linesIn(gradient), picture);
  const candidates: { corners: Corners; score: number }[] = [];
  for (const [at, one] of pairs.entries()) {
    for (const other of pairs.slice(at + 1)) {
      if (turn(one[0], other[0]) < NEIGHBORING) continue;
      const corners = cornersOf(one, other, picture);
      const score = corners ? scoreOf(corners, gradient, planes) : 0;
      if (corners && score > 0) candidates.push({ corners, score });
    }
  }
  let best: { corners: Corners; score: number } | null = null;
  for (const { corners, score } of candidates
    .toSorted((a, b) => b.score - a.score)
    .slice(0, LOOKED_AT_CLOSELY)) {
    const fitted = refined(corners, gradient, planes);
    const fits = fitted ? score * fitted.share ** 2 : 0;
    if (fitted && fits > (best?.score ?? 0)) best = { corners: fitted.corners, score: fits };
  }
  return best?.corners ?? null;
}

type Pair = readonly [Line, Line];

/** Lines that may be opposite sides, the likeliest first: many votes, far apart. */
function pairsOf(lines: readonly Line[], { width, height }: Pixels): Pair[] {
  const middle = { x: width / 2, y: height / 2 };
  const ranked: { pair: Pair; rank: number }[] = [];
  for (const [at, a] of lines.entries()) {
    for (const b of lines.slice(at + 1)) {
      if (turn(a, b) > OPPOSITE) continue;
      const sign = Math.abs(a.angle - b.angle) > 90 ? -1 : 1;
      const gap = Math.abs(
        a.distance -
          middle.x * a.cos -
          middle.y * a.sin -
          sign * (b.distance - middle.x * b.cos - middle.y * b.sin),
      );
      if (gap < 0.15 * Math.min(width, height)) continue;
      ranked.push({ pair: [a, b], rank: (a.votes + b.votes) * Math.sqrt(gap) });
    }
  }
  const kept = new Map<number, number>();
  return ranked
    .toSorted((a, b) => b.rank - a.rank)
    .filter(({ pair: [{ angle }] }) => {
      const direction = Math.floor(angle / DIRECTION);
      const count = (kept.get(direction) ?? 0) + 1;
      kept.set(direction, count);
      return count <= MAX_PAIRS;
    })
    .map(({ pair }) => pair);
}

/** The corners where two pairs of lines cross, in order; null where that is no sheet within the picture. */
function cornersOf([a, b]: Pair, [c, d]: Pair, { width, height }: Pixels): Corners | null {
  const points = [crossing(a, c), crossing(c, b), crossing(b, d), crossing(d, a)];
  const [margin, right, bottom] = [OUTSIDE * Math.max(width, height), width, height];
  for (const point of points) {
    if (!point) return null;
    if (point.x < -margin || point.y < -margin || point.x > right + margin || point.y > bottom + margin)
      return null;
  }
  const corners = inOrder(points as Point[]);
  return isConvex(corners) && areaOf(corners) >= SMALLEST * width * height ? corners : null;
}

/** Clockwise, the one nearest to the top left of the picture first. */
function inOrder(points: readonly Point[]): Corners {
  const middle = {
    x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
    y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
  };
  const around = points.toSorted(
    (a, b) => Math.atan2(a.y - middle.y, a.x - middle.x) - Math.atan2(b.y - middle.y, b.x - middle.x),
  );
  const nearest = around.reduce((best, point) => (point.x + point.y < best.x + best.y ? point : best));
  const first = around.indexOf(nearest);
  return [...around.slice(first), ...around.slice(0, first)] as unknown as Corners;
}

/** From each corner to the next. */
const sidesOf = ([a, b, c, d]: Corners) =>
  [
    [a, b],
    [b, c],
    [c, d],
    [d, a],
  ] as const;

/** Every corner turns the same way, and none is flat or a needle. */
function isConvex([a, b, c, d]: Corners): boolean {
  const turns = (before: Point, corner: Point, after: Point) => {
    const [ax, ay] = [corner.x - before.x, corner.y - before.y];
    const [bx, by] = [after.x - corner.x, after.y - corner.y];
    return ax * by - ay * bx > 0.35 * Math.hypot(ax, ay) * Math.hypot(bx, by);
  };
  return turns(d, a, b) && turns(a, b, c) && turns(b, c, d) && turns(c, d, a);
}

const areaOf = (corners: Corners): number =>
  Math.abs(sidesOf(corners).reduce((sum, [{ x, y }, next]) => sum + x * next.y - next.x * y, 0)) / 2;

/** Above 0: how well its sides are seen, how much its color differs from what is around it, and how large it is. */
function scoreOf(corners: Corners, gradient: Gradient, planes: Planes): number {
  const sides: number[] = [];
  for (const [from, to] of sidesOf(corners)) {
    const side = sideSupport(from, to, gradient);
    if (side < MIN_OF_SIDE) return 0;
    sides.push(side);
  }
  const mean = sides.reduce((sum, side) => sum + side, 0) / 4;
  const share = areaOf(corners) / (gradient.width * gradient.height);
  const { least } = contrastOf(corners, gradient, planes);
  return (mean + Math.min(...sides)) * (0.3 + Math.min(1, least / 25)) * share ** 0.3;
}

/** Points along a side, a little away from the corners, with the normal that points inside. */
function* along(from: Point, to: Point): Generator<Point & { nx: number; ny: number }> {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [nx, ny] = [-(to.y - from.y) / length, (to.x - from.x) / length];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const share = 0.03 + (0.94 * (sample + 0.5)) / SAMPLES;
    yield { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y), nx, ny };
  }
}

/**
 * 0 to 1: the share of a side that is an edge; 0 where it is less than needed. Thousands of sides are looked at, hence the
 * plain loop over every second sample.
 */
function sideSupport(from: Point, to: Point, { x: gx, y: gy, width, height, sure }: Gradient): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const [nx, ny] = [-dy / length, dx / length];
  const count = SAMPLES / 2;
  let sum = 0;
  for (let sample = 0; sample < count; sample += 1) {
    const share = 0.03 + (0.94 * (sample + 0.5)) / count;
    const [x, y] = [from.x + share * dx, from.y + share * dy];
    let most = 0;
    for (let off = -2; off <= 2; off += 1) {
      const [column, row] = [Math.round(x + off * nx), Math.round(y + off * ny)];
      if (column < 0 || row < 0 || column >= width || row >= height) continue;
      const at = row * width + column;
      most = Math.max(most, Math.abs(gx[at]! * nx + gy[at]! * ny));
    }
    sum += Math.min(1, most / sure);
    if (sum + count - sample - 1 < MIN_OF_SIDE * count) return 0;
  }
  return sum / count;
}

/** Pixels from a side at which its two grounds are compared. */
const BESIDE = 6;

/** A value for each of the planes. */
type OfPlanes = readonly [number, number, number];

interface Contrast {
  /** By how much the ground inside differs from that outside, in the same way along all four sides: the least of them. */
  least: number;
  /** In which way, as a unit vector of the planes. */
  way: OfPlanes;
}

/** Paper on a desk differs alike along all sides; a pattern of the desk is now brighter inside, now outside. */
function contrastOf(corners: Corners, size: Gradient, planes: Planes): Contrast {
  const sides = sidesOf(corners).map(([from, to]) => contrastAlong(from, to, size, planes));
  let [one, two, three] = [0, 0, 0];
  for (const [first, second, third] of sides) {
    one += first / 4;
    two += second / 4;
    three += third / 4;
  }
  const length = Math.hypot(one, two, three) || 1;
  const way: OfPlanes = [one / length, two / length, three / length];
  const inCommon = sides.map(([first, second, third]) => first * way[0] + second * way[1] + third * way[2]);
  return { least: Math.max(0, Math.min(...inCommon)), way };
}

/** The mean difference of each plane from outside a side to inside; a plain loop, as in `sideSupport`. */
function contrastAlong(
  from: Point,
  to: Point,
  { width, height }: Gradient,
  [first, second, third]: Planes,
): OfPlanes {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const [nx, ny] = [(-BESIDE * dy) / length, (BESIDE * dx) / length];
  let [one, two, three, count] = [0, 0, 0, 0];
  for (let sample = 0; sample < SAMPLES; sample += 2) {
    const share = 0.03 + (0.94 * (sample + 1)) / SAMPLES;
    const [x, y] = [from.x + share * dx, from.y + share * dy];
    const [ix, iy, ox, oy] = [Math.round(x + nx), Math.round(y + ny), Math.round(x - nx), Math.round(y - ny)];
    if (Math.min(ix, iy, ox, oy) < 0 || Math.max(ix, ox) >= width || Math.max(iy, oy) >= height) continue;
    const [inside, outside] = [iy * width + ix, oy * width + ox];
    one += first[inside]! - first[outside]!;
    two += second[inside]! - second[outside]!;
    three += third[inside]! - third[outside]!;
    count += 1;
  }
  return count === 0 ? [0, 0, 0] : [one / count, two / count, three / count];
}

/**
 * The corners where the sides cross once each is fitted to its edge, with fractions of pixels, and how much of the side that
 * is seen worst is an edge of paper; null where a side is not.
 */
function refined(
  corners: Corners,
  gradient: Gradient,
  planes: Planes,
): { corners: Corners; share: number } | null {
  const { way } = contrastOf(corners, gradient, planes);
  const paper = paperAt(planes, way, gradient);
  const sides = sidesOf(corners).map(([from, to]) => fittedSide(from, to, paper));
  const shares = sides.map((side) => side?.share ?? 0);
  const found = corners.map((_, at) => {
    const [before, after] = [sides[(at + 3) % 4], sides[at]];
    return before && after ? crossing(before.line, after.line) : null;
  });
  if (!found.every((point) => point !== null)) return null;
  return { corners: found as unknown as Corners, share: Math.min(...shares) };
}

/** How much the color at a place, between its pixels, is that of the paper and not of the desk. */
function paperAt([first, second, third]: Planes, [one, two, three]: OfPlanes, { width, height }: Gradient) {
  const valueAt = (at: number) => first[at]! * one + second[at]! * two + third[at]! * three;
  return (x: number, y: number): number => {
    const px = Math.min(Math.max(x, 0), width - 1.001);
    const py = Math.min(Math.max(y, 0), height - 1.001);
    const [left, top] = [Math.floor(px), Math.floor(py)];
    const [dx, dy] = [px - left, py - top];
    const at = top * width + left;
    const upper = valueAt(at) * (1 - dx) + valueAt(at + 1) * dx;
    const lower = valueAt(at + width) * (1 - dx) + valueAt(at + width + 1) * dx;
    return upper * (1 - dy) + lower * dy;
  };
}

/** Pixels on either side of a side within which its edge is looked for, in steps of half a pixel. */
const NEAR = 7;
/** Of the difference between paper and desk: less change is no edge of the paper. */
const CLEAR = 7;

/** A line through the places where paper begins near a side, and how much of the side has one; null for too few. */
function fittedSide(
  from: Point,
  to: Point,
  paper: (x: number, y: number) => number,
): { line: Equation; share: number } | null {
  let points: Point[] = [];
  for (const { x, y, nx, ny } of along(from, to)) {
    const changeAt = (off: number) =>
      paper(x + (off + 1) * nx, y + (off + 1) * ny) - paper(x + (off - 1) * nx, y + (off - 1) * ny);
    let [peak, most] = [0, 0];
    for (let off = -NEAR; off <= NEAR; off += 0.5) {
      const change = changeAt(off);
      if (change > most) [peak, most] = [off, change];
    }
    if (most < CLEAR || Math.abs(peak) === NEAR) continue;
    const [below, above] = [changeAt(peak - 0.5), changeAt(peak + 0.5)];
    const bend = below - 2 * most + above;
    const off = peak + (bend < 0 ? (0.5 * (below - above)) / (2 * bend) : 0);
    points.push({ x: x + off * nx, y: y + off * ny });
  }
  for (let within = 4; ; within /= 2) {
    if (points.length < SAMPLES * MIN_OF_SIDE) return null;
    const line = lineThrough(points);
    const near = points.filter(({ x, y }) => Math.abs(x * line.cos + y * line.sin - line.distance) < within);
    if (within < 1) return { line, share: near.length / SAMPLES };
    points = near;
  }
}
