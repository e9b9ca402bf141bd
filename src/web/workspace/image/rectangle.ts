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

/** The box that two opposite corners span, as far as it lies within a frame. */
export function boxBetween(one: Point, other: Point, frame: Size): Box {
  const [x1, x2] = [clamp(one.x, 0, frame.width), clamp(other.x, 0, frame.width)];
  const [y1, y2] = [clamp(one.y, 0, frame.height), clamp(other.y, 0, frame.height)];
  return { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) };
}

/** A box moved as far as its frame lets it. */
export const moved = (box: Box, by: Point, frame: Size): Box => ({
  ...box,
  x: clamp(box.x + by.x, 0, frame.width - box.width),
  y: clamp(box.y + by.y, 0, frame.height - box.height),
});

/** Which sides of a box a handle moves: -1 the left or upper, 1 the right or lower, 0 neither. */
export interface Handle {
  x: -1 | 0 | 1;
  y: -1 | 0 | 1;
}

/** A box of which some sides were moved, no smaller than `least` and within its frame. */
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
