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

/** What a worker that looks for codes gets. */
export interface CodeTask {
  picture: ImageBitmap;
  wasm: ArrayBuffer | undefined;
}

/**
 * The codes of a picture, read in a worker. Rejects if the browser cannot draw the picture or has no workers.
 * @param size of the picture; boxes are in its pixels
 */
export async function codesOf(
  { address, longest, wasm }: CodeSearch,
  url: string,
  size: { width: number; height: number },
  signal: AbortSignal,
): Promise<readonly PictureCode[]> {
  // The address is invalid once another picture is shown.
  signal.throwIfAborted();
  const image = new Image();
  image.src = url;
  await image.decode();
  const scale = Math.min(1, longest / Math.max(image.naturalWidth, image.naturalHeight));
  const picture = await createImageBitmap(image, {
    resizeWidth: Math.max(1, Math.round(image.naturalWidth * scale)),
    resizeHeight: Math.max(1, Math.round(image.naturalHeight * scale)),
    resizeQuality: 'medium',
  });
  signal.throwIfAborted();
  const [x, y] = [size.width / picture.width, size.height / picture.height];
  const codes = await callWorker<CodeTask, readonly PictureCode[]>(
    address,
    { picture, wasm },
    { transfer: wasm ? [picture, wasm] : [picture], signal },
  );
  return codes.map(({ box, ...code }) => ({
    ...code,
    box: { x: box.x * x, y: box.y * y, width: box.width * x, height: box.height * y },
  }));
}

/** The pixels of a picture; null in a browser without canvases in workers. */
export function pixelsOf(picture: ImageBitmap): ImageData | null {
  const { width, height } = picture;
  const pen = new OffscreenCanvas(width, height).getContext('2d');
  if (!pen) return null;
  // Transparent pixels are paper.
  pen.fillStyle = 'white';
  pen.fillRect(0, 0, width, height);
  pen.drawImage(picture, 0, 0);
  return pen.getImageData(0, 0, width, height);
}

export function boxAround(corners: ReadonlyArray<{ x: number; y: number }>): Box {
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
