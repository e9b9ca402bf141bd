import { OCR_ERRORS, OcrError } from '../errors.ts';

/** Packing of a bitmap's pixel data, by the number in its header. */
const COMPRESSION = { none: 0, rle8: 1, rle4: 2, bitfields: 3, alphaBitfields: 6 } as const;

interface BmpHeader {
  width: number;
  height: number;
  topDown: boolean;
  bitsPerPixel: number;
  compression: number;
  pixelOffset: number;
  /** Red, green, blue, alpha in turn, four numbers per color. */
  palette: Uint8Array;
  /** Bits of red, green, blue and alpha within a pixel of 16 or 32 bits. */
  masks: readonly [number, number, number, number];
}

/** Writes one row, counted from the top, as RGBA. */
type RowReader = (row: number, into: Uint8Array) => void;

/**
 * The size in a bitmap's header.
 * @throws {OcrError} `damaged`
 */
export function headerSizeOfBmp(bytes: Uint8Array): { width: number; height: number } {
  const { width, height } = readHeader(withTables(bytes));
  return { width, height };
}

/**
 * Decodes a Windows or OS/2 bitmap of 1, 4, 8, 16, 24 or 32 bits, packed or not, to RGBA. Above `workingPixels` it is
 * averaged down by an integer factor during decoding, so that a bitmap of one bit a pixel does not fill the memory.
 * @throws {OcrError} `damaged`
 */
export function decodeBmp(
  bytes: Uint8Array,
  workingPixels: number,
): { data: Uint8Array; width: number; height: number; channels: 4 } {
  const header = readHeader(withTables(bytes));
  const readRow = rowReader(bytes, header);
  const factor = Math.max(1, Math.floor(Math.sqrt((header.width * header.height) / workingPixels)));
  const width = Math.ceil(header.width / factor);
  const height = Math.ceil(header.height / factor);
  const data = new Uint8Array(width * height * 4);
  if (factor === 1) {
    for (let row = 0; row < height; row++)
      readRow(row, data.subarray(row * width * 4, (row + 1) * width * 4));
    return { data, width, height, channels: 4 };
  }
  const line = new Uint8Array(header.width * 4);
  const sums = new Uint32Array(width * 4);
  for (let row = 0; row < height; row++) {
    sums.fill(0);
    const last = Math.min((row + 1) * factor, header.height);
    for (let source = row * factor; source < last; source++) {
      readRow(source, line);
      for (let x = 0, from = 0; x < header.width; x++) {
        const to = Math.floor(x / factor) * 4;
        for (let channel = 0; channel < 4; channel++) sums[to + channel]! += line[from++]!;
      }
    }
    for (let x = 0; x < width; x++) {
      const columns = Math.min((x + 1) * factor, header.width) - x * factor;
      const count = columns * (last - row * factor);
      for (let channel = 0; channel < 4; channel++) {
        data[(row * width + x) * 4 + channel] = sums[x * 4 + channel]! / count;
      }
    }
  }
  return { data, width, height, channels: 4 };
}

