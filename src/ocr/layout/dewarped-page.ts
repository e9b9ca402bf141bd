/**
 * The dewarped page: a page photographed at an angle, mapped to a frontal view. Lines are cropped in place, each in
 * its own direction, so only the reading order needs this: converging columns would not be detected as columns.
 */

import { levelled, type Region } from '../page/geometry.ts';
import type { Box, Point } from '../types.ts';

export interface DewarpedPage {
  /** Position of a region on the dewarped page: working pixels at its middle, with an arbitrary origin. */
  boxOf(region: Region): Box;
  /** The inverse mapping of a point, to the working picture. */
  onPicture(point: Point): Point;
  /** Whether the picture shows the page at an angle that had to be removed. */
  inPerspective: boolean;
}

/** A line is used when it is this many times longer than high. */
const MIN_ASPECT = 3;
/** Lines give the page's angle when there are this many and their directions differ by this, in radians. */
const CONVERGENCE = { lines: 8, spread: 0.04 };
/**
 * The ends of lines give the angle if there are this many and they align this many times better than on the original
 * picture. That holds for the columns of a page; ragged lines of a receipt always align a little better at some angle.
 */
const ALIGNMENT = { lines: 40, gain: 2 };
/** Search range of the slant of columns at the page's middle, and of its change toward the page's edge. */
const MAX_SLANT = 0.3;
const [COARSE, FINE] = [0.025, 0.005];
/** Bins of the histogram of line ends. */
const BINS = 160;

/**
 * A projective map that keeps straight lines straight, about the page's middle:
 * x' = (x - lean · y) / d, y' = (y - slope · x) / d with d = 1 - across · x - down · y.
 */
interface Perspective {
  slope: number;
  across: number;
  lean: number;
  down: number;
}

/** @param angle radians clockwise in which the page's text runs on the picture */
export function dewarpPage(regions: readonly Region[], angle: number): DewarpedPage {
  const level = (region: Region) => levelled(region, angle);
  const lines = regions.map(level).filter(({ width, height }) => width > height * MIN_ASPECT);
  const perspective = perspectiveOf(lines);
  if (!perspective) {
    const boxOf = (region: Region): Box => {
      const { cx, cy, width, height } = level(region);
      return { x: cx - width / 2, y: cy - height / 2, width, height };
    };
    return { boxOf, onPicture: (point) => turned(point, angle), inPerspective: false };
  }
  const middle = middleOf(lines);
  const flat = ({ x, y }: Point) => toPage({ x: x - middle.x, y: y - middle.y }, perspective);
  return {
    boxOf(region) {
      const straight = level(region);
      const [left, right] = endsOf(straight).map(flat) as [Point, Point];
      const [top, bottom] = endsOf({
        ...straight,
        width: straight.height,
        angle: straight.angle + Math.PI / 2,
      }).map(flat) as [Point, Point];
      const height = bottom.y - top.y;
      return { x: left.x, y: (left.y + right.y - height) / 2, width: right.x - left.x, height };
    },
    onPicture(point) {
      const { x, y } = toPicture(point, perspective);
      return turned({ x: x + middle.x, y: y + middle.y }, angle);
    },
    inPerspective: true,
  };
}

/** Undefined for a page that is seen from the front. */
function perspectiveOf(lines: readonly Region[]): Perspective | undefined {
  const middle = middleOf(lines);
  const centered = lines.map((line) => ({ ...line, cx: line.cx - middle.x, cy: line.cy - middle.y }));
  const ends = centered.map(endsOf);
  const reach = Math.max(...ends.flat().map(({ x }) => Math.abs(x)));
  const tall = Math.max(...centered.map(({ cy }) => Math.abs(cy)));
  const convergence = convergenceOf(centered);
  const converges =
    lines.length >= CONVERGENCE.lines && Math.abs(convergence.across) * 2 * tall > CONVERGENCE.spread;
  const level = converges ? convergence : { slope: 0, across: 0 };

  const sides = [ends.map(([left]) => left), ends.map(([, right]) => right)].map((points) =>
    Float64Array.from(points.flatMap(({ x, y }) => [x, y])),
  );
  const alignment = (lean: number, edge: number) =>
    sides.reduce((sum, side) => sum + alignmentOf(side, { ...level, lean, down: edge / reach }), 0);
  const before = alignment(0, 0);
  let best = { lean: 0, edge: 0, aligned: before };
  const tryAround = (from: typeof best, span: number, step: number) => {
    for (let lean = from.lean - span; lean <= from.lean + span + step / 2; lean += step) {
      for (let edge = from.edge - span; edge <= from.edge + span + step / 2; edge += step) {
        const aligned = alignment(lean, edge);
        if (aligned > best.aligned) best = { lean, edge, aligned };
      }
    }
  };
  if (lines.length >= ALIGNMENT.lines) {
    tryAround(best, MAX_SLANT, COARSE);
    tryAround(best, COARSE, FINE);
  }
  const aligns = best.aligned > before * ALIGNMENT.gain;
  if (!converges && !aligns) return undefined;
  return { ...level, ...(aligns ? { lean: best.lean, down: best.edge / reach } : { lean: 0, down: 0 }) };
}

