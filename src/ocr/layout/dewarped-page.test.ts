import { describe, expect, it } from 'vitest';
import type { Region } from '../page/geometry.ts';
import type { Point } from '../types.ts';
import { dewarpPage } from './dewarped-page.ts';

/** Lines of two columns, 40 apart: most are full, every fifth ends a paragraph early. */
const COLUMNS = [0, 540];
const LINES = COLUMNS.flatMap((left) =>
  Array.from({ length: 25 }, (_, row) => ({
    left,
    right: left + (row % 5 === 4 ? 300 : 500),
    y: 40 * row,
  })),
);

/** The lines as a camera sees them: `see` maps a point of the page to a point of the picture. */
function seen(see: (x: number, y: number) => Point): Region[] {
  return LINES.map(({ left, right, y }) => {
    const [from, to] = [see(left, y), see(right, y)];
    const [top, bottom] = [see((left + right) / 2, y - 12), see((left + right) / 2, y + 12)];
    return {
      cx: (from.x + to.x) / 2,
      cy: (from.y + to.y) / 2,
      width: Math.hypot(to.x - from.x, to.y - from.y),
      height: Math.hypot(bottom.x - top.x, bottom.y - top.y),
      angle: Math.atan2(to.y - from.y, to.x - from.x),
    };
  });
}

/** A camera that looks at the page's middle from the side (`across`) and from below (`down`). */
const camera = (across: number, down: number) => (x: number, y: number) => {
  const [u, v] = [x - 520, y - 480];
  const depth = 1 + across * u + down * v;
  return { x: 900 + u / depth, y: 900 + v / depth };
};

/** Spread of the left edges of a column's lines, relative to the space between the columns. */
function raggedness(regions: readonly Region[]): number {
  const { boxOf } = dewarpPage(regions, 0);
  const lefts = regions.map((region) => boxOf(region).x);
  const [first, second] = [lefts.slice(0, 25), lefts.slice(25)];
  const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
  return Math.max(spread(first), spread(second)) / (Math.min(...second) - Math.min(...first));
}

describe('dewarpPage: a page photographed at an angle', () => {
  it.each([
    ['from the side', 0.0004, 0],
    ['from below', 0, 0.0004],
    ['from a corner', 0.0003, -0.0003],
  ])('%s has upright columns and level rows', (_, across, down) => {
    const regions = seen(camera(across, down));
    const { boxOf, inPerspective } = dewarpPage(regions, 0);
    expect(inPerspective).toBe(true);
    expect(raggedness(regions)).toBeLessThan(0.03);
    for (let row = 0; row < 25; row++) {
      const [left, right] = [boxOf(regions[row]!), boxOf(regions[row + 25]!)];
      expect(Math.abs(left.y + left.height / 2 - right.y - right.height / 2)).toBeLessThan(12);
    }
  });
});

describe('dewarpPage: a page square to the camera', () => {
  it('is not changed', () => {
    const regions = seen((x, y) => ({ x, y }));
    const { boxOf, inPerspective } = dewarpPage(regions, 0);
    expect(inPerspective).toBe(false);
    expect(boxOf(regions[0]!)).toEqual({ x: 0, y: -12, width: 500, height: 24 });
  });

  it('is only leveled when it is tilted', () => {
    const tilt = 0.1;
    const [cos, sin] = [Math.cos(tilt), Math.sin(tilt)];
    const regions = seen((x, y) => ({ x: x * cos - y * sin, y: x * sin + y * cos }));
    const { boxOf, inPerspective } = dewarpPage(regions, tilt);
    expect(inPerspective).toBe(false);
    const { x, y, width, height } = boxOf(regions[3]!);
    expect(x).toBeCloseTo(0);
    expect([y, width, height].map(Math.round)).toEqual([108, 500, 24]);
  });

  it('is not changed if it has few lines', () => {
    expect(dewarpPage(seen(camera(0.0004, 0)).slice(0, 6), 0).inPerspective).toBe(false);
  });
});
