import { expect, test } from 'vitest';
import { type Corners, type Pixels, type Point, projectionOf, straighten } from './perspective.ts';
import { findSheet } from './sheet-edges.ts';

function project(by: readonly number[], { x, y }: Point): Point {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = by;
  const depth = g * x + h * y + 1;
  return { x: (a * x + b * y + c) / depth, y: (d * x + e * y + f) / depth };
}

type Color = readonly [number, number, number];

const SIZE = { width: 400, height: 300 };

/** Pseudo-random noise, the same in every run. */
function noise(seed: number) {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296 - 0.5;
  };
}

const gray = (value: number): Color => [value, value, value];

/** Backgrounds of the sheet: the color at a position. */
const DESKS: Readonly<Record<string, (x: number, y: number) => Color>> = {
  'dark wood': (x, y) => {
    const grain = 18 * Math.sin(y / 3 + 2 * Math.sin(x / 60)) + 8 * Math.sin(x / 17);
    return [96 + grain, 62 + grain * 0.8, 38 + grain * 0.5];
  },
  'light wood': (x, y) => {
    const grain = 10 * Math.sin(y / 4 + 3 * Math.sin(x / 45));
    return [214 + grain, 184 + grain, 140 + grain];
  },
  'gray felt': () => gray(120),
  'a checked cloth': (x, y) => {
    const isRed = Math.floor(x / 26) % 2 === Math.floor(y / 26) % 2;
    return isRed ? [176, 62, 58] : [206, 150, 140];
  },
  'a desk of boards': (_, y) => (y % 62 < 3 ? gray(52) : [150, 118, 86]),
  'black glass with a reflection': (x, y) =>
    gray(22 + 70 * Math.exp(-(((x - 320) / 90) ** 2) - ((y - 40) / 60) ** 2)),
  'a white table': (x) => [214 + x / 80, 212 + x / 80, 206 + x / 80],
};

/** The color of the sheet at a position, 0 to 1 in both directions. */
function page({ x, y }: Point, withTable: boolean): Color {
  const paper = gray(244);
  const ink = gray(48);
  if (x < 0.1 || x > 0.9 || y < 0.08 || y > 0.92) return paper;
  if (withTable && y > 0.5 && y < 0.8) {
    const isRule = [0.1, 0.37, 0.63, 0.9].some((at) => Math.abs(x - at) < 0.006);
    return isRule || Math.abs(((y - 0.5) * 10) % 1) < 0.07 ? ink : paper;
  }
  const line = (y * 30) % 1;
  const isWord = Math.sin(x * 95 + Math.floor(y * 30) * 7) > -0.55;
  return line < 0.45 && isWord && Math.sin(x * 700) > -0.3 ? ink : paper;
}

interface Scene {
  desk: keyof typeof DESKS;
  corners: Corners;
  withTable?: boolean;
  /** Whether a pen and a cup are beside or on the sheet. */
  isCluttered?: boolean;
}

/** A synthetic photograph of a sheet on a desk: soft, noisy, lit from one side, with a shadow along the lower edges. */
function photograph({ desk, corners, withTable = false, isCluttered = false }: Scene): Pixels {
  const { width, height } = SIZE;
  const unit: Corners = [
    { x: 0, y: 0 },
    { x: 1, y: 0 },
    { x: 1, y: 1 },
    { x: 0, y: 1 },
  ];
  const onSheet = projectionOf(corners, unit)!;
  const colorAt = (x: number, y: number): Color => {
    if (isCluttered) {
      if (Math.abs((x - 30) * 0.94 - (y - 20) * 0.34) < 4 && y > 20 && y < 260) return [30, 40, 110];
      if (Math.hypot(x - 372, y - 262) < 34) return [230, 120, 60];
    }
    const place = project(onSheet, { x, y });
    const isIn = (p: Point) => p.x >= 0 && p.x <= 1 && p.y >= 0 && p.y <= 1;
    if (isIn(place)) return page(place, withTable);
    const ground = DESKS[desk]!(x, y);
    const shade = isIn(project(onSheet, { x: x - 2.5, y: y - 3.5 })) ? 0.72 : 1;
    return [ground[0] * shade, ground[1] * shade, ground[2] * shade];
  };
  const data = new Uint8ClampedArray(width * height * 4);
  const random = noise(7);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const sum = [0, 0, 0];
      // Two samples per pixel soften the edges.
      for (const off of [-0.25, 0.25])
        colorAt(x + 0.5 + off, y + 0.5 - off / 2).forEach((value, channel) => {
          sum[channel]! += value / 2;
        });
      const light = 0.82 + 0.18 * (x / width) + 0.04 * (y / height);
      const at = (y * width + x) * 4;
      for (const [channel, value] of sum.entries()) data[at + channel] = value * light + 14 * random();
      data[at + 3] = 255;
    }
  }
  return { data, width, height };
}

