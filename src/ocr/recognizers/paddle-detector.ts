/** PP-OCRv6 text detector: for each pixel, the probability that it is in the shrunk kernel of a text line. */
import type { Network } from '../networks/network.ts';
import { hasContrast, type TextMap } from '../page/detect.ts';
import type { RgbImage } from '../picture/pixels.ts';

/** Mean and deviation of ImageNet, by which the network's input was normalized in training; red, green, blue. */
const MEAN = [0.485, 0.456, 0.406] as const;
const DEVIATION = [0.229, 0.224, 0.225] as const;
/** The network halves its input five times. */
const MULTIPLE = 32;

/**
 * An image is processed in windows across its longer side: the size of one run bounds its memory. A run of this many pixels
 * takes 230 MB. Smaller windows take less, but the network uses the whole window as context: half a page gives worse results
 * than a page.
 */
const WINDOW = {
  /** Of one window, as far as its short side allows. */
  pixels: 1_300_000,
  /** Overlap of neighboring windows; a multiple of four. */
  overlap: 96,
} as const;

/** Runs the network on a whole image, window by window, and joins the maps. */
export async function mapText(network: Network, image: RgbImage): Promise<TextMap> {
  const map = new Uint8Array(image.width * image.height);
  const tall = image.height >= image.width;
  const side = Math.max(WINDOW.overlap * 3, Math.floor(WINDOW.pixels / Math.min(image.width, image.height)));
  const cut = (length: number, isLong: boolean) => windowsOf(length, isLong ? side : length, WINDOW.overlap);
  const columns = cut(image.width, !tall);
  for (const row of cut(image.height, tall)) {
    for (const column of columns) {
      // Most of a plan is blank, and blank windows are skipped.
      const edges = { left: column.from, right: column.to, top: row.from, bottom: row.to };
      if (!hasContrast(image, edges)) continue;
      const width = column.to - column.from;
      const height = row.to - row.from;
      const paddedWidth = roundUp(width);
      const paddedHeight = roundUp(height);
      const input = normalized(image, column.from, row.from, width, height, paddedWidth, paddedHeight);
      const { data } = await network.run(input, [1, 3, paddedHeight, paddedWidth]);
      for (let y = row.keepFrom; y < row.keepTo; y++) {
        const source = (y - row.from) * paddedWidth - column.from;
        const target = y * image.width;
        for (let x = column.keepFrom; x < column.keepTo; x++) {
          // Where two windows overlap, a line in either of them counts: no seam may cut it.
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
  /** The part whose result counts: at a cut edge detection is poor. */
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

/** Three planes of floats; the padding to a multiple of 32 stays at the mean (zero), which gives no text. */
function normalized(
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
