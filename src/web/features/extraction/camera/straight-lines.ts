import type { Pixels, Point } from './perspective.ts';

/** Detects straight lines of a picture by a Hough transform of its color gradient. */

/** For each pixel: brightness, red minus green, and blue minus the mean of both. */
export type Planes = readonly [Float32Array, Float32Array, Float32Array];

/** The color gradient of each pixel, from the plane that changes most there. */
export interface Gradient {
  x: Float32Array;
  y: Float32Array;
  width: number;
  height: number;
  /** The gradient length of a clear edge. Longer gradients do not count more. */
  strongEdge: number;
}

/** Points with `x * cos + y * sin = distance`. */
export interface Line {
  angle: number;
  cos: number;
  sin: number;
  distance: number;
  votes: number;
}

/** A line of points with `x * cos + y * sin = distance`. */
export type Equation = Pick<Line, 'cos' | 'sin' | 'distance'>;

const ANGLES = 180;
const MAX_LINES = 64;
/** Lines with smaller differences are the same line: degrees and pixels. */
const SAME_LINE = { angle: 5, distance: 7 };

/** The planes of a picture, each blurred twice by a 3 × 3 box. */
export function smoothPlanes({ data, width, height }: Pixels): Planes {
  const plane = () => new Float32Array(width * height);
  const planes = [plane(), plane(), plane()] as const;
  for (let at = 0, i = 0; at < width * height; at += 1, i += 4) {
    const [red, green, blue] = [data[i]!, data[i + 1]!, data[i + 2]!];
    planes[0][at] = 0.3 * red + 0.59 * green + 0.11 * blue;
    planes[1][at] = red - green;
    planes[2][at] = blue - (red + green) / 2;
  }
  const soft = (sharp: Float32Array) => boxBlur(boxBlur(sharp, width, height), width, height);
  return [soft(planes[0]), soft(planes[1]), soft(planes[2])];
}

function boxBlur(plane: Float32Array, width: number, height: number): Float32Array {
  const result = new Float32Array(plane.length);
  for (let y = 0; y < height; y += 1) {
    const rows = [Math.max(0, y - 1), y, Math.min(height - 1, y + 1)];
    for (let x = 0; x < width; x += 1) {
      const [left, right] = [Math.max(0, x - 1), Math.min(width - 1, x + 1)];
      let sum = 0;
      for (const row of rows)
        sum += plane[row * width + left]! + plane[row * width + x]! + plane[row * width + right]!;
      result[y * width + x] = sum / 9;
    }
  }
  return result;
}

export function gradientOf(planes: Planes, { width, height }: Pixels): Gradient {
  const [gx, gy] = [new Float32Array(width * height), new Float32Array(width * height)];
  const lengths: number[] = [];
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      let most = 0;
      for (const plane of planes) {
        const dx = plane[at + 1]! - plane[at - 1]!;
        const dy = plane[at + width]! - plane[at - width]!;
        const length = Math.hypot(dx, dy);
        if (length <= most) continue;
        most = length;
        gx[at] = dx;
        gy[at] = dy;
      }
      lengths.push(most);
    }
  }
  lengths.sort((a, b) => a - b);
  const median = lengths[lengths.length >> 1] ?? 0;
  return { x: gx, y: gy, width, height, strongEdge: Math.max(6, 2.5 * median) };
}

/** Each edge pixel votes for the lines through it that have about the direction of the edge. */
export function linesIn({ x: gx, y: gy, width, height, strongEdge }: Gradient): Line[] {
  const reach = Math.ceil(Math.hypot(width, height));
  const votes = new Float32Array(ANGLES * (2 * reach + 1));
  const axes = Array.from({ length: ANGLES }, (_, angle) => ({
    cos: Math.cos((angle * Math.PI) / 180),
    sin: Math.sin((angle * Math.PI) / 180),
  }));
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const length = Math.hypot(gx[at]!, gy[at]!);
      if (length < strongEdge * 0.4) continue;
      const weight = Math.min(1, length / strongEdge);
      const angle = Math.round((Math.atan2(gy[at]!, gx[at]!) * 180) / Math.PI);
      for (let off = -3; off <= 3; off += 1) {
        const bin = (angle + off + 2 * ANGLES) % ANGLES;
        const { cos, sin } = axes[bin]!;
        votes[bin * (2 * reach + 1) + Math.round(x * cos + y * sin) + reach]! += weight;
      }
    }
  }
  const candidates: Line[] = [];
  const minVotes = Math.min(width, height) * 0.12;
  for (const [angle, axis] of axes.entries()) {
    for (let distance = -reach; distance <= reach; distance += 1) {
      const count = votes[angle * (2 * reach + 1) + distance + reach]!;
      if (count >= minVotes) candidates.push({ angle, ...axis, distance, votes: count });
    }
  }
  candidates.sort((a, b) => b.votes - a.votes);
  const lines: Line[] = [];
  for (const line of candidates) {
    if (lines.every((other) => !isSame(line, other))) lines.push(line);
    if (lines.length === MAX_LINES) break;
  }
  return lines;
}

/** Degrees between two lines, 0 to 90. */
export function angleBetween(a: Line, b: Line): number {
  const by = Math.abs(a.angle - b.angle);
  return Math.min(by, ANGLES - by);
}

function isSame(a: Line, b: Line): boolean {
  if (angleBetween(a, b) >= SAME_LINE.angle) return false;
  // The same line has two forms: an angle near 0, or near 180 with the negative distance.
  const sign = Math.abs(a.angle - b.angle) > 90 ? -1 : 1;
  return Math.abs(a.distance - sign * b.distance) < SAME_LINE.distance;
}

export function crossing(a: Equation, b: Equation): Point | null {
  const det = a.cos * b.sin - a.sin * b.cos;
  if (Math.abs(det) < 1e-6) return null;
  return {
    x: (a.distance * b.sin - b.distance * a.sin) / det,
    y: (b.distance * a.cos - a.distance * b.cos) / det,
  };
}

/** The line with the smallest sum of squared distances to the points. */
export function lineThrough(points: readonly Point[]): Equation {
  const count = points.length;
  const [mx, my] = [
    points.reduce((sum, { x }) => sum + x, 0) / count,
    points.reduce((sum, { y }) => sum + y, 0) / count,
  ];
  let [xx, xy, yy] = [0, 0, 0];
  for (const { x, y } of points) {
    xx += (x - mx) ** 2;
    xy += (x - mx) * (y - my);
    yy += (y - my) ** 2;
  }
  const direction = Math.atan2(2 * xy, xx - yy) / 2;
  const [cos, sin] = [-Math.sin(direction), Math.cos(direction)];
  return { cos, sin, distance: mx * cos + my * sin };
}
