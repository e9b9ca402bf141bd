import { expect, test } from 'vitest';
import { linesOn, pictureOf } from '../../../tests/support/gray-picture.ts';
import type { Picture } from '../picture/picture.ts';
import type { Region } from './geometry.ts';
import { withOuterUnderscores } from './outer-underscores.ts';

const [WIDTH, HEIGHT, LINE] = [400, 80, 30] as const;
const REGION: Region = { cx: 200, cy: 40, width: 120, height: LINE, angle: 0 };

/** Letters from column 145 to 255, and rules in the rows below them. */
function page(rules: readonly (readonly [from: number, to: number, thick?: number])[]) {
  const gray = new Uint8Array(WIDTH * HEIGHT).fill(240);
  const ink = (left: number, right: number, top: number, bottom: number) => {
    for (let y = top; y < bottom; y++) gray.fill(10, y * WIDTH + left, y * WIDTH + right);
  };
  for (let x = 145; x < 255; x += 12) ink(x, x + 6, 30, 49);
  for (const [from, to, thick = 2] of rules) ink(from, to, 50, 50 + thick);
  return pictureOf({ gray, width: WIDTH, height: HEIGHT });
}

/** The region of a line after the search for underscores. */
function grownOn(picture: Picture, region: Region): Region {
  return withOuterUnderscores(picture, linesOn(picture, [region]))[0]!.region;
}

const edgesIn = (...rules: Parameters<typeof page>[0]) => {
  const { cx, width } = grownOn(page(rules), REGION);
  return [cx - width / 2, cx + width / 2];
};

test('withOuterUnderscores: a line is widened over its first and last underscores', () => {
  const [left, right] = edgesIn([118, 129], [130, 141], [258, 269], [270, 281]);
  expect(left).toBeLessThan(118);
  expect(left).toBeGreaterThan(110);
  expect(right).toBeGreaterThan(281);
  expect(right).toBeLessThan(290);
});

test.each<[string, readonly (readonly [number, number, number?])[]]>([
  ['where nothing stands beside it', []],
  ['beside a rule that runs across the page', [[0, 141]]],
  ['beside a thick bar', [[118, 141, 9]]],
  ['above a rule that begins under its letters', [[200, 281]]],
])('withOuterUnderscores: a line stays unchanged %s', (_where, rules) => {
  const picture = page(rules);
  const lines = linesOn(picture, [REGION]);
  expect(withOuterUnderscores(picture, lines)[0]).toBe(lines[0]);
});

test('withOuterUnderscores: a line is deepened over cut-off underscores, and over nothing else', () => {
  // The rules lie in the rows 50 and 51.
  const line: Region = { cx: 200, cy: 38, width: 160, height: 26, angle: 0 };
  const grown = (...rules: Parameters<typeof page>[0]) => {
    const { cy, height } = grownOn(page(rules), line);
    return { height, bottom: cy + height / 2 };
  };
  expect(grown([262, 275]).bottom).toBeGreaterThan(51);
  expect(grown([262, 275]).height).toBeLessThan(29);
  expect(grown()).toEqual({ height: 26, bottom: 51 });
  expect(grown([122, 278])).toEqual({ height: 26, bottom: 51 });
  expect(grown([262, 275, 9])).toEqual({ height: 26, bottom: 51 });
});
