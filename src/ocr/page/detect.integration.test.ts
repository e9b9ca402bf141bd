import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { decoded } from '../../../tests/support/decoded-picture.ts';
import { sheet, textPicture } from '../../../tests/support/pictures.ts';
import type { Picture } from '../picture/picture.ts';
import { nodeModels } from '../recognizers/node-models.ts';
import { windowsOf } from '../recognizers/paddle-detector.ts';
import { cutLine } from './crop.ts';
import { closerBy, detectionScale, detectText, regionsOf, type TextDetector } from './detect.ts';
import { boundsOf, type Region, redirected } from './geometry.ts';

describe('detectionScale', () => {
  it('brings the long side of a page to 1280 pixels', () => {
    expect(1700 * detectionScale({ width: 1200, height: 1700 })).toBeCloseTo(1280);
  });
  it('does not shrink a long strip by its length', () => {
    expect(detectionScale({ width: 600, height: 9000 })).toBe(1);
  });
  it('leaves a screenshot of ordinary size unchanged', () => {
    expect(detectionScale({ width: 1200, height: 800 })).toBe(1);
  });
  it('enlarges small pictures, at most twice', () => {
    expect(detectionScale({ width: 450, height: 330 })).toBe(2);
    expect(detectionScale({ width: 800, height: 600 })).toBeCloseTo(1.2);
  });

  it('scales a large page of paper to the same resolution as an A4 page', () => {
    expect(detectionScale({ width: 4967, height: 7022, dotsPerInch: 150 })).toBeCloseTo(109 / 150);
    expect(detectionScale({ width: 2480, height: 3508, dotsPerInch: 300 })).toBeCloseTo(1280 / 3508);
  });
});

describe('windowsOf: windows of a strip', () => {
  it.each([100, 1280, 1281, 3000, 9000])('cover %i pixels, none longer than allowed', (length) => {
    const windows = windowsOf(length, 1280, 96);
    expect(windows[0]!.keepFrom).toBe(0);
    expect(windows.at(-1)!.keepTo).toBe(length);
    for (const [index, { from, to, keepFrom, keepTo }] of windows.entries()) {
      expect(to - from).toBeLessThanOrEqual(1280);
      expect(keepFrom).toBeGreaterThanOrEqual(from);
      expect(keepTo).toBeLessThanOrEqual(to);
      if (index > 0) expect(keepFrom).toBeLessThan(windows[index - 1]!.keepTo);
    }
  });
});

describe('closerBy', () => {
  const page = { width: 2000, height: 2800 };
  /** Boxes of the height that the text detector returns, one for each `pitch` pixels of a full page. */
  const lines = (pitch: number, height: number): Region[] =>
    Array.from({ length: Math.floor(2400 / pitch) }, (_, i) => ({
      cx: 1000,
      cy: 200 + i * pitch,
      width: 1600,
      height,
      angle: 0,
    }));
  const scale = 1280 / 2800;

  it('enlarges a page with dense lines, by their distance', () => {
    const [near, nearer] = [closerBy(lines(32, 40), page, scale), closerBy(lines(24, 36), page, scale)];
    expect(near).toBeGreaterThan(1);
    expect(nearer).toBeGreaterThan(near);
  });
  it('enlarges at most twice', () => {
    expect(closerBy(lines(10, 30), page, scale)).toBe(2);
  });
  it('leaves a page with room between its lines, or with a few lines of small print', () => {
    expect(closerBy(lines(60, 50), page, scale)).toBe(1);
    expect(closerBy(lines(24, 36).slice(0, 20), page, scale)).toBe(1);
    expect(closerBy([], page, scale)).toBe(1);
  });
  it('enlarges a bent page by the distance of its lines, independent of margins', () => {
    const few = lines(32, 36).slice(0, 20);
    const spine = few.map(({ cx, cy }) => ({ x: cx, y: cy }));
    const bend = (some: readonly Region[]) => some.map((line) => ({ ...line, spine }));
    expect(closerBy(few, page, scale)).toBe(1);
    expect(closerBy(bend(few), page, scale)).toBeCloseTo(24 / (32 * scale));
    expect(closerBy(bend(lines(60, 50).slice(0, 20)), page, scale)).toBe(1);
    // One bent line among twenty straight ones, and lines side by side, which are not neighbors of one another.
    expect(closerBy([...bend(few.slice(0, 1)), ...few.slice(1)], page, scale)).toBe(1);
    const beside = few.map((line, i) => ({ ...line, width: 700, cx: i % 2 ? 400 : 1300 }));
    expect(closerBy(bend(beside), page, scale)).toBe(1);
  });
  it('gives the same factor for a page on its side', () => {
    const upright = lines(24, 36);
    const onSide = upright.map(({ cx, cy, width, height, angle }) => ({
      cx: cy,
      cy: cx,
      width: height,
      height: width,
      angle,
    }));
    const turned = { width: page.height, height: page.width };
    expect(closerBy(onSide, turned, scale)).toBeCloseTo(closerBy(upright, page, scale));
  });

  it('detects a second time only if it enlarges', async () => {
    const looks: number[] = [];
    const eyesFor = (pitch: number): TextDetector => ({
      scale: async (_image, wide, high) => {
        looks.push(Math.max(wide, high));
        // A uniform background would not count as print.
        const data = new Uint8Array(wide * high * 3).map((_, i) => (i % 7) * 40);
        return { data, width: wide, height: high };
      },
      mapText: async (seen) => ({
        ...seen,
        data: Uint8Array.from({ length: seen.width * seen.height }, (_, i) => {
          const [x, y] = [(i % seen.width) / seen.width, Math.floor(i / seen.width) / seen.height];
          const inText = x > 0.1 && x < 0.9 && y > 0.05 && y < 0.95;
          return inText && (y * page.height) % pitch < pitch * 0.45 ? 255 : 0;
        }),
      }),
    });
    const picture = { ...page, rgb: new Uint8Array(0) } as unknown as Picture;
    await detectText(picture, eyesFor(70));
    expect(looks).toEqual([1280]);
    await detectText(picture, eyesFor(32));
    expect(looks).toHaveLength(3);
    expect(looks[2]).toBeGreaterThan(1280);
  });
});

