import { decodeQRBatch } from 'qr/decode.js';
import type { Box } from '#contract/extraction';
import { answerCalls } from '../../workers/call-worker.ts';
import { boxAround, type CodeTask, type PictureCode, pixelsOf } from './picture-codes.ts';

/** Time limit for repeated attempts at codes that are hard to decode. */
const TIMEOUT_MS = 1400;

answerCalls(readCodes);

/** Finds every QR code. Boxes are in pixels of the task's size. */
async function readCodes(task: CodeTask): Promise<PictureCode[]> {
  const pixels = pixelsOf(task);
  if (!pixels) return [];
  const boxes = new Map<string, Box>();
  const [codes = []] = await decodeQRBatch([pixels], {
    timeLimit: TIMEOUT_MS,
    pointsOnDetect: ({ bounds }, result) => {
      if (typeof result === 'string') boxes.set(result, boxAround(bounds));
    },
  });
  return codes.flatMap((text) => {
    const box = typeof text === 'string' && boxes.get(text);
    return box && text !== '' ? [{ name: 'QR code', text: text as string, box }] : [];
  });
}
