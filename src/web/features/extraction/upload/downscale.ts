import { ENGINE_PIXELS, MAX_IMAGE_BYTES } from '#contract/product';
import { callWorker, WorkerError } from '../../../workers/call-worker.ts';
import { WORTH_SCALING } from '../tool/image-file.ts';
import type { ScalingAnswer, ScalingTask } from './downscale-worker.ts';
import workerAddress from './downscale-worker.ts?worker&url';
import type { PreparedImage } from './extract-text.ts';

/** Pictures are made smaller before they leave, where that costs none of their text. */

/** A smaller picture that is hardly smaller is not worth another round of losses. */
const WORTH_IT_SHARE = 0.85;
/** Formats that browsers decode and encode without losing anything but pixels: one frame, eight bits. */
const REWRITTEN = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/bmp']);
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

/** The same picture with no more pixels than the engine looks at; as it is where that would be of no use, or cannot be done. */
export async function downscale(file: File, signal: AbortSignal): Promise<PreparedImage> {
  const asItIs = { file, original: null };
  if (!canScale() || file.size < WORTH_SCALING || !REWRITTEN.has(file.type)) return asItIs;
  const answer = await inWorker(file, signal);
  if (!('made' in answer) || !answer.made || answer.made.size > WORTH_IT_SHARE * file.size) return asItIs;
  return { file: named(answer.made, file), original: answer.original };
}

/**
 * A picture that is too large to be sent, made as small as it has to be.
 * @throws {ScalingError}
 */
export async function scaledDown(file: File): Promise<File> {
  if (!canScale()) throw new ScalingError('This browser cannot make pictures smaller.');
  const answer = await inWorker(file);
  if ('made' in answer && answer.made) return named(answer.made, file);
  throw new ScalingError(
    'failed' in answer && answer.failed === 'see-through'
      ? 'This picture is partly transparent, and cannot be made smaller here.'
      : 'This browser cannot open the picture.',
  );
}

async function inWorker(file: File, signal?: AbortSignal): Promise<ScalingAnswer> {
  const task: ScalingTask = { file, mostPixels: ENGINE_PIXELS, mostBytes: MAX_IMAGE_BYTES };
  try {
    return await callWorker<ScalingTask, ScalingAnswer>(workerAddress, task, { signal });
  } catch (error) {
    // Such as too little memory.
    if (error instanceof WorkerError) return { failed: 'undrawable' };
    throw error;
  }
}

/** The file's own name, with the extension of its new type. */
function named(made: Blob, { name, lastModified }: File): File {
  const fits = EXTENSIONS[made.type]?.test(name) ?? true;
  const extension = made.type === 'image/png' ? '.png' : '.jpg';
  const base = name.replace(/\.[^.]*$/, '') || 'picture';
  return new File([made], fits ? name : base + extension, { type: made.type, lastModified });
}
