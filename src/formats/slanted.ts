import type { Box } from '#contract/extraction';
import { middleOf } from '#geometry/boxes';
import { itemAt } from './checked.ts';

/** A word in the direction of its line: pixels of the upright page, y downwards. */
export interface Slanted {
  /** The middle of the word. */
  x: number;
  y: number;
  /** Along its line, and across. */
  width: number;
  height: number;
  /** Slope of its line in that place, clockwise, in radians. */
  angle: number;
}

/** Words on either side that determine a line's direction at a word. */
const REACH = 2;
/** Radians; a smaller slope counts as level, because the middle of a box is no more precise. */
const LEVEL = 0.004;
/** Radians; beyond it a box no longer shows the height of its content. */
const STEEP = 0.6;

/** A line's words with their slant, from their upright boxes: a bent line has another angle at each word. */
export function slantedWords(boxes: readonly Box[]): Slanted[] {
  return slantedLine(boxes, 0);
}

/** The same for the lines of a page: a word alone on its line has the slant of most of the page. */
export function slantedLines(lines: readonly (readonly Box[])[]): Slanted[][] {
  const angles = lines
    .filter((boxes) => boxes.length > 1)
    .map((boxes) => angleOf(boxes.map(middleOf)))
    .sort((one, other) => one - other);
  const usual = angles[Math.floor(angles.length / 2)] ?? 0;
  return lines.map((boxes) => slantedLine(boxes, usual));
}

/** `lone`: the angle of a word without another beside it. */
function slantedLine(boxes: readonly Box[], lone: number): Slanted[] {
  const middles = boxes.map(middleOf);
  return boxes.map((box, index) => {
    const near = middles.slice(Math.max(0, index - REACH), index + REACH + 1);
    const angle = near.length < 2 ? lone : angleOf(near);
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
  return Math.abs(angle) < LEVEL || Math.abs(angle) > STEEP ? 0 : angle;
}

/** Width and height of slanted content in a box; as if it were level where the box does not show them. */
function uprightExtent({ width, height }: Box, angle: number): Pick<Slanted, 'width' | 'height' | 'angle'> {
  const [cos, sin] = [Math.cos(angle), Math.abs(Math.sin(angle))];
  const narrow = cos * cos - sin * sin;
  const along = (width * cos - height * sin) / narrow;
  const across = (height * cos - width * sin) / narrow;
  if (along < 0.2 * width || across < 0.2 * height) return { width, height, angle };
  return { width: along, height: across, angle };
}
