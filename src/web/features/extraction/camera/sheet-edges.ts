import type { Corners, Pixels, Point } from './perspective.ts';
import {
  angleBetween,
  crossing,
  type Equation,
  type Gradient,
  gradientOf,
  type Line,
  linesIn,
  lineThrough,
  type Planes,
  smoothPlanes,
} from './straight-lines.ts';

/*
 * Finds the sheet in a photograph: detects straight lines by a Hough transform of the color gradient, then selects the four
 * lines whose inside differs most in color from the outside. Designed for pictures of about 400 pixels.
 */

/** Maximum line pairs per direction, so that a pattern of the desk does not displace the pairs of the sheet. */
const MAX_PAIRS = 40;
/** Width of a direction in degrees. */
const DIRECTION_BIN = 6;
/** Degrees: opposite sides of a sheet differ by at most the first angle, neighboring sides by at least the second. */
const MAX_OPPOSITE_ANGLE = 35;
const MIN_NEIGHBOR_ANGLE = 45;
/** Shares of the picture: the minimum area of a sheet, and the maximum distance of a corner outside of the picture. */
const MIN_AREA_SHARE = 0.08;
const MAX_OUTSIDE_SHARE = 0.04;
/** The minimum share of each side that must be an edge. */
const MIN_EDGE_SHARE = 0.35;
const SAMPLES = 36;
const MAX_REFINED = 40;

/** The corners of the sheet in the picture's pixels; null if no sheet is found. */
export function findSheet(picture: Pixels): Corners | null {
  const planes = smoothPlanes(picture);
  const gradient = gradientOf(planes, picture);
  const pairs = pairsOf(linesIn(gradient), picture);
  const candidates: { corners: Corners; score: number }[] = [];
  for (const [at, one] of pairs.entries()) {
    for (const other of pairs.slice(at + 1)) {
      if (angleBetween(one[0], other[0]) < MIN_NEIGHBOR_ANGLE) continue;
      const corners = cornersOf(one, other, picture);
      const score = corners ? scoreOf(corners, gradient, planes) : 0;
      if (corners && score > 0) candidates.push({ corners, score });
    }
  }
  let best: { corners: Corners; score: number } | null = null;
  for (const { corners, score } of candidates.toSorted((a, b) => b.score - a.score).slice(0, MAX_REFINED)) {
    const fitted = refineCorners(corners, gradient, planes);
    const fits = fitted ? score * fitted.share ** 2 : 0;
    if (fitted && fits > (best?.score ?? 0)) best = { corners: fitted.corners, score: fits };
  }
  return best?.corners ?? null;
}

type Pair = readonly [Line, Line];

/** Pairs of lines that may be opposite sides, the likeliest first: those with many votes and a large distance. */
function pairsOf(lines: readonly Line[], { width, height }: Pixels): Pair[] {
  const middle = { x: width / 2, y: height / 2 };
  const ranked: { pair: Pair; rank: number }[] = [];
  for (const [at, a] of lines.entries()) {
    for (const b of lines.slice(at + 1)) {
      if (angleBetween(a, b) > MAX_OPPOSITE_ANGLE) continue;
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
      const direction = Math.floor(angle / DIRECTION_BIN);
      const count = (kept.get(direction) ?? 0) + 1;
      kept.set(direction, count);
      return count <= MAX_PAIRS;
    })
    .map(({ pair }) => pair);
}

/** The corners where two pairs of lines cross, clockwise; null if they are no sheet within the picture. */
function cornersOf([a, b]: Pair, [c, d]: Pair, { width, height }: Pixels): Corners | null {
  const points = [crossing(a, c), crossing(c, b), crossing(b, d), crossing(d, a)];
  const [margin, right, bottom] = [MAX_OUTSIDE_SHARE * Math.max(width, height), width, height];
  for (const point of points) {
    if (!point) return null;
    if (point.x < -margin || point.y < -margin || point.x > right + margin || point.y > bottom + margin)
      return null;
  }
  const corners = sortClockwise(points as Point[]);
  return isConvex(corners) && areaOf(corners) >= MIN_AREA_SHARE * width * height ? corners : null;
}

/** Sorts points clockwise, the one nearest to the top left of the picture first. */
function sortClockwise(points: readonly Point[]): Corners {
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

/** The sides, each from a corner to the next one. */
const sidesOf = ([a, b, c, d]: Corners) =>
  [
    [a, b],
    [b, c],
    [c, d],
    [d, a],
  ] as const;

/** Whether all corners turn in the same direction and none is nearly flat or very acute. */
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

/** The score of a sheet by the visibility of its sides, its contrast to the surroundings and its size; 0 for no sheet. */
function scoreOf(corners: Corners, gradient: Gradient, planes: Planes): number {
  const sides: number[] = [];
  for (const [from, to] of sidesOf(corners)) {
    const side = sideSupport(from, to, gradient);
    if (side < MIN_EDGE_SHARE) return 0;
    sides.push(side);
  }
  const mean = sides.reduce((sum, side) => sum + side, 0) / 4;
  const share = areaOf(corners) / (gradient.width * gradient.height);
  const { min } = contrastOf(corners, gradient, planes);
  return (mean + Math.min(...sides)) * (0.3 + Math.min(1, min / 25)) * share ** 0.3;
}

/** Sample points along a side, at some distance from the corners, with the normal that points inside. */
function* along(from: Point, to: Point): Generator<Point & { nx: number; ny: number }> {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [nx, ny] = [-(to.y - from.y) / length, (to.x - from.x) / length];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const share = 0.03 + (0.94 * (sample + 0.5)) / SAMPLES;
    yield { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y), nx, ny };
  }
}

