import { describe, expect, test } from 'vitest';
import { blankPicture } from '../../../tests/support/gray-picture.ts';
import { type Region, redirected } from './geometry.ts';
import { orientPage, quartersOf } from './orient.ts';

const [width, height] = [600, 400];
const picture = blankPicture(width, height);
const QUARTER = Math.PI / 2;
const lines: Region[] = [60, 120, 180].map((cy) => ({ cx: 350, cy, width: 300, height: 20, angle: 0 }));
const title: Region = { cx: 30, cy: 200, width: 20, height: 200, angle: 0 };

/**
 * Orients a page whose lines are most legible horizontally; `legible` gives the legibility of tall regions by their
 * angle.
 */
async function oriented(regions: readonly Region[], legible: (angle: number) => number) {
  const asked: number[] = [];
  const page = await orientPage(picture, regions, {
    direction: { cropHeight: 48, upsideDownChance: async () => 0 },
    legibility: async (across) => {
      asked.push(across.length);
      return across.map(({ region }) => legible(region.angle));
    },
  });
  return { page, asked };
}
const upwards = (angle: number) => (Math.abs(angle + QUARTER) < 0.1 ? 9 : 1);
const downwards = (angle: number) => (Math.abs(angle - QUARTER) < 0.1 ? 9 : 1);

describe('orientPage: a tall region on a page of horizontal lines', () => {
  test('is read upwards if it is more legible upwards, and the lines stay horizontal', async () => {
    const { page } = await oriented([...lines, title], upwards);
    expect(page.quarterTurns).toBe(0);
    expect(page.angle).toBe(0);
    expect(page.regions.slice(0, 3)).toEqual(lines);
    expect(page.regions[3]).toEqual(redirected(title, -1));
    expect(quartersOf(page.regions[3]!, page.angle)).toBe(3);
  });

  test('is read downwards if it is more legible downwards', async () => {
    const { page } = await oriented([...lines, title], downwards);
    expect(page.regions[3]).toEqual(redirected(title, 1));
    expect(quartersOf(page.regions[3]!, page.angle)).toBe(1);
  });

  test('is unchanged if rotation makes it only a little more legible', async () => {
    const { page } = await oriented([...lines, title], (angle) => (angle === 0 ? 1 : 2.1));
    expect(page.regions).toEqual([...lines, title]);
  });
});

test('orientPage: regions that are not clearly taller than wide are not tested', async () => {
  const square = { ...title, width: 20, height: 37 };
  const { page, asked } = await oriented([...lines, square], upwards);
  expect(asked).toEqual([]);
  expect(page.regions).toEqual([...lines, square]);
});

test('orientPage: more than 300 tall regions are a pattern, and none of them is rotated', async () => {
  const pattern = Array.from({ length: 301 }, (_, i) => ({ ...title, cx: i, height: 40 }));
  const long = Array.from({ length: 20 }, () => ({ ...lines[0]!, width: 5_000 }));
  const { page, asked } = await oriented([...long, ...pattern], upwards);
  expect(page.quarterTurns).toBe(0);
  expect(asked).toEqual([]);
});
