/** PP-OCRv6 detection: how likely each pixel lies in the core of a text line. */
import type { Network } from '../networks/network.ts';
import type { TextMap } from '../page/detect.ts';
import type { RgbImage } from '../picture/picture.ts';

/** Mean and deviation of ImageNet, by which the network's input was normalised in training; red, green, blue. */
const MEAN = [0.485, 0.456, 0.406] as const;
const DEVIATION = [0.229, 0.224, 0.225] as const;
/** The network halves its input five times. */
const MULTIPLE = 32;

/**
 * An image is looked at in windows across its longer side: what one run may hold bounds its memory. A look at this many
 * pixels takes 230 MB. Smaller windows take less, but the network weighs what it sees against the whole window: half a
 * page is read worse than a page.
 */
const WINDOW = {
  /** Of one window, as far as its short side allows. */
  pixels: 1_300_000,
  /** How far neighbouring windows reach into each other; a multiple of four. */
  overlap: 96,
} as const;

/** Looks at a whole image, window by window, and joins what was seen. */
export async function mapText(network: Network, image: RgbImage): Promise<TextMap> {
  const map = new Uint8Array(image.width * image.height);
  const tall = image.height >= image.width;
  const side = Math.max(WINDOW.overlap * 3, Math.floor(WINDOW.pixels / Math.min(image.width, image.height)));
  const cut = (length: number, isLong: boolean) => windowsOf(length, isLong ? side : length, WINDOW.overlap);
  const columns = cut(image.width, !tall);
  for (const row of cut(image.height, tall)) {
    for (const column of columns) {
      if (isEven(image, column, row)) continue;
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

/** Differences of green within an image, of 255, below which there is nothing to see. */
const LEAST_CONTRAST = 8;

/** Whether a window is blank, as most of a plan is: the network need not look at it. */
function isEven({ data, width }: RgbImage, column: Window, row: Window): boolean {
  let [least, most] = [255, 0];
  for (let y = row.from; y < row.to; y++) {
    for (let x = column.from; x < column.to; x++) {
      const green = data[(y * width + x) * 3 + 1]!;
      if (green < least) least = green;
      if (green > most) most = green;
    }
    if (most - least >= LEAST_CONTRAST) return false;
  }
  return true;
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
