import { decodeQRBatch } from 'qr/decode.js';
import type { Box } from '#contract/extraction';
import { answerCalls } from '../../workers/answer-calls.ts';

export interface QrCode {
  text: string;
  /** In pixels of the picture as a person sees it. */
  box: Box;
}

/** Milliseconds for second looks at what is hard to read; a thread of its own has them. */
const PATIENCE_MS = 1400;

answerCalls(read);

/** Every code in a picture, in the picture's pixels. */
async function read(picture: ImageBitmap): Promise<QrCode[]> {
  const { width, height } = picture;
  const pen = new OffscreenCanvas(width, height).getContext('2d');
  if (!pen) return [];
  // Transparent pixels are paper.
  pen.fillStyle = 'white';
  pen.fillRect(0, 0, width, height);
  pen.drawImage(picture, 0, 0);
  const pixels = pen.getImageData(0, 0, width, height);
  const places = new Map<string, Box>();
  const [codes = []] = await decodeQRBatch([pixels], {
    timeLimit: PATIENCE_MS,
    pointsOnDetect: ({ bounds }, result) => {
      if (typeof result === 'string') places.set(result, around(bounds));
    },
  });
  return codes.flatMap((text) => {
    const box = typeof text === 'string' && places.get(text);
    return box && text !== '' ? [{ text: text as string, box }] : [];
  });
}

function around(corners: ReadonlyArray<{ x: number; y: number }>): Box {
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
