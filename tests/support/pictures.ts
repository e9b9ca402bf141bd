import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';

/** The words of every picture that is made from the fixture. */
export const FIXTURE_TEXT = 'Harbour lights\nseven boats';

/** 480 × 160 pixels, black on white. */
export function fixture(name: 'harbour-lights.png' | 'upright.heic' | 'turned.heic'): Buffer {
  return readFileSync(path.join(process.cwd(), 'tests/fixtures/pictures', name));
}

export function textPicture(): Sharp {
  return sharp(fixture('harbour-lights.png'));
}

/** The first line of the fixture alone: "Harbour lights". */
export async function textLine(height: number): Promise<Buffer> {
  return textPicture()
    .extract({ left: 0, top: 14, width: 480, height: 60 })
    .resize({ height })
    .png()
    .toBuffer();
}

const DENSE_WORDS = (
  'the harbour master wrote every evening how many boats had come in and what they carried to the town before ' +
  'winter closed roads over hills'
).split(' ');

/** A JPEG photograph of 12 megapixels of a page with some 2,000 words, so dense that the engine detects its lines twice. */
export async function densePhotograph(lines = 96): Promise<Uint8Array> {
  let seed = 7;
  const word = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return DENSE_WORDS[seed % DENSE_WORDS.length]!;
  };
  const line = () => {
    let text = word();
    while (text.length < 112) text += ` ${word()}`;
    return text;
  };
  const text = Array.from({ length: lines }, line).join('\n');
  const drawn = sharp({ text: { text, font: 'DejaVu Serif 32', dpi: 72, spacing: 4 } });
  const ink = await sharp(await drawn.png().toBuffer())
    .resize({ width: 2800, height: 3850, fit: 'inside' })
    .greyscale()
    .negate()
    .toBuffer();
  const paper = sharp({ create: { width: 3000, height: 4000, channels: 3, background: '#f4f1ea' } });
  const page = paper.composite([{ input: ink, left: 80, top: 60, blend: 'multiply' }]);
  return page.blur(0.7).jpeg({ quality: 88 }).toBuffer();
}

export type BmpKind =
  | '1-bit'
  | '4-bit'
  | '8-bit'
  | 'os2-24-bit'
  | '16-bit-555'
  | '16-bit-565'
  | '24-bit'
  | '24-bit-top-down'
  | '32-bit'
  | '32-bit-v4-fields'
  | '32-bit-v5-alpha'
  | 'rle4'
  | 'rle8';

/** The fixture as a bitmap of any kind, with the gray levels of that kind. */
export async function bmp(kind: BmpKind): Promise<Buffer> {
  const { data, info } = await textPicture().greyscale().raw().toBuffer({ resolveWithObject: true });
  const gray = Array.from({ length: info.width * info.height }, (_, i) => data[i * info.channels]!);
  return encodeBmp(kind, { gray, width: info.width, height: info.height });
}

interface Gray {
  gray: readonly number[];
  width: number;
  height: number;
}

const BITS: Record<BmpKind, number> = {
  '1-bit': 1,
  '4-bit': 4,
  '8-bit': 8,
  'os2-24-bit': 24,
  '16-bit-555': 16,
  '16-bit-565': 16,
  '24-bit': 24,
  '24-bit-top-down': 24,
  '32-bit': 32,
  '32-bit-v4-fields': 32,
  '32-bit-v5-alpha': 32,
  rle4: 4,
  rle8: 8,
};

function headerSizeOf(kind: BmpKind): number {
  if (kind === 'os2-24-bit') return 12;
  if (kind === '32-bit-v4-fields') return 108;
  return kind === '32-bit-v5-alpha' ? 124 : 40;
}

