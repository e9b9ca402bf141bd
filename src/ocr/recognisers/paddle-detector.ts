/** PP-OCRv4 detection: how likely each pixel lies in the core of a text line. */
import type { Network } from '../networks/network.ts';

/** Mean and deviation of ImageNet, by which the network's input was normalised in training; red, green, blue. */
const MEAN = [0.485, 0.456, 0.406] as const;
const DEVIATION = [0.229, 0.224, 0.225] as const;
/** The network halves its input five times. */
const MULTIPLE = 32;

/** Interleaved RGB bytes. */
export interface RgbImage {
  data: Uint8Array;
  width: number;
  height: number;
}

export interface TextMap {
  /** 0 to 255 for a chance of 0 to 1; one byte a pixel, as large as the image that was looked at. */
  data: Uint8Array;
  width: number;
  height: number;
}

/** An image is looked at in windows across its longer side: what one run may hold bounds its memory. */
export interface WindowLimits {
  /** Pixels of one window, as far as its short side allows. */
  pixels: number;
  /** How far neighbouring windows reach into each other; a multiple of four. */
  overlap: number;
}

/** Looks at a whole image, window by window, and joins what was seen. */
export async function mapText(network: Network, image: RgbImage, limits: WindowLimits): Promise<TextMap> {
  const map = new Uint8Array(image.width * image.height);
  const tall = image.height >= image.width;
  const side = Math.max(limits.overlap * 3, Math.floor(limits.pixels / Math.min(image.width, image.height)));
  const cut = (length: number, isLong: boolean) => windowsOf(length, isLong ? side : length, limits.overlap);
  const columns = cut(image.width, !tall);
  for (const row of cut(image.height, tall)) {
    for (const column of columns) {
      const width = column.to - column.from;
      const height = row.to - row.from;
      const paddedWidth = roundUp(width);
      const paddedHeight = roundUp(height);
      const input = normalised(image, column.from, row.from, width, height, paddedWidth, paddedHeight);
      const { data } = await network.run(input, [1, 3, paddedHeight, paddedWidth]);
      for (let y = row.keepFrom; y < row.keepTo; y++) {
        const source = (y - row.from) * paddedWidth - column.from;
        const target = y * image.width;
        for (let x = column.keepFrom; x < column.keepTo; x++) {
          // Where two windows look, a line that either of them sees is there: no seam may cut it.
          const seen = data[source + x]! * 255;
          if (seen > map[target + x]!) map[target + x] = seen;
        }
      }
    }
  }
  return { data: map, width: image.width, height: image.height };
}

interface Window {
  from: number;
  to: number;
  /** The part whose result counts: at a cut edge text is read poorly. */
  keepFrom: number;
  keepTo: number;
}

/** Cuts a length into equal windows no longer than `side`. */
export function windowsOf(length: number, side: number, overlap: number): Window[] {
  const count = length <= side ? 1 : Math.ceil((length - overlap) / (side - overlap));
  const reach = Math.ceil((length + (count - 1) * overlap) / count);
  const windows: Window[] = [];
  for (let i = 0; i < count; i++) {
    const from = i === 0 ? 0 : Math.round((i * (length - reach)) / (count - 1));
    const to = i === count - 1 ? length : from + reach;
    windows.push({ from, to, keepFrom: from, keepTo: to });
  }
  for (let i = 1; i < count; i++) {
    windows[i - 1]!.keepTo -= overlap / 4;
    windows[i]!.keepFrom += overlap / 4;
  }
  return windows;
}

/** Three planes of floats; what pads the window to a multiple of 32 stays at the mean (zero), which reads as no text. */
function normalised(
  image: RgbImage,
  left: number,
  top: number,
  width: number,
  height: number,
  paddedWidth: number,
  paddedHeight: number,
): Float32Array {
  const plane = paddedWidth * paddedHeight;
  const input = new Float32Array(3 * plane);
  for (let channel = 0; channel < 3; channel++) {
    const factor = 1 / (255 * DEVIATION[channel]!);
    const shift = -MEAN[channel]! / DEVIATION[channel]!;
    for (let y = 0; y < height; y++) {
      let from = ((top + y) * image.width + left) * 3 + channel;
      let to = channel * plane + y * paddedWidth;
      for (const end = to + width; to < end; to++, from += 3) input[to] = image.data[from]! * factor + shift;
    }
  }
  return input;
}

function roundUp(length: number): number {
  return Math.max(MULTIPLE, Math.ceil(length / MULTIPLE) * MULTIPLE);
}
