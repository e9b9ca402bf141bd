import { decodeQRBatch } from 'qr/decode.js';
import type { Box } from '#contract/extraction';
import { answerCalls } from '../../workers/call-worker.ts';
import { boxAround, type CodeTask, type PictureCode, pixelsOf } from './picture-codes.ts';

/** Milliseconds for second looks at what is hard to read; a thread of its own has them. */
const TIMEOUT_MS = 1400;

answerCalls(read);

/** Every QR code in a picture, in the picture's pixels. */
async function read(task: CodeTask): Promise<PictureCode[]> {
  const pixels = pixelsOf(task);
  if (!pixels) return [];
  const places = new Map<string, Box>();
  const [codes = []] = await decodeQRBatch([pixels], {
    timeLimit: TIMEOUT_MS,
    pointsOnDetect: ({ bounds }, result) => {
      if (typeof result === 'string') places.set(result, boxAround(bounds));
    },
  });
  return codes.flatMap((text) => {
    const box = typeof text === 'string' && places.get(text);
    return box && text !== '' ? [{ name: 'QR code', text: text as string, box }] : [];
  });
}
