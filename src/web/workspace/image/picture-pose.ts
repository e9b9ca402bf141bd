import type { Box, Extraction } from '#contract/extraction';
import { itemAt } from '#formats/checked';
import type { Piece } from '#formats/pieces';
import { uprightSize } from '#formats/upright';
import type { Point, Size } from './rectangle.ts';
import { piecePlaces } from './word-box.ts';

/**
 * How a picture is shown: the upright picture, in whose pixels words have their places, turned about its middle. `width` and
 * `height`: of the level frame around it, in the same pixels.
 */
export interface Pose extends Size {
  /** Radians, clockwise. */
  angle: number;
  upright: Size;
}

/** Fewer words do not show how a page lies. */
const MIN_WORDS = 4;
/** Radians. Less is not seen, and more is a page of texts in several directions. */
const TILT = { least: 0.01, most: 0.45 } as const;

/** By how much the lines of the upright picture slope, clockwise, in radians; 0 for a level page. */
export function tiltOf(pieces: readonly Piece[], image: Extraction['image']): number {
  const angles = piecePlaces(pieces, image)
    .filter((_, piece) => itemAt(pieces, piece).hidden === null)
    .map(({ angle }) => angle)
    .sort((one, other) => one - other);
  const median = angles[Math.floor(angles.length / 2)] ?? 0;
  const isTilted = Math.abs(median) >= TILT.least && Math.abs(median) <= TILT.most;
  return angles.length >= MIN_WORDS && isTilted ? median : 0;
}

/** The upright picture, turned so far. */
export function poseOf(image: Extraction['image'], angle: number): Pose {
  const upright = uprightSize(image);
  return { ...turnedSize(upright, angle), angle, upright };
}

/** The level frame around a picture that is turned about its middle. */
export function turnedSize({ width, height }: Size, angle: number): Size {
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  return { width: width * cos + height * sin, height: width * sin + height * cos };
}

/** From the upright picture to its frame. */
export const intoFrame = (pose: Pose, point: Point): Point => rotatePoint(point, pose.upright, pose, pose.angle);

/** From the frame to the upright picture. */
export const fromFrame = (pose: Pose, point: Point): Point => rotatePoint(point, pose, pose.upright, -pose.angle);

/** The smallest box in the frame around points of the upright picture. */
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

/** From the upright picture to its frame, for a group of an SVG that is as large as the frame. */
export function frameTransform({ width, height, angle, upright }: Pose): string | undefined {
  if (angle === 0) return undefined;
  return `translate(${width / 2} ${height / 2}) rotate(${degrees(angle)}) translate(${-upright.width / 2} ${-upright.height / 2})`;
}

export const degrees = (angle: number) => (angle * 180) / Math.PI;
