import { unzlibSync, zlibSync } from 'fflate';
import { concatBytes } from './bytes.ts';
import { itemAt } from './checked.ts';

/** A PNG's pixels in a form that a PDF embeds: compressed by zlib, and upright. */
export interface PngPixels {
  bytes: Uint8Array;
  width: number;
  height: number;
  /** 1 gray, 3 color. */
  components: 1 | 3;
  /** Whether the rows have PNG's prediction filters. */
  predicted: boolean;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const GRAY = 0;
const COLOR = 2;
const GRAY_WITH_ALPHA = 4;
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
 * Reads a PNG whose compressed pixels a PDF can embed unchanged. Null for anything else: transparency, palettes, more than
 * eight bits, interlacing, EXIF orientation.
 */
export function readPng(file: Uint8Array): PngPixels | null {
  const png = chunksOf(file);
  if (!png) return null;
  const { width, height, colorType, others, data } = png;
  if (colorType !== GRAY && colorType !== COLOR) return null;
  if (others.has('tRNS') || others.has('eXIf')) return null;
  return { bytes: data, width, height, components: colorType === GRAY ? 1 : 3, predicted: true };
}

/**
 * Reads a PNG with an alpha channel and puts it on a white background. Decodes the whole image, so only for moderate sizes
 * such as previews.
 */
export function readTransparentPng(file: Uint8Array): PngPixels | null {
  const png = chunksOf(file);
  if (!png) return null;
  const { width, height, colorType, data } = png;
  if (colorType !== GRAY_WITH_ALPHA && colorType !== COLOR_WITH_ALPHA) return null;
  const components = colorType === GRAY_WITH_ALPHA ? 1 : 3;
  const rows = unzlibSync(data, { out: new Uint8Array(height * (1 + width * (components + 1))) });
  const pixels = onWhite(unfiltered(rows, height, width, components + 1), components);
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
  return { ...header, others, data: concatBytes(data) };
}

/** Reverses the prediction filter of each row; the row's first byte is the filter type. */
function unfiltered(rows: Uint8Array, height: number, width: number, channels: number): Uint8Array {
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
      const prediction =
        kind === 1
          ? left
          : kind === 2
            ? above
            : kind === 3
              ? (left + above) >> 1
              : kind === 4
                ? paeth(left, above, corner)
                : 0;
      // The missing rows of a truncated image are 0.
      pixels[to + at] = (rows[from + 1 + at] ?? 0) + prediction;
    }
  }
  return pixels;
}

/** The Paeth predictor: the neighbor nearest to left + above - corner. */
function paeth(left: number, above: number, corner: number): number {
  const prediction = left + above - corner;
  const [toLeft, toAbove, toCorner] = [
    Math.abs(prediction - left),
    Math.abs(prediction - above),
    Math.abs(prediction - corner),
  ];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function onWhite(pixels: Uint8Array, components: 1 | 3): Uint8Array {
  const pixelCount = pixels.length / (components + 1);
  const flat = new Uint8Array(pixelCount * components);
  for (let pixel = 0; pixel < pixelCount; pixel++) {
    const alpha = itemAt(pixels, pixel * (components + 1) + components);
    for (let component = 0; component < components; component++) {
      const value = itemAt(pixels, pixel * (components + 1) + component);
      flat[pixel * components + component] = Math.round((value * alpha + 255 * (255 - alpha)) / 255);
    }
  }
  return flat;
}
