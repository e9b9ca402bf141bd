/** In CSS pixels of the window. */
export interface Rectangle {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Surroundings {
  room: { width: number; height: number };
  /** What must not be covered. */
  controls: readonly Rectangle[];
  /** Covered only if there is no other place: short messages, and wide areas such as a picture. */
  read: readonly Rectangle[];
  wide: readonly Rectangle[];
}

type Place = Pick<Rectangle, 'left' | 'top'>;

const STEP = 8;

/**
 * The place for a box of this size that covers no control: nearest to the bottom right corner, with the least text
 * below it, and mostly outside wide areas. If controls are everywhere, the place that covers least of them.
 */
export function freePlace(size: { width: number; height: number }, around: Surroundings): Place {
  const [right, bottom] = [around.room.width - size.width, around.room.height - size.height].map((most) =>
    Math.max(0, most),
  ) as [number, number];
  const columns = [...new Set([right, right / 2, 0])];
  const rows = Array.from({ length: Math.floor(bottom / STEP) + 1 }, (_, step) => bottom - step * STEP);
  const costOf = (place: Place) => {
    const box = { ...place, right: place.left + size.width, bottom: place.top + size.height };
    return [
      covered(box, around.controls),
      covered(box, around.read),
      Math.round(covered(box, around.wide) / (size.width * size.height)),
      right - place.left + bottom - place.top,
    ] as const;
  };
  return columns
    .flatMap((left) => rows.map((top) => ({ left, top })))
    .map((place) => ({ place, cost: costOf(place) }))
    .reduce((best, next) => (isLess(next.cost, best.cost) ? next : best)).place;
}

export const overlaps = (one: Rectangle, other: Rectangle): boolean => overlap(one, other) > 0;

/** How much of others lies below a box, in square pixels. */
export const covered = (box: Rectangle, others: readonly Rectangle[]): number =>
  others.reduce((sum, other) => sum + overlap(box, other), 0);

function overlap(one: Rectangle, other: Rectangle): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return width > 0 && height > 0 ? width * height : 0;
}

function isLess(one: readonly number[], other: readonly number[]): boolean {
  for (const [at, value] of one.entries()) {
    const against = other[at] ?? value;
    if (value !== against) return value < against;
  }
  return false;
}
