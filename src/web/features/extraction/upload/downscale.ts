import { ENGINE_PIXELS, MAX_IMAGE_BYTES } from '#contract/product';
import { callWorker, WorkerError } from '../../../workers/call-worker.ts';
import { MIN_SCALING_BYTES } from '../tool/image-file.ts';
import type { ScalingAnswer, ScalingTask } from './downscale-worker.ts';
import workerAddress from './downscale-worker.ts?worker&url';
import type { PreparedImage } from './extract-text.ts';

/** Scales pictures down before they are sent, if that does not affect the recognition. */

/** A scaled file must be smaller than this share of the original; otherwise the quality loss is not worth it. */
const MAX_SIZE_SHARE = 0.85;
/** Formats for which browsers lose nothing but pixels: one frame, eight bits per channel. */
const SCALABLE_TYPES = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/bmp']);
const EXTENSIONS: Readonly<Record<string, RegExp>> = {
  'image/jpeg': /\.jpe?g$/i,
  'image/png': /\.png$/i,
};

/** The picture could not be scaled down; the message explains it to the user. */
export class ScalingError extends Error {
  override name = 'ScalingError';
}

const canScale = () =>
  typeof Worker === 'function' &&
  typeof OffscreenCanvas === 'function' &&
  typeof createImageBitmap === 'function';

/** A picture with at most the pixels that the engine uses; unchanged if scaling would not help or is not possible. */
export async function downscaleIfWorthwhile(file: File, signal: AbortSignal): Promise<PreparedImage> {
  const unchanged = { file, original: null };
  if (!canScale() || file.size < MIN_SCALING_BYTES || !SCALABLE_TYPES.has(file.type)) return unchanged;
  const answer = await inWorker(file, signal);
  if (!('scaled' in answer) || !answer.scaled || answer.scaled.size > MAX_SIZE_SHARE * file.size)
    return unchanged;
  return { file: renamed(answer.scaled, file), original: answer.original };
}

/**
 * Scales a picture that is too large to be sent down to the upload limit.
 * @throws {ScalingError}
 */
export async function downscaleToUploadLimit(file: File): Promise<File> {
  if (!canScale()) throw new ScalingError('This browser cannot make pictures smaller.');
  const answer = await inWorker(file);
  if ('scaled' in answer && answer.scaled) return renamed(answer.scaled, file);
  throw new ScalingError(
    'failed' in answer && answer.failed === 'transparent'
      ? 'This picture is partly transparent, and cannot be made smaller here.'
      : 'This browser cannot open the picture.',
  );
}

async function inWorker(file: File, signal?: AbortSignal): Promise<ScalingAnswer> {
  const task: ScalingTask = { file, maxPixels: ENGINE_PIXELS, maxBytes: MAX_IMAGE_BYTES };
  try {
    return await callWorker<ScalingTask, ScalingAnswer>(workerAddress, task, { signal });
  } catch (error) {
    // For example, too little memory.
    if (error instanceof WorkerError) return { failed: 'undrawable' };
    throw error;
  }
}

/** The scaled picture as a file with the original name and the extension of its new type. */
function renamed(scaled: Blob, { name, lastModified }: File): File {
  const fits = EXTENSIONS[scaled.type]?.test(name) ?? true;
  const extension = scaled.type === 'image/png' ? '.png' : '.jpg';
  const base = name.replace(/\.[^.]*$/, '') || 'picture';
  return new File([scaled], fits ? name : base + extension, { type: scaled.type, lastModified });
}
