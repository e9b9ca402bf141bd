import { answerCalls } from '../../../workers/call-worker.ts';
import { CHANNELS, lanczosWeights, resampleHorizontally, resampleVertically } from './resample.ts';

/** Scales pictures down in a worker, so that the page stays responsive. */

export interface ScalingTask {
  file: Blob;
  /** Maximum pixels of the scaled picture. */
  maxPixels: number;
  /** Maximum bytes of the scaled file. The quality is reduced for that. */
  maxBytes: number;
}

/**
 * The smaller file and the original's upright size; null if the file is small enough or cannot be made smaller.
 * `undrawable`: this browser cannot decode it.
 */
export type ScalingAnswer =
  | { scaled: Blob; original: { width: number; height: number } }
  | { scaled: null }
  | { failed: 'undrawable' | 'transparent' };

/** At this quality, losses are not visible and do not change the recognition. */
const JPEG_QUALITY = 0.92;
/** Tried one after another until the file is small enough. */
const LOWER_QUALITIES = [JPEG_QUALITY, 0.85, 0.75];
/** Pixels per strip. Drawing a large picture at once would double the memory. */
const STRIP_PIXELS = 2_000_000;
/** Lossy formats are encoded as JPEG; other formats stay lossless if possible. */
const LOSSY = /^image\/(?:jpeg|webp|heic|heif|avif)$/;

answerCalls(scale);

async function scale({ file, maxPixels, maxBytes }: ScalingTask): Promise<ScalingAnswer> {
  // Applies the EXIF orientation. Drawing converts the colors to sRGB.
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  const original = { width: bitmap.width, height: bitmap.height };
  const isSmallEnough = original.width * original.height <= maxPixels;
  if (isSmallEnough && file.size <= maxBytes) return { scaled: null };
  for (let pixels = maxPixels; pixels > 1_000_000; pixels *= 0.7) {
    const canvas = scaledCanvas(bitmap, pixels);
    if (!canvas) return { failed: 'transparent' };
    const tries = LOWER_QUALITIES.map((quality) => ({ type: 'image/jpeg', quality }));
    for (const options of LOSSY.test(file.type) ? tries : [{ type: 'image/png' }, ...tries]) {
      const scaled = await canvas.convertToBlob(options);
      if (scaled.type === options.type && scaled.size <= maxBytes) return { scaled, original };
    }
  }
  return { scaled: null };
}

/** Scales a picture to `maxPixels`. Null for a picture with transparency, because the engine chooses its background. */
function scaledCanvas(bitmap: ImageBitmap, maxPixels: number): OffscreenCanvas | null {
  const { width, height } = bitmap;
  const factor = Math.min(1, Math.sqrt(maxPixels / (width * height)));
  const across = lanczosWeights(width, Math.max(1, Math.round(width * factor)));
  const down = lanczosWeights(height, Math.max(1, Math.round(height * factor)));
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
    resampleHorizontally(data, width, across, narrow, row);
  }
  const target = contextOf(across.to, down.to);
  target.putImageData(new ImageData(resampleVertically(narrow, across.to, down), across.to, down.to), 0, 0);
  return target.canvas;
}

function contextOf(width: number, height: number): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('No canvas could be created');
  return context;
}
