import { describe, expect, it } from 'vitest';
import { joinedAtCreases } from './bent-lines.ts';
import type { Region } from './geometry.ts';

const HEIGHT = 16;

/** A straight core from one point to another. */
const core = (x0: number, y0: number, x1: number, y1: number): Region & { score: number } => ({
  cx: (x0 + x1) / 2,
  cy: (y0 + y1) / 2,
  width: Math.hypot(x1 - x0, y1 - y0),
  height: HEIGHT,
  angle: Math.atan2(y1 - y0, x1 - x0),
  score: 0.9,
});

/**
 * A line that bends into a crease at x = 400 and rises again after it by `turn` radians; its letters in the crease are not
 * detected.
 */
const creased = (y: number, turn = 0.17) => [
  core(100, y, 370, y),
  core(430, y - 30 * turn, 800, y - 400 * turn),
];
const whole = (y: number) => core(100, y, 800, y);

describe('joinedAtCreases: a line cut in two by a crease', () => {
  it('becomes one line that bends at the crease', () => {
    const cores = [...[100, 150, 200, 250].flatMap((y) => creased(y)), ...[300, 350, 400, 450].map(whole)];
    const lines = joinedAtCreases(cores);
    expect(lines).toHaveLength(8);
    const first = lines.find(({ cy }) => cy < 90)!;
    expect(first.width).toBeGreaterThan(690);
    const middle = first.spine!.reduce(
      (most, { x, y }) => (Math.abs(x - 400) < 50 ? Math.max(most, y) : most),
      0,
    );
    expect(middle).toBeGreaterThan(95);
    expect(middle).toBeLessThan(105);
  });

  it('becomes one line across two creases', () => {
    const three = [100, 150, 200, 250].flatMap((y) => [
      core(100, y, 370, y),
      core(430, y - 6, 770, y - 60),
      core(830, y - 60, 1100, y - 60),
    ]);
    const cores = [...three, ...[300, 350, 400, 450].map((y) => core(100, y, 1100, y))];
    expect(joinedAtCreases(cores)).toHaveLength(8);
  });

  it('stays in two parts beside a gutter that no line crosses', () => {
    const cores = Array.from({ length: 12 }, (_, i) => creased(100 + 50 * i)).flat();
    expect(joinedAtCreases([...cores, whole(40)])).toHaveLength(25);
  });

  it('stays in two parts on flat paper', () => {
    const cores = [...[100, 150, 200, 250].flatMap((y) => creased(y, 0)), ...[300, 350, 400, 450].map(whole)];
    expect(joinedAtCreases(cores)).toHaveLength(12);
  });
});