const corners = (...values: [number, number, number, number, number, number, number, number]): Corners => [
  { x: values[0], y: values[1] },
  { x: values[2], y: values[3] },
  { x: values[4], y: values[5] },
  { x: values[6], y: values[7] },
];

const POSES: Readonly<Record<string, Corners>> = {
  'from above': corners(110, 24, 292, 26, 290, 278, 108, 276),
  'turned a little': corners(122, 18, 300, 44, 262, 284, 84, 256),
  'turned by a third of a right angle': corners(196, 14, 334, 94, 216, 288, 76, 210),
  'from the front, farther at the top': corners(128, 40, 272, 40, 326, 280, 74, 280),
  'from one side': corners(92, 60, 300, 22, 316, 276, 86, 238),
};

/** The largest error of a corner, in percent of the picture's diagonal. */
function largestError(found: Corners | null, wanted: Corners): number {
  if (!found) return Number.POSITIVE_INFINITY;
  const far = found.map(({ x, y }, at) => Math.hypot(x - wanted[at]!.x, y - wanted[at]!.y));
  return (100 * Math.max(...far)) / Math.hypot(SIZE.width, SIZE.height);
}

/** Percent of the diagonal. With a smaller error the sheet loses no letter at its edges. */
const MAX_ERROR = 0.8;

/** Three poses on each desk and each pose on at least four desks, because all combinations would take half a minute. */
const SCENES = Object.keys(DESKS).flatMap((desk, at) =>
  Object.keys(POSES)
    .filter((_, index) => (index + at) % 5 < 3)
    .map((pose) => [desk, pose] as const),
);

test.each(SCENES)('findSheet: on %s, photographed %s, finds each corner', (desk, pose) => {
  expect(largestError(findSheet(photograph({ desk, corners: POSES[pose]! })), POSES[pose]!)).toBeLessThan(
    MAX_ERROR,
  );
});

test('findSheet: does not mistake a ruled table on the sheet for the sheet', () => {
  const pose = POSES['turned a little']!;
  expect(
    largestError(findSheet(photograph({ desk: 'light wood', corners: pose, withTable: true })), pose),
  ).toBeLessThan(MAX_ERROR);
});

test('findSheet: a pen and a cup beside the sheet do not move its corners', () => {
  const pose = POSES['from the front, farther at the top']!;
  expect(
    largestError(findSheet(photograph({ desk: 'gray felt', corners: pose, isCluttered: true })), pose),
  ).toBeLessThan(MAX_ERROR);
});

test('findSheet: finds no sheet on an empty desk', () => {
  const nowhere = corners(-900, -900, -800, -900, -800, -800, -900, -800);
  for (const desk of ['gray felt', 'dark wood', 'a white table'])
    expect(findSheet(photograph({ desk, corners: nowhere })), desk).toBeNull();
});

test('straighten: keeps the content of the sheet, upright and with its aspect ratio', () => {
  const pose = POSES['from one side']!;
  const flat = straighten(photograph({ desk: 'gray felt', corners: pose, withTable: true }), pose, 1e6)!;
  const at = (x: number, y: number) =>
    flat.data[(Math.floor(y * flat.height) * flat.width + Math.floor(x * flat.width)) * 4]!;
  expect(flat.width / flat.height).toBeCloseTo(231 / 255, 1);
  // The outermost rules of the table, and the paper beside them.
  for (const y of [0.555, 0.655, 0.755]) {
    expect(at(0.1, y), `rule at ${y}`).toBeLessThan(170);
    expect(at(0.9, y), `rule at ${y}`).toBeLessThan(170);
    expect(at(0.05, y), `paper at ${y}`).toBeGreaterThan(190);
  }
  expect(flat.data.filter((_, i) => i % 4 === 3).every((alpha) => alpha === 255)).toBe(true);
});
