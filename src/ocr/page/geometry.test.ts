import { describe, expect, it } from 'vitest';
import {
  boundsOf,
  convexHull,
  levelled,
  minimumAreaRectangle,
  redirected,
  runsSideways,
  sliceOf,
  wrapAngle,
} from './geometry.ts';

const DEGREE = Math.PI / 180;

/** The corners of a rotated rectangle, sorted for `convexHull`. */
function cornersOf(cx: number, cy: number, width: number, height: number, angle: number) {
  const points = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([u, v]) => ({
    x: cx + (u! * width * Math.cos(angle) - v! * height * Math.sin(angle)) / 2,
    y: cy + (u! * width * Math.sin(angle) + v! * height * Math.cos(angle)) / 2,
  }));
  return points.sort((a, b) => a.y - b.y || a.x - b.x);
}

describe('minimumAreaRectangle', () => {
  it.each([0, 7, -12, 30, -44])('a rectangle tilted by %i degrees gives that rectangle', (degrees) => {
    const found = minimumAreaRectangle(convexHull(cornersOf(100, 60, 80, 20, degrees * DEGREE)))!;
    expect(found.cx).toBeCloseTo(100);
    expect(found.cy).toBeCloseTo(60);
    expect(found.width).toBeCloseTo(80);
    expect(found.height).toBeCloseTo(20);
    expect(found.angle).toBeCloseTo(degrees * DEGREE);
  });

  it('upward text gives a tall box', () => {
    const found = minimumAreaRectangle(convexHull(cornersOf(50, 50, 80, 20, 88 * DEGREE)))!;
    expect(found.width).toBeCloseTo(20);
    expect(found.height).toBeCloseTo(80);
    expect(found.angle).toBeCloseTo(-2 * DEGREE);
  });

  it('a single point has no rectangle', () => {
    expect(minimumAreaRectangle(convexHull([{ x: 1, y: 1 }]))).toBeUndefined();
  });
});

describe('convexHull', () => {
  it('leaves out points inside and on its edges', () => {
    const square = [
      { x: 0, y: 0 },
      { x: 2, y: 0 },
      { x: 4, y: 0 },
      { x: 2, y: 2 },
      { x: 0, y: 4 },
      { x: 4, y: 4 },
    ];
    expect(convexHull(square)).toHaveLength(4);
  });
});

describe('region', () => {
  const region = { cx: 50, cy: 40, width: 60, height: 10, angle: 0 };

  it('a redirection by a quarter turn swaps the sides and keeps the place', () => {
    const turned = redirected(region, 1);
    expect(turned).toMatchObject({ cx: 50, cy: 40, width: 10, height: 60 });
    expect(turned.angle).toBeCloseTo(Math.PI / 2);
    expect(boundsOf(turned)).toEqual({
      x: expect.closeTo(20),
      y: expect.closeTo(35),
      width: expect.closeTo(60),
      height: expect.closeTo(10),
    });
  });

  it('sliceOf cuts it to a part of its length', () => {
    expect(boundsOf(sliceOf(region, 10, 30))).toEqual({ x: 30, y: 35, width: 20, height: 10 });
  });

  it('levelled: a region of an upside-down page becomes upright', () => {
    const above = levelled({ ...region, angle: Math.PI }, Math.PI);
    const below = levelled({ ...region, cy: 20, angle: Math.PI }, Math.PI);
    expect(above.angle).toBeCloseTo(0);
    expect(above.cy).toBeLessThan(below.cy);
  });

  it.each([
    [Math.PI * 1.5, -Math.PI / 2],
    [-Math.PI, Math.PI],
    [0.3, 0.3],
  ])('wrapAngle: %f becomes %f', (angle, wrapped) => {
    expect(wrapAngle(angle)).toBeCloseTo(wrapped);
  });
});

describe('runsSideways', () => {
  const box = (width: number, height: number) => ({ cx: 0, cy: 0, width, height, angle: 0 });

  it("is true when most of the text's extent is higher than wide", () => {
    expect(runsSideways([box(10, 90), box(10, 70), box(40, 10)])).toBe(true);
  });

  it('is false otherwise, and boxes without a clear direction do not count', () => {
    expect(runsSideways([box(10, 30), box(90, 10), box(10, 11)])).toBe(false);
    expect(runsSideways([box(10, 11)])).toBe(false);
    expect(runsSideways([])).toBe(false);
  });
});