export function encodeBmp(kind: BmpKind, { gray, width, height }: Gray): Buffer {
  const bits = BITS[kind];
  const headerSize = headerSizeOf(kind);
  const fields = kind === '16-bit-565' || headerSize > 40;
  const outsideMasks = fields && headerSize === 40 ? 12 : 0;
  const colors = bits <= 8 ? 1 << bits : 0;
  const offset = 14 + headerSize + outsideMasks + colors * 4;
  const rows = Array.from({ length: height }, (_, y) => {
    const from = kind === '24-bit-top-down' ? y : height - 1 - y;
    return gray.slice(from * width, (from + 1) * width);
  });
  const body = kind.startsWith('rle')
    ? Buffer.concat([...rows.map((row) => runs(row, bits)), Buffer.from([0, 1])])
    : Buffer.concat(rows.map((row) => packed(row, kind, bits)));
  const header = Buffer.alloc(offset);
  header.write('BM', 'latin1');
  header.writeUInt32LE(offset + body.length, 2);
  header.writeUInt32LE(offset, 10);
  header.writeUInt32LE(headerSize, 14);
  if (headerSize === 12) {
    header.writeUInt16LE(width, 18);
    header.writeUInt16LE(height, 20);
    header.writeUInt16LE(1, 22);
    header.writeUInt16LE(bits, 24);
    return Buffer.concat([header, body]);
  }
  header.writeInt32LE(width, 18);
  header.writeInt32LE(kind === '24-bit-top-down' ? -height : height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(bits, 28);
  header.writeUInt32LE(kind === 'rle8' ? 1 : kind === 'rle4' ? 2 : fields ? 3 : 0, 30);
  if (fields) {
    const masks = kind === '16-bit-565' ? [0xf800, 0x7e0, 0x1f] : [0xff0000, 0xff00, 0xff];
    masks.forEach((mask, index) => {
      header.writeUInt32LE(mask, 54 + index * 4);
    });
    if (kind === '32-bit-v5-alpha') header.writeUInt32LE(0xff000000, 66);
  }
  for (let index = 0; index < colors; index++) {
    const level = Math.round((index * 255) / (colors - 1));
    header.writeUInt32LE(level * 0x010101, 14 + headerSize + index * 4);
  }
  return Buffer.concat([header, body]);
}

function indexOf(level: number, bits: number): number {
  return Math.round((level / 255) * ((1 << bits) - 1));
}

function packed(row: readonly number[], kind: BmpKind, bits: number): Buffer {
  const line = Buffer.alloc(Math.ceil((row.length * bits) / 32) * 4);
  row.forEach((level, x) => {
    if (bits <= 8) {
      const shift = 8 - bits - ((x * bits) % 8);
      line[(x * bits) >> 3]! |= indexOf(level, bits) << shift;
    } else if (bits === 16) {
      const five = level >> 3;
      const value =
        kind === '16-bit-565' ? (five << 11) | ((level >> 2) << 5) | five : (five << 10) | (five << 5) | five;
      line.writeUInt16LE(value, x * 2);
    } else {
      line.fill(level, (x * bits) / 8, (x * bits) / 8 + 3);
      // The fourth byte is alpha only if a mask says so.
      if (kind === '32-bit-v5-alpha') line[x * 4 + 3] = 255;
    }
  });
  return line;
}

/** Run-length encodes equal neighbors; three or more different ones become a literal run. */
function runs(row: readonly number[], bits: number): Buffer {
  const indices = row.map((level) => indexOf(level, bits));
  const out: number[] = [];
  const pack = (values: number[]) =>
    bits === 8
      ? values
      : Array.from(
          { length: Math.ceil(values.length / 2) },
          (_, i) => (values[2 * i]! << 4) | (values[2 * i + 1] ?? 0),
        );
  for (let x = 0; x < indices.length; ) {
    let end = x + 1;
    while (end < indices.length && indices[end] === indices[x] && end - x < 255) end++;
    if (end - x > 1 || indices.length - x < 3) {
      out.push(end - x, bits === 8 ? indices[x]! : indices[x]! * 17);
      x = end;
      continue;
    }
    while (end < indices.length && indices[end] !== indices[end - 1] && end - x < 255) end++;
    const stretch = indices.slice(x, end);
    if (stretch.length < 3) {
      for (const index of stretch) out.push(1, bits === 8 ? index : index * 17);
    } else {
      const bytes = pack(stretch);
      out.push(0, stretch.length, ...bytes, ...(bytes.length % 2 === 1 ? [0] : []));
    }
    x = end;
  }
  return Buffer.from([...out, 0, 0]);
}

/**
 * The fixture repeated: recognizing 16 copies takes about a second, 240 copies longer than any test waits.
 */
export async function sheet(times: 16 | 240): Promise<Buffer> {
  const width = 480 * 4;
  const height = (160 * times) / 4;
  return sharp({ create: { width, height, channels: 3, background: '#fff' } })
    .composite([{ input: fixture('harbour-lights.png'), tile: true }])
    .greyscale()
    .png()
    .toBuffer();
}

/**
 * A page of 240 lines, whose recognition lasts until it is aborted. It is small, so that detecting its lines ends before the
 * next picture is read.
 */
export async function longPage(): Promise<Buffer> {
  const tile = await textPicture().resize({ width: 240 }).png().toBuffer();
  return sharp({ create: { width: 240 * 8, height: 80 * 15, channels: 3, background: '#fff' } })
    .composite([{ input: tile, tile: true }])
    .greyscale()
    .png()
    .toBuffer();
}

/** The gray image of a picture, one byte per pixel. */
export async function grayOf(picture: Buffer): Promise<{ gray: Uint8Array; width: number; height: number }> {
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true });
  return { gray: new Uint8Array(data), width: info.width, height: info.height };
}
