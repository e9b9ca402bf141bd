import { describe, expect, it } from 'vitest';
import { decoded } from '../../../tests/support/decoded-picture.ts';
import { textPicture } from '../../../tests/support/pictures.ts';
import type { GrayImage } from '../picture/pixels.ts';
import { cleaned, cutLine, gapsOf } from './crop.ts';

const mean = (gray: Uint8Array) => gray.reduce((sum, level) => sum + level, 0) / gray.length;

function difference(a: GrayImage, b: GrayImage): number {
  return a.gray.reduce((sum, level, i) => sum + Math.abs(level - b.gray[i]!), 0) / a.gray.length;
}

describe('cutLine', () => {
  const line = { cx: 240, cy: 50, width: 400, height: 60, angle: 0 };

  it('has the requested height and keeps the proportions', async () => {
    const crop = cutLine(await decoded(textPicture()), line, 30);
    expect(crop).toMatchObject({ width: 200, height: 30 });
    expect(crop.gray).toHaveLength(6000);
  });

  it('gives the same crop for every rotation of the picture', async () => {
    const upright = cutLine(await decoded(textPicture()), line, 36);
    const onItsSide = await decoded(textPicture().rotate(90));
    const turned = cutLine(onItsSide, { ...line, cx: 160 - line.cy, cy: line.cx, angle: Math.PI / 2 }, 36);
    expect(difference(upright, turned)).toBeLessThan(3);
  });

  it('repeats the edge of the picture where the region reaches beyond it', async () => {
    const crop = cutLine(await decoded(textPicture()), { ...line, cx: -300 }, 30);
    expect(mean(crop.gray)).toBeGreaterThan(250);
  });
});

describe('cleaned', () => {
  const stripes = (ink: number, paper: number): GrayImage => ({
    gray: Uint8Array.from({ length: 40 * 10 }, (_, i) => (i % 40 > 10 && i % 4 === 0 ? ink : paper)),
    width: 40,
    height: 10,
  });
  const contrast = { black: 0.03, white: 0.7 };

  it('has dark ink on light paper, whatever the polarity of the picture', () => {
    const usual = cleaned(stripes(90, 140), contrast);
    const inverted = cleaned(stripes(140, 90), contrast);
    expect(inverted.gray).toEqual(usual.gray);
    expect(Math.min(...usual.gray)).toBe(0);
    expect(Math.max(...usual.gray)).toBe(255);
  });

  it("has white paper on both sides of a shadow's edge", () => {
    const [width, height] = [200, 40];
    const light = (x: number) => (x < 90 ? 0.3 : 1);
    const inked = (x: number, y: number) => x % 20 > 12 && y > 8 && y < 32;
    const gray = Uint8Array.from({ length: width * height }, (_, i) => {
      const [x, y] = [i % width, Math.floor(i / width)];
      return (inked(x, y) ? 60 : 230) * light(x);
    });
    const crop = cleaned({ gray, width, height }, contrast);
    const level = (x: number, y: number) => crop.gray[y * width + x]!;
    for (const x of [5, 45, 130, 190]) {
      expect(level(x, 20), `paper at ${x}`).toBeGreaterThan(220);
      expect(level(x + 11 - (x % 20) + 5, 20), `ink near ${x}`).toBeLessThan(60);
    }
  });

  it('does not turn an empty stretch into noise', () => {
    const grain = { gray: Uint8Array.from({ length: 400 }, (_, i) => 200 + (i % 3)), width: 40, height: 10 };
    const { gray } = cleaned(grain, contrast);
    expect(Math.max(...gray) - Math.min(...gray)).toBeLessThan(40);
  });
});

describe('gapsOf', () => {
  it('returns the runs of columns without ink', () => {
    const inked = (x: number) => x === 3 || x === 4 || x === 9;
    const crop = {
      gray: Uint8Array.from({ length: 12 * 24 }, (_, i) => (inked(i % 12) ? 0 : 255)),
      width: 12,
      height: 24,
    };
    expect(gapsOf(crop)).toEqual([
      { from: 0, to: 3 },
      { from: 5, to: 9 },
      { from: 10, to: 12 },
    ]);
  });
});
