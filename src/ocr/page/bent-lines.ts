/** Joins and straightens lines on paper that is not flat: bent cores, and cores that a crease cut in two. */
import { firstOf, itemAt, lastOf, required } from '../checked.ts';
import type { Point } from '../types.ts';
import { courseOf, median, type Region, wrapAngle } from './geometry.ts';

/** When a line counts as bent. */
const BENT = {
  /**
   * Least deviation of the center line from a straight line, as a share of the core's thickness. The rectangle around a bent line
   * grows with its thickness: at three quarterTurns, the rectangle of a book's line reached into the lines above and below.
   */
  least: 0.25,
  /** The same for a line of a word or two, whose center line depends on its few letters. */
  leastOfShort: 0.8,
  /** Least length in heights of the surrounding rectangle; a shorter line counts as short. */
  leastAspect: 3,
  longAspect: 15,
  stretches: 12,
  /** Degree of the polynomial that smooths the middles: paper bends gently, and ascenders and descenders are no bend. */
  degree: 3,
} as const;

/**
 * When two parts of a line meet at a crease. The network detects few of the letters in a crease, and the parts on both sides
 * would be mistaken for two columns.
 */
const CREASE = {
  /** Radians between the two parts: flat paper has one direction, and its lines do not cross. */
  least: 0.06,
  most: 0.5,
  /** In core thicknesses: the least length of both parts, their greatest distance, and their greatest overlap. */
  leastLength: 5,
  apart: 4,
  off: 0.6,
  /** Greatest ratio of the two thicknesses. */
  uneven: 1.6,
  /** No photographed sheet has more lines than this. */
  mostLines: 2000,
  /** A crease crosses at least this many lines, and leans by at most this much (across over down). */
  lines: 3,
  lean: 0.1,
} as const;

/** A part of the picture that may be the core of a line. */
interface Core extends Region {
  score: number;
}

/**
 * A bent line, as on a page that is not flat: the rectangle around it would hold its neighbors too. The area is cut into
 * stretches along its longer direction; their middles form the spine, and their thickness gives the line's height. Undefined
 * for a straight line or one too short to judge. `pixels` are indices into a map that is `stride` wide.
 */
export function bentRegion(
  core: Region,
  pixels: Int32Array,
  stride: number,
  sx: number,
  sy: number,
): Region | undefined {
  const sideways = core.height > core.width;
  const [length, thickness] = sideways ? [core.height, core.width] : [core.width, core.height];
  if (length < thickness * BENT.leastAspect) return undefined;
  const angle = core.angle + (sideways ? Math.PI / 2 : 0);
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const count = BENT.stretches;
  const sums = new Float64Array(count);
  const sizes = new Float64Array(count);
  for (const pixel of pixels) {
    const y = Math.floor(pixel / stride);
    const dx = (pixel - y * stride + 0.5) / sx - core.cx;
    const dy = (y + 0.5) / sy - core.cy;
    const stretch = Math.floor(((dx * cos + dy * sin) / length + 0.5) * count);
    const place = Math.max(0, Math.min(count - 1, stretch));
    sums[place]! += dy * cos - dx * sin;
    sizes[place]!++;
  }
  const seen = Array.from(sums, (sum, i) => sum / sizes[i]!);
  if (seen.some(Number.isNaN)) return undefined;
  const middles = smoothed(seen, BENT.degree);
  // A pixel of the map covers 1 / (sx sy) of the picture; area over length gives the thickness of a stretch.
  const thick = median(Array.from(sizes, (size) => (size * count) / (sx * sy * length)));
  const least = length < thickness * BENT.longAspect ? BENT.leastOfShort : BENT.least;
  if (Math.max(...middles) - Math.min(...middles) < thick * least) return undefined;
  const spine = middles.map((across, i) => {
    const along = ((i + 0.5) / count - 0.5) * length;
    return { x: core.cx + along * cos - across * sin, y: core.cy + along * sin + across * cos };
  });
  return { ...core, ...(sideways ? { width: thick } : { height: thick }), spine };
}

/** Values at even steps, replaced by their least-squares polynomial of the given degree. */
function smoothed(values: readonly number[], degree: number): number[] {
  // Powers are made orthogonal one after the other (Gram-Schmidt), so that each coefficient is found independently.
  const basis: number[][] = [];
  for (let power = 0; power <= degree; power++) {
    const raw = values.map((_, i) => ((2 * i + 1) / values.length - 1) ** power);
    const rest = basis.reduce((left, other) => {
      const share = dot(left, other);
      return left.map((value, i) => value - share * itemAt(other, i));
    }, raw);
    const length = Math.sqrt(dot(rest, rest));
    basis.push(rest.map((value) => value / length));
  }
  const shares = basis.map((one) => dot(values, one));
  return values.map((_, i) =>
    basis.reduce((sum, one, power) => sum + itemAt(shares, power) * itemAt(one, i), 0),
  );
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + value * itemAt(b, i), 0);

