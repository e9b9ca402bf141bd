import type { Box, Extraction } from '#contract/extraction';
import { itemAt } from '#formats/checked';
import type { Piece } from '#formats/pieces';
import { uprightSize } from '#formats/upright';
import type { Point, Size } from './rectangle.ts';
import { piecePlaces } from './word-box.ts';

/**
 * The rotation of the shown picture. Word boxes are in pixels of the upright picture, which is rotated about its center.
 * `width` and `height`: the bounding box of the rotated picture, called its frame, in the same pixels.
 */
export interface Pose extends Size {
  /** Radians, clockwise. */
  angle: number;
  upright: Size;
}

/** Fewer words do not determine the tilt of a page. */
const MIN_WORDS = 4;
/** Radians. A smaller tilt is not visible; a larger one means that the page has text in several directions. */
const TILT = { least: 0.01, most: 0.45 } as const;

/** The tilt of the lines of the upright picture, clockwise, in radians; 0 for a level page. */
export function tiltOf(pieces: readonly Piece[], image: Extraction['image']): number {
  const angles = piecePlaces(pieces, image)
    .filter((_, piece) => itemAt(pieces, piece).hidden === null)
    .map(({ angle }) => angle)
    .sort((one, other) => one - other);
  const median = angles[Math.floor(angles.length / 2)] ?? 0;
  const isTilted = Math.abs(median) >= TILT.least && Math.abs(median) <= TILT.most;
  return angles.length >= MIN_WORDS && isTilted ? median : 0;
}

/** The pose of the upright picture rotated by `angle`. */
export function poseOf(image: Extraction['image'], angle: number): Pose {
  const upright = uprightSize(image);
  return { ...turnedSize(upright, angle), angle, upright };
}

/** The size of the bounding box of a rotated picture. */
export function turnedSize({ width, height }: Size, angle: number): Size {
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  return { width: width * cos + height * sin, height: width * sin + height * cos };
}

/** Maps a point of the upright picture to the frame. */
export const intoFrame = (pose: Pose, point: Point): Point =>
  rotatePoint(point, pose.upright, pose, pose.angle);

/** Maps a point of the frame to the upright picture. */
export const fromFrame = (pose: Pose, point: Point): Point =>
  rotatePoint(point, pose, pose.upright, -pose.angle);

/** The bounding box in the frame of points of the upright picture. */
export function boundsInFrame(pose: Pose, points: readonly Point[]): Box {
  const placed = points.map((point) => intoFrame(pose, point));
  const [xs, ys] = [placed.map(({ x }) => x), placed.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

function rotatePoint({ x, y }: Point, from: Size, to: Size, angle: number): Point {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [dx, dy] = [x - from.width / 2, y - from.height / 2];
  return { x: to.width / 2 + dx * cos - dy * sin, y: to.height / 2 + dx * sin + dy * cos };
}

/** Maps the upright picture to the frame, for a group of an SVG of the frame's size. */
export function frameTransform({ width, height, angle, upright }: Pose): string | undefined {
  if (angle === 0) return undefined;
  return `translate(${width / 2} ${height / 2}) rotate(${degrees(angle)}) translate(${-upright.width / 2} ${-upright.height / 2})`;
}

export const degrees = (angle: number) => (angle * 180) / Math.PI;
