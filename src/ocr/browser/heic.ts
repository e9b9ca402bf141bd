/** HEIC in browsers that do not decode it. */
import { OCR_ERRORS, OcrError } from '../errors.ts';

export interface HeicPixels {
  /** RGBA. */
  data: Uint8ClampedArray<ArrayBuffer>;
  width: number;
  height: number;
}

/**
 * The first picture of a HEIC, turned and mirrored as its file says. Its decoder is fetched for it.
 * @throws {OcrError} `damaged`, and `crashed` where the decoder could not be fetched or ended at work
 */
export async function decodeHeic(bytes: Uint8Array): Promise<HeicPixels> {
  const worker = new Worker(new URL('./heic-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<HeicPixels | null>) => {
        if (data) resolve(data);
        else reject(new OcrError(OCR_ERRORS.damaged, 'the content of a heic cannot be decoded'));
      };
      worker.onerror = () => reject(new OcrError(OCR_ERRORS.crashed, 'the decoder of HEIC ended'));
      worker.postMessage(bytes);
    });
  } finally {
    worker.terminate();
  }
}
