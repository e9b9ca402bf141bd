import { answerCalls } from '../../../workers/call-worker.ts';
import { type Corners, type Pixels, straighten } from './perspective.ts';
import { findSheet } from './sheet-edges.ts';

/** `corners`: the corners of the sheet in the picture's pixels; null to find them. */
export interface SheetTask {
  picture: ImageBitmap;
  corners: Corners | null;
}

/** The corners, null if no sheet is found; or the straightened sheet as a JPEG. */
export type SheetAnswer = { corners: Corners | null } | { sheet: Blob };

/** Pixels of the longer side of the picture in which the edges are searched. */
const DETECTION_SIDE = 400;
/** Maximum pixels of a straightened sheet: more than cameras have, and less than the limit of a canvas on phones. */
const MAX_PIXELS = 12_000_000;
const QUALITY = 0.92;

answerCalls<SheetTask, SheetAnswer>(async ({ picture, corners }) => {
  if (!corners) return { corners: cornersIn(picture) };
  const flat = straighten(pixelsOf(picture, picture.width, picture.height), corners, MAX_PIXELS);
  if (!flat) throw new Error('the corners are no sheet');
  const canvas = new OffscreenCanvas(flat.width, flat.height);
  const pen = canvas.getContext('2d');
  const data = new ImageData(flat.width, flat.height);
  data.data.set(flat.data);
  pen?.putImageData(data, 0, 0);
  return { sheet: await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY }) };
});

function cornersIn(picture: ImageBitmap): Corners | null {
  const scale = Math.min(1, DETECTION_SIDE / Math.max(picture.width, picture.height));
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
