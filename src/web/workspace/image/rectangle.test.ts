import { describe, expect, it } from 'vitest';
import { boxBetween, moved, resized } from './rectangle.ts';

const frame = { width: 100, height: 80 };
const box = { x: 20, y: 20, width: 40, height: 30 };

describe('a rectangle in a frame', () => {
  it('is spanned by any two opposite corners and clipped to the frame', () => {
    expect(boxBetween({ x: 60, y: 50 }, { x: 20, y: 20 }, frame)).toEqual(box);
    expect(boxBetween({ x: -5, y: 70 }, { x: 30, y: 200 }, frame)).toEqual({
      x: 0,
      y: 70,
      width: 30,
      height: 10,
    });
  });

  it('is moved only within its frame', () => {
    expect(moved(box, { x: 500, y: -500 }, frame)).toEqual({ ...box, x: 60, y: 0 });
  });

  it('is resized by its corners and edges, down to the minimal size', () => {
    expect(resized(box, { x: -1, y: -1 }, { x: -10, y: 5 }, frame, 4)).toEqual({
      x: 10,
      y: 25,
      width: 50,
      height: 25,
    });
    expect(resized(box, { x: 1, y: 0 }, { x: 500, y: 500 }, frame, 4)).toEqual({ ...box, width: 80 });
    expect(resized(box, { x: 0, y: 1 }, { x: 0, y: -500 }, frame, 4)).toEqual({ ...box, height: 4 });
    expect(resized(box, { x: -1, y: 0 }, { x: 500, y: 0 }, frame, 4)).toEqual({ ...box, x: 56, width: 4 });
  });
});