/**
 * The share of a side that is an edge, 0 to 1; 0 if it is less than `MIN_EDGE_SHARE`. A plain loop over every second sample,
 * because it runs for thousands of sides.
 */
function sideSupport(from: Point, to: Point, { x: gx, y: gy, width, height, strongEdge }: Gradient): number {
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
    sum += Math.min(1, most / strongEdge);
    if (sum + count - sample - 1 < MIN_EDGE_SHARE * count) return 0;
  }
  return sum / count;
}

/** Distance from a side in pixels at which the colors inside and outside are compared. */
const CONTRAST_OFFSET = 6;

/** One value per plane. */
type PlaneVector = readonly [number, number, number];

interface Contrast {
  /** The minimum over the four sides of the color difference from outside to inside along `direction`. */
  min: number;
  /** The mean direction of the color difference, as a unit vector. */
  direction: PlaneVector;
}

/**
 * The contrast between inside and outside. Paper on a desk differs in the same direction along all sides; a pattern of the
 * desk is brighter inside along some sides and brighter outside along others.
 */
function contrastOf(corners: Corners, size: Gradient, planes: Planes): Contrast {
  const sides = sidesOf(corners).map(([from, to]) => contrastAlong(from, to, size, planes));
  let [one, two, three] = [0, 0, 0];
  for (const [first, second, third] of sides) {
    one += first / 4;
    two += second / 4;
    three += third / 4;
  }
  const length = Math.hypot(one, two, three) || 1;
  const direction: PlaneVector = [one / length, two / length, three / length];
  const inCommon = sides.map(
    ([first, second, third]) => first * direction[0] + second * direction[1] + third * direction[2],
  );
  return { min: Math.max(0, Math.min(...inCommon)), direction };
}

/** The mean difference of each plane from outside a side to inside; a plain loop like in `sideSupport`. */
function contrastAlong(
  from: Point,
  to: Point,
  { width, height }: Gradient,
  [first, second, third]: Planes,
): PlaneVector {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const [nx, ny] = [(-CONTRAST_OFFSET * dy) / length, (CONTRAST_OFFSET * dx) / length];
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
 * Fits each side to its edge and returns the corners with subpixel precision, and the smallest share of a side that is an
 * edge of the paper; null if a side has no edge.
 */
function refineCorners(
  corners: Corners,
  gradient: Gradient,
  planes: Planes,
): { corners: Corners; share: number } | null {
  const { direction } = contrastOf(corners, gradient, planes);
  const paper = paperAt(planes, direction, gradient);
  const sides = sidesOf(corners).map(([from, to]) => fitSide(from, to, paper));
  const shares = sides.map((side) => side?.share ?? 0);
  const found = corners.map((_, at) => {
    const [before, after] = [sides[(at + 3) % 4], sides[at]];
    return before && after ? crossing(before.line, after.line) : null;
  });
  if (!found.every((point) => point !== null)) return null;
  return { corners: found as unknown as Corners, share: Math.min(...shares) };
}

/** A function that interpolates the similarity of the color at a position to the paper instead of the desk. */
function paperAt(
  [first, second, third]: Planes,
  [one, two, three]: PlaneVector,
  { width, height }: Gradient,
) {
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

/** Distance in pixels from a side within which its edge is searched, in steps of half a pixel. */
const SEARCH_RADIUS = 7;
/** The minimum change of `paper` at an edge. */
const MIN_CHANGE = 7;

/** The line through the edge points near a side, and the share of samples with such a point; null for too few points. */
function fitSide(
  from: Point,
  to: Point,
  paper: (x: number, y: number) => number,
): { line: Equation; share: number } | null {
  let points: Point[] = [];
  for (const { x, y, nx, ny } of along(from, to)) {
    const changeAt = (off: number) =>
      paper(x + (off + 1) * nx, y + (off + 1) * ny) - paper(x + (off - 1) * nx, y + (off - 1) * ny);
    let [peak, most] = [0, 0];
    for (let off = -SEARCH_RADIUS; off <= SEARCH_RADIUS; off += 0.5) {
      const change = changeAt(off);
      if (change > most) [peak, most] = [off, change];
    }
    if (most < MIN_CHANGE || Math.abs(peak) === SEARCH_RADIUS) continue;
    const [below, above] = [changeAt(peak - 0.5), changeAt(peak + 0.5)];
    const bend = below - 2 * most + above;
    const off = peak + (bend < 0 ? (0.5 * (below - above)) / (2 * bend) : 0);
    points.push({ x: x + off * nx, y: y + off * ny });
  }
  for (let within = 4; ; within /= 2) {
    if (points.length < SAMPLES * MIN_EDGE_SHARE) return null;
    const line = lineThrough(points);
    const near = points.filter(({ x, y }) => Math.abs(x * line.cos + y * line.sin - line.distance) < within);
    if (within < 1) return { line, share: near.length / SAMPLES };
    points = near;
  }
}