describe('regionsOf', () => {
  const width = 60;
  const map = (fill: (x: number, y: number) => number) => ({
    data: Uint8Array.from({ length: width * 40 }, (_, i) => fill(i % width, Math.floor(i / width))),
    width,
    height: 40,
  });

  it('returns connected areas, grown, in pixels of the picture', () => {
    const bar = map((x, y) => (x >= 10 && x < 50 && y >= 10 && y < 18 ? 255 : 0));
    const [region, ...others] = regionsOf(bar, 0.5, 0.5);
    expect(others).toEqual([]);
    expect(region).toMatchObject({ cx: 60, cy: 28, angle: 0, score: 1 });
    expect(region!.width).toBeGreaterThan(80);
    expect(region!.height).toBeGreaterThan(16);
    expect(region!.height).toBeLessThan(50);
  });

  it('does not grow past the middle between two words of a line', () => {
    const words = (gap: number) =>
      regionsOf(
        map((x, y) => (y >= 15 && y < 23 && x >= 4 && x < 56 && Math.abs(x - 30) >= gap / 2 ? 255 : 0)),
        1,
        1,
      ).sort((a, b) => a.cx - b.cx);
    const [left, right] = words(4);
    expect(left!.cx + left!.width / 2).toBeLessThanOrEqual(30.5);
    expect(right!.cx - right!.width / 2).toBeGreaterThanOrEqual(30.5);
    // On their outer sides the regions are as large as they would be alone.
    expect(left!.cx - left!.width / 2).toBeLessThan(1);
    expect(left!.height).toBeGreaterThan(14);
  });

  it('does not grow past the middle between two words of vertical text', () => {
    const words = regionsOf(
      map((x, y) => (x >= 15 && x < 21 && y >= 1 && y < 39 && Math.abs(y - 20) >= 2 ? 255 : 0)),
      1,
      1,
    ).sort((a, b) => a.cy - b.cy);
    expect(words).toHaveLength(2);
    const [above, below] = words.map((region) => boundsOf(redirected(region, 0)));
    expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y + 1e-9);
  });

  it('leaves out specks and areas below the score threshold', () => {
    expect(
      regionsOf(
        map((x, y) => (x < 2 && y < 2 ? 255 : 0)),
        1,
        1,
      ),
    ).toEqual([]);
    expect(
      regionsOf(
        map((x, y) => (x < 30 && y < 10 ? 90 : 0)),
        1,
        1,
      ),
    ).toEqual([]);
  });

  it('follows the tilt of an area', () => {
    const tilted = map((x, y) => (x > 5 && x < 55 && Math.abs(y - 10 - x / 4) < 3 ? 255 : 0));
    expect(regionsOf(tilted, 1, 1)[0]!.angle).toBeCloseTo(Math.atan(1 / 4), 1);
  });
});

