/** Rotates and photographs labeled pages, to measure the effect of rotated and distorted pictures. */
import sharp from 'sharp';

/** Degrees clockwise. Quarter turns are exact; other rotations are resampled on a white background. */
export const TURNS = [90, 180, 270, 3, -3, 7, -7, 15, -15] as const;

/** A PNG of the picture rotated clockwise by `degrees`, on an enlarged canvas. */
export async function turned(file: string, degrees: number): Promise<Buffer> {
  return sharp(file)
    .flatten({ background: '#fff' })
    .rotate(degrees, { background: '#fff' })
    .png({ compressionLevel: 3 })
    .toBuffer();
}

/** Camera positions: the corners of the page in the photograph, as fractions of its width and height. */
export const VIEWPOINTS = {
  nearly: {
    corners: [
      [0.1, 0.05],
      [0.92, 0.08],
      [1, 1],
      [0.04, 0.96],
    ],
    shadow: 0.2,
  },
  below: {
    corners: [
      [0.18, 0.05],
      [0.82, 0.05],
      [1, 0.9],
      [0.03, 0.9],
    ],
    shadow: 0.2,
  },
  side: {
    corners: [
      [0.05, 0.05],
      [0.85, 0.18],
      [0.85, 0.85],
      [0.05, 1],
    ],
    shadow: 0.2,
  },
  corner: {
    corners: [
      [0.15, 0.15],
      [0.8, 0.05],
      [1, 0.8],
      [0.05, 1],
    ],
    shadow: 0.5,
  },
} as const satisfies Record<string, { corners: readonly (readonly [number, number])[]; shadow: number }>;
export type Viewpoint = keyof typeof VIEWPOINTS;

const TABLE = [92, 70, 52] as const;

/** A JPEG of the picture as a page on a dark table, from a viewpoint and with a soft shadow. */
export async function photographed(file: string, viewpoint: Viewpoint): Promise<Buffer> {
  const { corners, shadow } = VIEWPOINTS[viewpoint];
  const page = sharp(file).flatten({ background: '#fff' }).toColourspace('srgb').removeAlpha();
  const { data, info } = await page.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const [across, down] = [Math.ceil(width * 1.06), Math.ceil(height * 1.06)];
  const onPage = homography(corners.map(([u, v]) => [u * width, v * height]));
  const photograph = Buffer.alloc(across * down * 3);
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      const [u, v] = onPage(x, y);
      const light = 1 - shadow * (0.5 + 0.5 * Math.sin(4.4 * (x / across) + 2.6 * (y / down)));
      const at = (y * across + x) * 3;
      const inside = u >= 0 && v >= 0 && u <= 1 && v <= 1;
      for (let channel = 0; channel < 3; channel++) {
        const level = inside
          ? between(u * (width - 2), v * (height - 2), (px, py) => {
              return data[(py * width + px) * channels + Math.min(channel, channels - 1)]!;
            })
          : TABLE[channel]!;
        photograph[at + channel] = level * light;
      }
    }
  }
  return sharp(photograph, { raw: { width: across, height: down, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer();
}

function between(x: number, y: number, level: (x: number, y: number) => number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [fx, fy] = [x - left, y - top];
  const upper = level(left, top) * (1 - fx) + level(left + 1, top) * fx;
  const lower = level(left, top + 1) * (1 - fx) + level(left + 1, top + 1) * fx;
  return upper * (1 - fy) + lower * fy;
}

/** Maps points of a photograph to the unit square. `corners`: its corners in the photograph, clockwise from the top left. */
function homography(corners: readonly (readonly number[])[]): (x: number, y: number) => [number, number] {
  const square = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ];
  const rows = corners.flatMap(([x, y], corner) => {
    const [u, v] = square[corner] as [number, number];
    return [
      [x!, y!, 1, 0, 0, 0, -u * x!, -u * y!, u],
      [0, 0, 0, x!, y!, 1, -v * x!, -v * y!, v],
    ];
  });
  const [a, b, c, d, e, f, g, h] = solved(rows) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return (x, y) => {
    const depth = g * x + h * y + 1;
    return [(a * x + b * y + c) / depth, (d * x + e * y + f) / depth];
  };
}

/** Solves linear equations by Gauss-Jordan elimination; the last number of each row is the right-hand side. */
function solved(rows: number[][]): number[] {
  for (let i = 0; i < rows.length; i++) {
    const pivot = rows.slice(i).reduce((best, row) => (Math.abs(row[i]!) > Math.abs(best[i]!) ? row : best));
    rows[rows.indexOf(pivot)] = rows[i]!;
    rows[i] = pivot;
    for (const row of rows) {
      if (row === pivot) continue;
      const factor = row[i]! / pivot[i]!;
      for (let k = i; k < row.length; k++) row[k]! -= factor * pivot[k]!;
    }
  }
  return rows.map((row, i) => row.at(-1)! / row[i]!);
}
