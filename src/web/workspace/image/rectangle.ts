import type { Box } from '#contract/extraction';

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(value, most));

/** The box between two opposite corners, clipped to the frame. */
export function boxBetween(one: Point, other: Point, frame: Size): Box {
  const [x1, x2] = [clamp(one.x, 0, frame.width), clamp(other.x, 0, frame.width)];
  const [y1, y2] = [clamp(one.y, 0, frame.height), clamp(other.y, 0, frame.height)];
  return { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) };
}

/** Moves a box within its frame. */
export const moved = (box: Box, by: Point, frame: Size): Box => ({
  ...box,
  x: clamp(box.x + by.x, 0, frame.width - box.width),
  y: clamp(box.y + by.y, 0, frame.height - box.height),
});

/** The sides of a box that a handle moves: -1 left or top, 1 right or bottom, 0 none. */
export interface Handle {
  x: -1 | 0 | 1;
  y: -1 | 0 | 1;
}

/** Moves the sides of a box that belong to the handle, within the frame. No side gets shorter than `least`. */
export function resized(box: Box, handle: Handle, by: Point, frame: Size, least: number): Box {
  const side = (start: number, length: number, which: -1 | 0 | 1, delta: number, end: number) => {
    const smallest = Math.min(least, length);
    if (which === -1) {
      const next = clamp(start + delta, 0, start + length - smallest);
      return [next, start + length - next] as const;
    }
    return which === 1
      ? ([start, clamp(length + delta, smallest, end - start)] as const)
      : ([start, length] as const);
  };
  const [x, width] = side(box.x, box.width, handle.x, by.x, frame.width);
  const [y, height] = side(box.y, box.height, handle.y, by.y, frame.height);
  return { x, y, width, height };
}
