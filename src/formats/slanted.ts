import type { Box } from '#contract/extraction';
import { middleOf } from '#geometry/boxes';
import { itemAt } from './checked.ts';

/** A word in the direction of its line: pixels of the upright page, y downwards. */
export interface Slanted {
  /** The center of the word. */
  x: number;
  y: number;
  /** `width` along its line, `height` across it. */
  width: number;
  height: number;
  /** Slope of its line at this word, clockwise, in radians. */
  angle: number;
}

/** Words on either side that determine a line's direction at a word. */
const NEIGHBORS = 2;
/** Radians; a smaller slope counts as horizontal, because the center of a box is not more precise. */
const MIN_ANGLE = 0.004;
/** Radians; beyond it a box no longer shows the height of its content. */
const MAX_ANGLE = 0.6;

/** A line's words with their slant, from their upright boxes: a bent line has another angle at each word. */
export function slantedWords(boxes: readonly Box[]): Slanted[] {
  return slantedLine(boxes, 0);
}

/** `slantedWords` for all lines of a page: a single word on its line has the median slant of the page. */
export function slantedLines(lines: readonly (readonly Box[])[]): Slanted[][] {
  const angles = lines
    .filter((boxes) => boxes.length > 1)
    .map((boxes) => angleOf(boxes.map(middleOf)))
    .sort((one, other) => one - other);
  const medianAngle = angles[Math.floor(angles.length / 2)] ?? 0;
  return lines.map((boxes) => slantedLine(boxes, medianAngle));
}

/** `fallback`: the angle of a single word. */
function slantedLine(boxes: readonly Box[], fallback: number): Slanted[] {
  const middles = boxes.map(middleOf);
  return boxes.map((box, index) => {
    const near = middles.slice(Math.max(0, index - NEIGHBORS), index + NEIGHBORS + 1);
    const angle = near.length < 2 ? fallback : angleOf(near);
    return { ...itemAt(middles, index), ...uprightExtent(box, angle) };
  });
}

/** Angle of the least-squares line through points. */
function angleOf(points: readonly { x: number; y: number }[]): number {
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [meanOf(points.map((point) => point.x)), meanOf(points.map((point) => point.y))];
  const across = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
  const along = points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0);
  const angle = across === 0 ? 0 : Math.atan(along / across);
  return Math.abs(angle) < MIN_ANGLE || Math.abs(angle) > MAX_ANGLE ? 0 : angle;
}

/** Width and height of slanted content in a box; those of the box if they cannot be derived from it. */
function uprightExtent({ width, height }: Box, angle: number): Pick<Slanted, 'width' | 'height' | 'angle'> {
  const [cos, sin] = [Math.cos(angle), Math.abs(Math.sin(angle))];
  const narrow = cos * cos - sin * sin;
  const along = (width * cos - height * sin) / narrow;
  const across = (height * cos - width * sin) / narrow;
  if (along < 0.2 * width || across < 0.2 * height) return { width, height, angle };
  return { width: along, height: across, angle };
}