/**
 * The same cores, with the parts of one line joined where a crease crosses several lines. Parts on both sides of a gutter may
 * meet as well, but few lines cross a gutter.
 */
export function joinedAtCreases(cores: readonly Core[]): Core[] {
  const lines = cores
    .filter(({ width, height }) => width > height * CREASE.leastLength)
    .sort((a, b) => a.cx - b.cx);
  if (lines.length > CREASE.mostLines) return [...cores];
  const meetings = lines.flatMap((after, index) =>
    lines.slice(0, index).flatMap((before) => meetingOf(before, after) ?? []),
  );
  const begins = new Map<Core, Core>();
  for (const meeting of meetings) {
    if (meeting.turn < CREASE.least || begins.has(meeting.after)) continue;
    const parted = meetings.filter((other) => isOver(meeting, other)).length;
    const across = lines.filter((line) => runsAcross(line, meeting)).length;
    if (parted >= CREASE.lines && across >= parted) begins.set(meeting.after, meeting.before);
  }
  const joined = new Map(cores.map((core) => [core, core]));
  for (const core of lines) {
    const before = begins.get(core);
    const line = before && joined.get(before);
    if (!line) continue;
    joined.set(core, inOne(line, core));
    joined.delete(before);
  }
  return [...joined.values()];
}

/** Two parts of a line, the left one first, and the middle between them. */
interface Meeting extends Point {
  before: Core;
  after: Core;
  /** Absolute angle between the two directions, in radians. */
  turn: number;
}

function meetingOf(before: Core, after: Core): Meeting | undefined {
  // Most pairs are far apart.
  const length = before.width + after.width;
  if (after.cx - before.cx > length || Math.abs(after.cy - before.cy) > length * CREASE.most)
    return undefined;
  const thin = Math.min(before.height, after.height);
  const thick = Math.max(before.height, after.height);
  if (thick > thin * CREASE.uneven) return undefined;
  const [end, begin] = [endOf(before, 1), endOf(after, -1)];
  const turn = Math.abs(wrapAngle(begin.angle - end.angle));
  if (turn > CREASE.most) return undefined;
  const angle = (begin.angle + end.angle) / 2;
  const along = (begin.x - end.x) * Math.cos(angle) + (begin.y - end.y) * Math.sin(angle);
  if (Math.abs(along) > thick * CREASE.apart) return undefined;
  // Both are extended in their own direction to the middle between them.
  const x = begin.x - end.x - (along / 2) * (Math.cos(begin.angle) + Math.cos(end.angle));
  const y = begin.y - end.y - (along / 2) * (Math.sin(begin.angle) + Math.sin(end.angle));
  if (Math.abs(y * Math.cos(angle) - x * Math.sin(angle)) > thick * CREASE.off) return undefined;
  return { before, after, turn, x: (begin.x + end.x) / 2, y: (begin.y + end.y) / 2 };
}

/** Greatest distance between two meetings of one crease or gutter, which may lean. */
const reachOf = (meeting: Meeting, y: number) =>
  CREASE.apart * meeting.before.height + CREASE.lean * Math.abs(y - meeting.y);

const isOver = (meeting: Meeting, { x, y }: Point) => Math.abs(x - meeting.x) < reachOf(meeting, y);

/** Whether a line continues where two parts of another meet. */
function runsAcross({ cx, cy, width, height }: Region, meeting: Meeting): boolean {
  return (
    Math.abs(cx - meeting.x) <
    width / 2 - CREASE.leastLength * height - CREASE.lean * Math.abs(cy - meeting.y)
  );
}

/** Where a core ends (`side` 1) or starts (-1), and its direction there. */
function endOf(core: Region, side: 1 | -1): Point & { angle: number } {
  const course = courseOf(core, BENT.stretches);
  const [inner, outer] =
    side > 0 ? [required(course.at(-2)), lastOf(course)] : [itemAt(course, 1), firstOf(course)];
  const [dx, dy] = [(outer.x - inner.x) / 2, (outer.y - inner.y) / 2];
  return { x: outer.x + dx, y: outer.y + dy, angle: Math.atan2(dy * side, dx * side) };
}

/** A bent line from the left end of one core to the right end of another. */
function inOne(before: Core, after: Core): Core {
  const [left, right] = [endOf(before, -1), endOf(after, 1)];
  const length = before.width + after.width;
  return {
    cx: (left.x + right.x) / 2,
    cy: (left.y + right.y) / 2,
    width: Math.hypot(right.x - left.x, right.y - left.y),
    height: (before.height * before.width + after.height * after.width) / length,
    angle: Math.atan2(right.y - left.y, right.x - left.x),
    spine: [...courseOf(before, BENT.stretches), ...courseOf(after, BENT.stretches)],
    score: (before.score * before.width + after.score * after.width) / length,
  };
}