describe('regionsOf: a bent line', () => {
  const width = 240;
  const sag = (x: number) => 30 * ((x - 120) / 120) ** 2;
  const data = new Uint8Array(width * 60);
  for (let x = 10; x < 230; x++) {
    for (let y = 0; y < 60; y++) if (Math.abs(y - 10 - sag(x)) < 4) data[y * width + x] = 255;
  }
  const [region] = regionsOf({ data, width, height: 60 }, 1, 1);

  it('is as high as its writing, not as the rectangle around it', () => {
    expect(region!.height).toBeLessThan(22);
  });

  it('has a spine through its middle', () => {
    expect(region!.spine).toHaveLength(12);
    for (const { x, y } of region!.spine!) expect(Math.abs(y - 10 - sag(x))).toBeLessThan(1.6);
  });

  it('is straight when it is cut out', () => {
    const gray = new Uint8Array(new SharedArrayBuffer(data.length));
    gray.set(data.map((level) => 255 - level));
    const picture = { width, height: 60, gray } as unknown as Picture;
    const crop = cutLine(picture, region!, 20);
    const inked = (y: number) =>
      crop.gray.subarray(y * crop.width, (y + 1) * crop.width).filter((l) => l < 128).length;
    expect(inked(10)).toBeGreaterThan(crop.width * 0.8);
    expect(inked(1)).toBe(0);
    expect(inked(18)).toBe(0);
  });
});

describe('regionsOf: a line that bends by half its thickness', () => {
  const width = 240;
  const across = (x: number) => 20 + 4 * ((x - 120) / 120) ** 2 + (x % 20 < 10 ? 0.5 : -0.5);
  const data = new Uint8Array(width * 40);
  for (let x = 10; x < 230; x++) {
    for (let y = 0; y < 40; y++) if (Math.abs(y - across(x)) < 4) data[y * width + x] = 255;
  }
  const [region] = regionsOf({ data, width, height: 40 }, 1, 1);

  it('is no higher than a straight one', () => {
    const [straight] = regionsOf(
      { data: data.map((_, i) => (Math.abs(Math.floor(i / width) - 20) < 4 ? 255 : 0)), width, height: 40 },
      1,
      1,
    );
    expect(region!.height).toBeLessThan(straight!.height * 1.15);
  });

  it('has a spine that follows the paper and not the letters', () => {
    for (const { x, y } of region!.spine!)
      expect(Math.abs(y - 20 - 4 * ((x - 120) / 120) ** 2)).toBeLessThan(1);
  });
});

describe('detectText', () => {
  let detector: TextDetector;
  beforeAll(async () => {
    detector = await nodeModels(2, () => Promise.reject(new Error('nothing is read'))).detector();
  });

  it('finds the lines of a small picture', async () => {
    const found = await detectText(await decoded(textPicture()), detector);
    const boxes = found.filter(({ height }) => height > 15).map(boundsOf);
    const covers = (x: number, y: number) =>
      boxes.some((box) => x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height);
    // Near both ends of "Harbour lights" and of "seven boats", and in the white between and beside them.
    expect([covers(120, 58), covers(360, 58), covers(130, 106), covers(350, 106)]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([covers(20, 58), covers(460, 106), covers(240, 20), covers(240, 145)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('finds the lines of a page on its side as well as those of the page upright', async () => {
    const page = sharp(await sheet(16));
    const upright = await detectText(await decoded(page.clone()), detector);
    const turned = await detectText(await decoded(page.clone().rotate(90)), detector);
    expect(upright.length).toBeGreaterThan(20);
    expect(turned).toHaveLength(upright.length);
    const extent = (regions: readonly Region[]) =>
      regions.map(({ width, height }) => Math.max(width, height)).sort((a, b) => a - b);
    for (const [index, length] of extent(upright).entries()) {
      expect(extent(turned)[index]! / length).toBeCloseTo(1, 1);
    }
  });

  it('finds nothing on an empty page', async () => {
    const empty = sharp({ create: { width: 200, height: 100, channels: 3, background: '#fff' } });
    expect(await detectText(await decoded(empty), detector)).toEqual([]);
  });
});
