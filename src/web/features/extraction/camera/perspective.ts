import { itemAt } from '#formats/checked';

/** Removes the perspective distortion of a photographed sheet. */

export interface Point {
  x: number;
  y: number;
}

/** The corners of a sheet: top left, top right, bottom right, bottom left. */
export type Corners = readonly [Point, Point, Point, Point];

/** Pixels like those of a canvas: red, green, blue and alpha, row by row. */
export interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** The first eight coefficients of a homography; the ninth is 1. */
type Projection = readonly number[];

/** The homography that maps four points to four others; null if three of them are collinear. */
export function projectionOf([a, b, c, d]: Corners, [e, f, g, h]: Corners): Projection | null {
  const pairs = [
    [a, e],
    [b, f],
    [c, g],
    [d, h],
  ] as const;
  return solveLinear(
    pairs.flatMap(([{ x, y }, { x: u, y: v }]) => [
      [x, y, 1, 0, 0, 0, -u * x, -u * y, u],
      [0, 0, 0, x, y, 1, -v * x, -v * y, v],
    ]),
  );
}

/** Solves a linear system by Gaussian elimination; null if it has no unique solution. */
function solveLinear(system: readonly (readonly number[])[]): number[] | null {
  let rows = system;
  for (const column of system.keys()) {
    const lead = (row: readonly number[]) => itemAt(row, column);
    const pivot = rows
      .slice(column)
      .reduce((most, row) => (Math.abs(lead(row)) > Math.abs(lead(most)) ? row : most));
    if (Math.abs(lead(pivot)) < 1e-9) return null;
    const others = rows
      .filter((row) => row !== pivot)
      .map((row) => {
        const factor = lead(row) / lead(pivot);
        return row.map((value, at) => (at < column ? value : value - factor * itemAt(pivot, at)));
      });
    rows = [...others.slice(0, column), pivot, ...others.slice(column)];
  }
  return rows.map((row, at) => itemAt(row, system.length) / itemAt(row, at));
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

/** The size of the straightened sheet: its longer sides keep their length, up to `maxPixels` in total. */
function sheetSize(
  [topLeft, topRight, bottomRight, bottomLeft]: Corners,
  maxPixels: number,
): { width: number; height: number } {
  const width = Math.max(distance(topLeft, topRight), distance(bottomLeft, bottomRight));
  const height = Math.max(distance(topLeft, bottomLeft), distance(topRight, bottomRight));
  const scale = Math.min(1, Math.sqrt(maxPixels / Math.max(1, width * height)));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

/** The straightened sheet, with bilinear interpolation; null if the corners are no quadrilateral. */
export function straighten(picture: Pixels, corners: Corners, maxPixels: number): Pixels | null {
  const { width, height } = sheetSize(corners, maxPixels);
  const flat: Corners = [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ];
  const back = projectionOf(flat, corners);
  if (!back) return null;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = back;
  const data = new Uint8ClampedArray(width * height * 4);
  const { data: source, width: across, height: down } = picture;
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 4) {
      const [u, v] = [x + 0.5, y + 0.5];
      const depth = g * u + h * v + 1;
      const px = clamp((a * u + b * v + c) / depth - 0.5, across - 1);
      const py = clamp((d * u + e * v + f) / depth - 0.5, down - 1);
      const [left, top] = [Math.floor(px), Math.floor(py)];
      const [dx, dy] = [px - left, py - top];
      const one = (top * across + left) * 4;
      const right = left + 1 < across ? 4 : 0;
      const below = top + 1 < down ? across * 4 : 0;
      for (let channel = 0; channel < 3; channel += 1) {
        const i = one + channel;
        const upper = source[i]! * (1 - dx) + source[i + right]! * dx;
        const lower = source[i + below]! * (1 - dx) + source[i + below + right]! * dx;
        data[at + channel] = upper * (1 - dy) + lower * dy;
      }
      data[at + 3] = 255;
    }
  }
  return { data, width, height };
}

const clamp = (value: number, max: number) => Math.min(Math.max(value, 0), max);
