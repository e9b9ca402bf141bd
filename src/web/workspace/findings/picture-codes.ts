import type { Box } from '#contract/extraction';
import { callWorker } from '../../workers/call-worker.ts';

/** A code that machines read, and what it says. */
export interface PictureCode {
  /** "QR code", "EAN-13 bar code". */
  name: string;
  text: string;
  /** In pixels of the picture as a person sees it. */
  box: Box;
}

interface CodeSearch {
  /** Of the worker. */
  address: string;
  /** Pixels: the longer side of what the worker gets. */
  longest: number;
  /** What the worker compiles. */
  wasm?: ArrayBuffer;
}

/** What a worker that looks for codes gets, and the size in pixels in which it looks. */
export interface CodeTask {
  picture: ImageBitmap;
  width: number;
  height: number;
  wasm: ArrayBuffer | undefined;
}

/** A picture: where it is shown from, and its file where the browser draws that itself. */
export interface ShownPicture {
  url: string;
  file: File | null;
}

/**
 * The codes of a picture, read in a worker. Rejects if the browser cannot draw the picture or has no workers.
 * @param size of the picture; boxes are in its pixels
 */
export async function codesOf(
  { address, longest, wasm }: CodeSearch,
  shown: ShownPicture,
  size: { width: number; height: number },
  signal: AbortSignal,
): Promise<readonly PictureCode[]> {
  // The address is invalid once another picture is shown.
  signal.throwIfAborted();
  const picture = await bitmapOf(shown);
  signal.throwIfAborted();
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
  const [width, height] = [picture.width, picture.height].map((side) =>
    Math.max(1, Math.round(side * scale)),
  );
  const [x, y] = [size.width / width!, size.height / height!];
  const codes = await callWorker<CodeTask, readonly PictureCode[]>(
    address,
    { picture, width: width!, height: height!, wasm },
    { transfer: wasm ? [picture, wasm] : [picture], signal },
  );
  return codes.map(({ box, ...code }) => ({
    ...code,
    box: { x: box.x * x, y: box.y * y, width: box.width * x, height: box.height * y },
  }));
}

/** A file is decoded beside the page; an image that is shown would be decoded by it, which takes long for a photograph. */
async function bitmapOf({ url, file }: ShownPicture): Promise<ImageBitmap> {
  if (file) return createImageBitmap(file);
  const image = new Image();
  image.src = url;
  await image.decode();
  return createImageBitmap(image);
}

/** The pixels that are looked at; null in a browser without canvases in workers. */
export function pixelsOf({ picture, width, height }: CodeTask): ImageData | null {
  const pen = new OffscreenCanvas(width, height).getContext('2d');
  if (!pen) return null;
  // Transparent pixels are paper.
  pen.fillStyle = 'white';
  pen.fillRect(0, 0, width, height);
  pen.imageSmoothingQuality = 'medium';
  pen.drawImage(picture, 0, 0, width, height);
  picture.close();
  return pen.getImageData(0, 0, width, height);
}

export function boxAround(corners: ReadonlyArray<{ x: number; y: number }>): Box {
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
