import { answerCalls } from '../../../workers/call-worker.ts';
import { type Corners, type Pixels, straightened } from './perspective.ts';
import { findSheet } from './sheet-edges.ts';

/** `corners`: of the sheet, in the picture's pixels; null to find them. */
export interface SheetTask {
  picture: ImageBitmap;
  corners: Corners | null;
}

/** Its corners, null where none are found; or the straightened sheet as a JPEG. */
export type SheetAnswer = { corners: Corners | null } | { sheet: Blob };

/** Pixels of the longer side in which the edges are looked for. */
const LOOKED_AT = 400;
/** Pixels: more than a camera's page has, and less than a canvas on a phone may have. */
const MAX_PIXELS = 12_000_000;
const QUALITY = 0.92;

answerCalls<SheetTask, SheetAnswer>(async ({ picture, corners }) => {
  if (!corners) return { corners: cornersIn(picture) };
  const flat = straightened(pixelsOf(picture, picture.width, picture.height), corners, MAX_PIXELS);
  if (!flat) throw new Error('the corners make no sheet');
  const canvas = new OffscreenCanvas(flat.width, flat.height);
  const pen = canvas.getContext('2d');
  const data = new ImageData(flat.width, flat.height);
  data.data.set(flat.data);
  pen?.putImageData(data, 0, 0);
  return { sheet: await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY }) };
});

function cornersIn(picture: ImageBitmap): Corners | null {
  const scale = Math.min(1, LOOKED_AT / Math.max(picture.width, picture.height));
  const small = pixelsOf(picture, Math.round(picture.width * scale), Math.round(picture.height * scale));
  const [x, y] = [picture.width / small.width, picture.height / small.height];
  const found = findSheet(small);
  return found && (found.map((corner) => ({ x: corner.x * x, y: corner.y * y })) as unknown as Corners);
}

function pixelsOf(picture: ImageBitmap, width: number, height: number): Pixels {
  const pen = new OffscreenCanvas(width, height).getContext('2d');
  if (!pen) throw new Error('no canvas');
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(picture, 0, 0, width, height);
  return pen.getImageData(0, 0, width, height);
}
