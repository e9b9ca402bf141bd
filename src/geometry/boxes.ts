/** An axis-aligned rectangle, in pixels of a picture from its upper left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const middleOf = ({ x, y, width, height }: Box): { x: number; y: number } => ({
  x: x + width / 2,
  y: y + height / 2,
});

/** The smallest box that contains all boxes; null for an empty list. */
export function boundsOf(boxes: readonly [Box, ...Box[]]): Box;
export function boundsOf(boxes: readonly Box[]): Box | null;
export function boundsOf(boxes: readonly Box[]): Box | null {
  const [first, ...rest] = boxes;
  if (!first) return null;
  let { x: left, y: top } = first;
  let [right, bottom] = [left + first.width, top + first.height];
  for (const box of rest) {
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, box.x + box.width);
    bottom = Math.max(bottom, box.y + box.height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The median; the upper of the two middle values, and 0 for an empty list. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
