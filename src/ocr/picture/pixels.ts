/** Pixels as plain bytes, the data of all stages. */

/** One byte a pixel, row by row, black 0. */
export interface GrayImage {
  gray: Uint8Array;
  width: number;
  height: number;
}

/** Interleaved RGB bytes. */
export interface RgbImage {
  data: Uint8Array;
  width: number;
  height: number;
}

/** Shared memory where the platform has any: a page in a browser may have none. */
export function bytesForAll(length: number): Uint8Array {
  return new Uint8Array(
    typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(length) : new SharedArrayBuffer(length),
  );
}

/** Below this mean, the background becomes white; above it, black. */
const MIDDLE = 128;

/**
 * Interleaved 8-bit pixels (gray, gray and alpha, RGB or RGBA) to opaque luminance and RGB in shared memory. A transparent
 * background becomes white under dark content and black under light content, so that white letters stay visible.
 */
export function flattenPixels(
  data: Uint8Array,
  pixels: number,
  channels: number,
): { gray: Uint8Array; rgb: Uint8Array } {
  const gray = bytesForAll(pixels);
  const rgb = bytesForAll(pixels * 3);
  const color = channels >= 3;
  const alphaAt = channels === 2 || channels === 4 ? channels - 1 : -1;
  const ground = alphaAt < 0 ? 0 : groundFor(data, pixels, channels, alphaAt);
  for (let pixel = 0, from = 0, to = 0; pixel < pixels; pixel++, from += channels, to += 3) {
    let red = data[from]!;
    let green = color ? data[from + 1]! : red;
    let blue = color ? data[from + 2]! : red;
    if (alphaAt >= 0) {
      const alpha = data[from + alphaAt]!;
      if (alpha < 255) {
        const rest = (255 - alpha) * ground + 127;
        red = ((red * alpha + rest) / 255) | 0;
        green = ((green * alpha + rest) / 255) | 0;
        blue = ((blue * alpha + rest) / 255) | 0;
      }
    }
    rgb[to] = red;
    rgb[to + 1] = green;
    rgb[to + 2] = blue;
    gray[pixel] = luminance(red, green, blue);
  }
  return { gray, rgb };
}

/** White or black, whichever is farther from the mean of the visible pixels. */
function groundFor(data: Uint8Array, pixels: number, channels: number, alphaAt: number): 0 | 255 {
  const color = channels >= 3;
  let sum = 0;
  let weight = 0;
  for (let pixel = 0, from = 0; pixel < pixels; pixel++, from += channels) {
    const alpha = data[from + alphaAt]!;
    if (alpha === 0) continue;
    const red = data[from]!;
    sum += alpha * (color ? luminance(red, data[from + 1]!, data[from + 2]!) : red);
    weight += alpha;
  }
  return weight > 0 && sum / weight > MIDDLE ? 0 : 255;
}

/** Rec. 601 in eight-bit fixed point. */
function luminance(red: number, green: number, blue: number): number {
  return (red * 77 + green * 150 + blue * 29) >> 8;
}
