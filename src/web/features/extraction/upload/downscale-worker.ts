import { answerCalls } from '../../../workers/call-worker.ts';
import { axisOf, CHANNELS, lowerRows, narrowRows } from './resample.ts';

/** Runs in a worker, so that the page stays responsive. */

export interface ScalingTask {
  file: Blob;
  /** More pixels than these are not kept. */
  mostPixels: number;
  /** The file must be this small afterwards, at any quality. */
  mostBytes: number;
}

/**
 * The smaller file and the original's upright size; null if it is small enough. `undrawable`: this browser cannot
 * decode it.
 */
export type ScalingAnswer =
  | { made: Blob; original: { width: number; height: number } }
  | { made: null }
  | { failed: 'undrawable' | 'see-through' };

/** Losses above this quality are not visible, for people or the engine. */
const JPEG_QUALITY = 0.92;
/** One try after the other, where the file has to become small. */
const LOWER_QUALITIES = [JPEG_QUALITY, 0.85, 0.75];
/** Pixels that are drawn at a time: the whole of a large picture would need its memory twice. */
const STRIP_PIXELS = 2_000_000;
/** A photograph is lossy already; everything else stays lossless as long as it can. */
const LOSSY = /^image\/(?:jpeg|webp|heic|heif|avif)$/;

answerCalls(scale);

async function scale({ file, mostPixels, mostBytes }: ScalingTask): Promise<ScalingAnswer> {
  // Turned as its EXIF tag says, in the colors of sRGB once it is drawn.
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const original = { width: bitmap.width, height: bitmap.height };
  const isSmallEnough = original.width * original.height <= mostPixels;
  if (isSmallEnough && file.size <= mostBytes) return { made: null };
  for (let pixels = mostPixels; pixels > 1_000_000; pixels *= 0.7) {
    const canvas = drawn(bitmap, pixels);
    if (!canvas) return { failed: 'see-through' };
    const tries = LOWER_QUALITIES.map((quality) => ({ type: 'image/jpeg', quality }));
    for (const options of LOSSY.test(file.type) ? tries : [{ type: 'image/png' }, ...tries]) {
      const made = await canvas.convertToBlob(options);
      if (made.type === options.type && made.size <= mostBytes) return { made, original };
    }
  }
  return { made: null };
}

/** Null for a picture with transparency: the engine decides on its background. */
function drawn(bitmap: ImageBitmap, mostPixels: number): OffscreenCanvas | null {
  const { width, height } = bitmap;
  const factor = Math.min(1, Math.sqrt(mostPixels / (width * height)));
  const across = axisOf(width, Math.max(1, Math.round(width * factor)));
  const down = axisOf(height, Math.max(1, Math.round(height * factor)));
  const narrow = new Uint8ClampedArray(across.to * height * CHANNELS);
  const rowsAtOnce = Math.max(1, Math.floor(STRIP_PIXELS / width));
  for (let row = 0; row < height; row += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, height - row);
    const strip = contextOf(width, rows);
    strip.drawImage(bitmap, 0, -row);
    const { data } = strip.getImageData(0, 0, width, rows);
    for (let alpha = CHANNELS - 1; alpha < data.length; alpha += CHANNELS) {
      if (data[alpha] !== 255) return null;
    }
    narrowRows(data, width, across, narrow, row);
  }
  const target = contextOf(across.to, down.to);
  target.putImageData(new ImageData(lowerRows(narrow, across.to, down), across.to, down.to), 0, 0);
  return target.canvas;
}

function contextOf(width: number, height: number): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser has no canvas here');
  return context;
}