/**
 * Lines that are horizontal on the page meet in one point of the picture: a line through (x, y) with the slope s has
 * s = slope + across · (s · x - y). Iterated least squares with falling weights for outliers find it.
 */
function convergenceOf(lines: readonly Region[]): { slope: number; across: number } {
  const samples = lines.map(({ cx, cy, width, angle }) => {
    const slope = Math.tan(angle);
    return { slope, place: slope * cx - cy, weight: width };
  });
  let convergence = { slope: 0, across: 0 };
  for (let round = 0; round < 6; round++) {
    const scale = round === 0 ? Number.POSITIVE_INFINITY : 0.01;
    let [sum, places, slopes, squares, products] = [0, 0, 0, 0, 0];
    for (const { slope, place, weight } of samples) {
      const apart = (slope - convergence.slope - convergence.across * place) / scale;
      const trusted = weight / (1 + apart * apart);
      sum += trusted;
      places += trusted * place;
      slopes += trusted * slope;
      squares += trusted * place * place;
      products += trusted * place * slope;
    }
    const across = (sum * products - places * slopes) / (sum * squares - places * places || 1);
    convergence = { across, slope: (slopes - across * places) / sum };
  }
  return convergence;
}

/**
 * How well the left or right edges of lines align: text is set in columns.
 * `points`: x and y in turn.
 */
function alignmentOf(points: Float64Array, { across, lean, down }: Perspective): number {
  const places = new Float64Array(points.length / 2);
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < places.length; i++) {
    const [x, y] = [points[2 * i]!, points[2 * i + 1]!];
    const place = (x - lean * y) / depthAt(x, y, across, down);
    places[i] = place;
    if (place < least) least = place;
    if (place > most) most = place;
  }
  const scale = BINS / (most - least || 1);
  const counts = new Float64Array(BINS + 2);
  for (const place of places) {
    const at = (place - least) * scale;
    const bin = Math.floor(at);
    counts[bin]! += bin + 1 - at;
    counts[bin + 1]! += at - bin;
  }
  let aligned = 0;
  for (const count of counts) aligned += count * count;
  return aligned;
}

function toPage({ x, y }: Point, { slope, across, lean, down }: Perspective): Point {
  const depth = depthAt(x, y, across, down);
  return { x: (x - lean * y) / depth, y: (y - slope * x) / depth };
}

/** Position of a point of the dewarped page before `toPage`. */
function toPicture({ x, y }: Point, { slope, across, lean, down }: Perspective): Point {
  const [a, b, c, d] = [1 + across * x, down * x - lean, across * y - slope, 1 + down * y];
  const scale = a * d - b * c || 1;
  return { x: (x * d - b * y) / scale, y: (a * y - c * x) / scale };
}

function turned({ x, y }: Point, angle: number): Point {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { x: x * cos - y * sin, y: x * sin + y * cos };
}

/** Points at or beyond the horizon are not on the page. */
const depthAt = (x: number, y: number, across: number, down: number): number =>
  Math.max(0.2, 1 - across * x - down * y);

function endsOf({ cx, cy, width, angle }: Region): [Point, Point] {
  const [dx, dy] = [(Math.cos(angle) * width) / 2, (Math.sin(angle) * width) / 2];
  return [
    { x: cx - dx, y: cy - dy },
    { x: cx + dx, y: cy + dy },
  ];
}

function middleOf(lines: readonly Region[]): Point {
  const weight = lines.reduce((sum, { width }) => sum + width, 0);
  return {
    x: lines.reduce((sum, { cx, width }) => sum + cx * width, 0) / weight,
    y: lines.reduce((sum, { cy, width }) => sum + cy * width, 0) / weight,
  };
}
