/** In CSS pixels of the viewport. */
export interface Rectangle {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Obstacles {
  viewport: { width: number; height: number };
  /** Must not be covered. */
  controls: readonly Rectangle[];
  /** Covered only if there is no other place. `messages` are short; `areas` are large, such as a picture. */
  messages: readonly Rectangle[];
  areas: readonly Rectangle[];
}

type Place = Pick<Rectangle, 'left' | 'top'>;

const STEP = 8;

/**
 * The place of a box of this size. It covers the smallest area of controls, then of messages, then mostly avoids large
 * areas, and is as near to the bottom right corner as possible.
 */
export function freePlace(size: { width: number; height: number }, obstacles: Obstacles): Place {
  const [right, bottom] = [
    obstacles.viewport.width - size.width,
    obstacles.viewport.height - size.height,
  ].map((max) => Math.max(0, max)) as [number, number];
  const columns = [...new Set([right, right / 2, 0])];
  const rows = Array.from({ length: Math.floor(bottom / STEP) + 1 }, (_, step) => bottom - step * STEP);
  const costOf = (place: Place) => {
    const box = { ...place, right: place.left + size.width, bottom: place.top + size.height };
    return [
      coveredArea(box, obstacles.controls),
      coveredArea(box, obstacles.messages),
      Math.round(coveredArea(box, obstacles.areas) / (size.width * size.height)),
      right - place.left + bottom - place.top,
    ] as const;
  };
  return columns
    .flatMap((left) => rows.map((top) => ({ left, top })))
    .map((place) => ({ place, cost: costOf(place) }))
    .reduce((best, next) => (isLess(next.cost, best.cost) ? next : best)).place;
}

export const overlaps = (one: Rectangle, other: Rectangle): boolean => overlap(one, other) > 0;

/** The area of `others` that a box covers, in square pixels. */
export const coveredArea = (box: Rectangle, others: readonly Rectangle[]): number =>
  others.reduce((sum, other) => sum + overlap(box, other), 0);

function overlap(one: Rectangle, other: Rectangle): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return width > 0 && height > 0 ? width * height : 0;
}

function isLess(one: readonly number[], other: readonly number[]): boolean {
  for (const [index, value] of one.entries()) {
    const against = other[index] ?? value;
    if (value !== against) return value < against;
  }
  return false;
}