function withTables(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function readHeader(view: DataView): BmpHeader {
  try {
    return parseHeader(view);
  } catch (cause) {
    if (cause instanceof OcrError) throw cause;
    throw damaged('the header of a bitmap is cut short', cause);
  }
}

function parseHeader(view: DataView): BmpHeader {
  const pixelOffset = view.getUint32(10, true);
  const size = view.getUint32(14, true);
  const old = size === 12;
  const width = old ? view.getUint16(18, true) : view.getInt32(18, true);
  const signedHeight = old ? view.getInt16(20, true) : view.getInt32(22, true);
  const bitsPerPixel = view.getUint16(old ? 24 : 28, true);
  const compression = size < 40 ? COMPRESSION.none : view.getUint32(30, true);
  const stated = size < 40 ? 0 : view.getUint32(46, true);
  if (width <= 0 || signedHeight === 0) throw damaged('a bitmap claims to have no pixels');
  checkPacking(bitsPerPixel, compression, size);
  const masked = compression === COMPRESSION.bitfields || compression === COMPRESSION.alphaBitfields;
  // Masks follow a header of 40 bytes and are part of the longer ones: the same place in the file.
  const maskBytes = masked && size === 40 ? (compression === COMPRESSION.alphaBitfields ? 16 : 12) : 0;
  return {
    width,
    height: Math.abs(signedHeight),
    topDown: signedHeight < 0,
    bitsPerPixel,
    compression,
    pixelOffset,
    palette:
      bitsPerPixel > 8
        ? new Uint8Array()
        : readPalette(view, 14 + size + maskBytes, old, stated, bitsPerPixel),
    masks: masked ? readMasks(view, size, compression) : defaultMasks(bitsPerPixel),
  };
}

function checkPacking(bitsPerPixel: number, compression: number, headerSize: number): void {
  const allowed: Readonly<Record<number, readonly number[]>> = {
    [COMPRESSION.none]: [1, 2, 4, 8, 16, 24, 32],
    [COMPRESSION.rle8]: [8],
    [COMPRESSION.rle4]: [4],
    // OS/2 gave the same number to a fax coding.
    [COMPRESSION.bitfields]: headerSize === 64 ? [] : [16, 32],
    [COMPRESSION.alphaBitfields]: [16, 32],
  };
  if (!allowed[compression]?.includes(bitsPerPixel)) {
    throw damaged(`a bitmap of ${bitsPerPixel} bits and packing ${compression} is not read`);
  }
}

function readPalette(view: DataView, start: number, old: boolean, stated: number, bits: number): Uint8Array {
  const colors = Math.min(stated || 1 << bits, 1 << bits);
  const palette = new Uint8Array(4 << bits);
  for (let index = 0; index < 1 << bits; index++) palette[index * 4 + 3] = 255;
  for (let index = 0; index < colors; index++) {
    const from = start + index * (old ? 3 : 4);
    palette[index * 4] = view.getUint8(from + 2);
    palette[index * 4 + 1] = view.getUint8(from + 1);
    palette[index * 4 + 2] = view.getUint8(from);
  }
  return palette;
}

function readMasks(view: DataView, size: number, compression: number): [number, number, number, number] {
  const hasAlpha = size >= 56 || compression === COMPRESSION.alphaBitfields;
  const alpha = hasAlpha ? view.getUint32(66, true) : 0;
  return [view.getUint32(54, true), view.getUint32(58, true), view.getUint32(62, true), alpha];
}

function defaultMasks(bitsPerPixel: number): [number, number, number, number] {
  return bitsPerPixel === 16 ? [0x7c00, 0x3e0, 0x1f, 0] : [0xff0000, 0xff00, 0xff, 0];
}

function rowReader(bytes: Uint8Array, header: BmpHeader): RowReader {
  const { width, height, bitsPerPixel, compression, palette, topDown } = header;
  const pixels = bytes.subarray(Math.min(header.pixelOffset, bytes.length));
  if (compression === COMPRESSION.rle8 || compression === COMPRESSION.rle4) {
    const indices = unpackRuns(pixels, header);
    return (row, into) => {
      const start = (height - 1 - row) * width;
      for (let x = 0; x < width; x++) copyColor(palette, indices[start + x]!, into, x);
    };
  }
  const stride = Math.ceil((width * bitsPerPixel) / 32) * 4;
  // Some writers omit the padding of the last row.
  if (pixels.length < stride * (height - 1) + Math.ceil((width * bitsPerPixel) / 8)) {
    throw damaged('the pixels of a bitmap are cut short');
  }
  const readRow = packedRowReader(header);
  return (row, into) => {
    const stored = topDown ? row : height - 1 - row;
    readRow(pixels.subarray(stored * stride, (stored + 1) * stride), into);
  };
}

function packedRowReader(header: BmpHeader): (from: Uint8Array, into: Uint8Array) => void {
  const { width, bitsPerPixel, palette } = header;
  if (bitsPerPixel === 24) {
    return (from, into) => {
      for (let x = 0; x < width; x++) {
        into[x * 4] = from[x * 3 + 2]!;
        into[x * 4 + 1] = from[x * 3 + 1]!;
        into[x * 4 + 2] = from[x * 3]!;
        into[x * 4 + 3] = 255;
      }
    };
  }
  if (bitsPerPixel <= 8) {
    const perByte = 8 / bitsPerPixel;
    const mask = (1 << bitsPerPixel) - 1;
    return (from, into) => {
      for (let x = 0; x < width; x++) {
        const shift = 8 - bitsPerPixel * ((x % perByte) + 1);
        copyColor(palette, (from[Math.floor(x / perByte)]! >> shift) & mask, into, x);
      }
    };
  }
  return maskedRowReader(header);
}

function maskedRowReader({
  width,
  bitsPerPixel,
  masks,
}: BmpHeader): (from: Uint8Array, into: Uint8Array) => void {
  const bytesPerPixel = bitsPerPixel / 8;
  const [red, green, blue, alpha] = masks.map(channelOf) as [Channel, Channel, Channel, Channel];
  return (from, into) => {
    for (let x = 0; x < width; x++) {
      let value = 0;
      for (let byte = bytesPerPixel - 1; byte >= 0; byte--)
        value = value * 256 + from[x * bytesPerPixel + byte]!;
      into[x * 4] = red(value);
      into[x * 4 + 1] = green(value);
      into[x * 4 + 2] = blue(value);
      into[x * 4 + 3] = masks[3] === 0 ? 255 : alpha(value);
    }
  };
}

type Channel = (value: number) => number;

/** Extracts the masked bits of a pixel and scales them to 0 … 255. */
function channelOf(mask: number): Channel {
  if (mask === 0) return () => 0;
  const shift = Math.clz32(mask & -mask) ^ 31;
  const highest = mask >>> shift;
  return (value) => Math.round((((value & mask) >>> shift) * 255) / highest);
}

/**
 * Run-length coded rows to one palette index a pixel, bottom row first. Two bytes are a run (length, value);
 * length 0 is an escape: 0 ends the row, 1 ends the picture, 2 moves the pen, more is a literal stretch.
 */
function unpackRuns(pixels: Uint8Array, { width, height, compression }: BmpHeader): Uint8Array {
  const nibbles = compression === COMPRESSION.rle4;
  const indices = new Uint8Array(width * height);
  let x = 0;
  let y = 0;
  const put = (value: number): void => {
    if (x < width && y < height) indices[y * width + x] = value;
    x++;
  };
  /** `values` in turn, `count` pixels in all. Pixels outside the row are skipped without cost. */
  const repeat = (count: number, values: readonly number[]): void => {
    const end = x + count;
    for (const last = Math.min(end, width); x < last; ) {
      for (const value of values) if (x < last) put(value);
    }
    x = end;
  };
  for (let at = 0; at + 1 < pixels.length && y < height; ) {
    const count = pixels[at++]!;
    const value = pixels[at++]!;
    if (count > 0) {
      repeat(count, nibbles ? [value >> 4, value & 15] : [value]);
    } else if (value === 0) {
      x = 0;
      y++;
    } else if (value === 1) {
      return indices;
    } else if (value === 2) {
      x += pixels[at++] ?? 0;
      y += pixels[at++] ?? 0;
    } else {
      const literal = nibbles ? Math.ceil(value / 2) : value;
      if (at + literal > pixels.length) break;
      for (let i = 0; i < value; i++) {
        const byte = pixels[at + (nibbles ? i >> 1 : i)]!;
        put(nibbles ? (i % 2 === 0 ? byte >> 4 : byte & 15) : byte);
      }
      // Literal stretches end on an even byte.
      at += literal + (literal % 2);
    }
  }
  if (y < height - 1 || (y === height - 1 && x < width)) throw damaged('the runs of a bitmap end too early');
  return indices;
}

function copyColor(palette: Uint8Array, index: number, into: Uint8Array, x: number): void {
  into[x * 4] = palette[index * 4]!;
  into[x * 4 + 1] = palette[index * 4 + 1]!;
  into[x * 4 + 2] = palette[index * 4 + 2]!;
  into[x * 4 + 3] = palette[index * 4 + 3]!;
}

function damaged(message: string, cause?: unknown): OcrError {
  return new OcrError(OCR_ERRORS.damaged, message, { cause });
}
