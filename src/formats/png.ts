import { unzlibSync, zlibSync } from 'fflate';
import { itemAt } from './checked.ts';
import { joined } from './jpeg.ts';

/** A PNG's pixels in a form that a PDF embeds: compressed by zlib, and upright. */
export interface PngPixels {
  bytes: Uint8Array;
  width: number;
  height: number;
  /** 1 gray, 3 color. */
  components: 1 | 3;
  /** Whether each row is predicted from those before, as in PNG. */
  predicted: boolean;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const GREY = 0;
const COLOR = 2;
const GREY_WITH_ALPHA = 4;
const COLOR_WITH_ALPHA = 6;

interface Chunks {
  width: number;
  height: number;
  colorType: number;
  /** The names of the other chunks. */
  others: ReadonlySet<string>;
  data: Uint8Array;
}

/**
 * Reads a PNG whose pixels a PDF can hold byte for byte, without decoding them. Null for anything else: transparency,
 * palettes, more than eight bits, interlacing, an orientation of its own.
 */
export function readPng(file: Uint8Array): PngPixels | null {
  const png = chunksOf(file);
  if (!png) return null;
  const { width, height, colorType, others, data } = png;
  if (colorType !== GREY && colorType !== COLOR) return null;
  if (others.has('tRNS') || others.has('eXIf')) return null;
  return { bytes: data, width, height, components: colorType === GREY ? 1 : 3, predicted: true };
}

/**
 * The same for a PNG with transparency, on a white background. Decodes the whole image, so only for moderate sizes such as
 * previews.
 */
export function readTransparentPng(file: Uint8Array): PngPixels | null {
  const png = chunksOf(file);
  if (!png) return null;
  const { width, height, colorType, data } = png;
  if (colorType !== GREY_WITH_ALPHA && colorType !== COLOR_WITH_ALPHA) return null;
  const components = colorType === GREY_WITH_ALPHA ? 1 : 3;
  const rows = unzlibSync(data, { out: new Uint8Array(height * (1 + width * (components + 1))) });
  const pixels = onWhite(unpredicted(rows, height, width, components + 1), components);
  return { bytes: zlibSync(pixels), width, height, components, predicted: false };
}

/** Null if it is not a PNG with eight bits and without interlacing. */
function chunksOf(file: Uint8Array): Chunks | null {
  if (SIGNATURE.some((byte, at) => file[at] !== byte)) return null;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const others = new Set<string>();
  const data: Uint8Array[] = [];
  let header: Pick<Chunks, 'width' | 'height' | 'colorType'> | null = null;
  for (let at = SIGNATURE.length; at + 12 <= file.length; ) {
    const length = view.getUint32(at);
    const name = String.fromCharCode(...file.subarray(at + 4, at + 8));
    const start = at + 8;
    if (start + length + 4 > file.length) return null;
    if (name === 'IHDR' && length >= 13) {
      const [bitDepth, interlacing] = [file[start + 8], file[start + 12]];
      if (bitDepth !== 8 || interlacing !== 0) return null;
      header = {
        width: view.getUint32(start),
        height: view.getUint32(start + 4),
        colorType: itemAt(file, start + 9),
      };
    } else if (name === 'IDAT') data.push(file.subarray(start, start + length));
    else others.add(name);
    at = start + length + 4;
  }
  if (!header || header.width === 0 || header.height === 0 || data.length === 0) return null;
  return { ...header, others, data: joined(data) };
}

/** Reverses the prediction of each row, whose first byte names it. */
function unpredicted(rows: Uint8Array, height: number, width: number, channels: number): Uint8Array {
  const length = width * channels;
  const pixels = new Uint8Array(height * length);
  for (let row = 0; row < height; row++) {
    const from = row * (length + 1);
    const to = row * length;
    const kind = rows[from];
    for (let at = 0; at < length; at++) {
      const left = at < channels ? 0 : itemAt(pixels, to + at - channels);
      const above = row === 0 ? 0 : itemAt(pixels, to + at - length);
      const corner = row === 0 || at < channels ? 0 : itemAt(pixels, to + at - length - channels);
      const guess =
        kind === 1
          ? left
          : kind === 2
            ? above
            : kind === 3
              ? (left + above) >> 1
              : kind === 4
                ? nearest(left, above, corner)
                : 0;
      // Behind the end of a damaged picture everything is 0.
      pixels[to + at] = (rows[from + 1 + at] ?? 0) + guess;
    }
  }
  return pixels;
}

/** Paeth's predictor: which of the three is nearest to left + above - corner. */
function nearest(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [
    Math.abs(guess - left),
    Math.abs(guess - above),
    Math.abs(guess - corner),
  ];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function onWhite(pixels: Uint8Array, components: 1 | 3): Uint8Array {
  const many = pixels.length / (components + 1);
  const flat = new Uint8Array(many * components);
  for (let pixel = 0; pixel < many; pixel++) {
    const alpha = itemAt(pixels, pixel * (components + 1) + components);
    for (let component = 0; component < components; component++) {
      const value = itemAt(pixels, pixel * (components + 1) + component);
      flat[pixel * components + component] = Math.round((value * alpha + 255 * (255 - alpha)) / 255);
    }
  }
  return flat;
}
