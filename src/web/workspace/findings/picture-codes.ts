import type { Box } from '#contract/extraction';

/** A code that machines read, and what it says. */
export interface PictureCode {
  /** "QR code", "EAN-13 bar code". */
  name: string;
  text: string;
  /** In pixels of the picture as a person sees it. */
  box: Box;
}

/** What a worker that looks for codes gets, and the size in pixels in which it looks. */
export interface CodeTask {
  picture: ImageBitmap;
  width: number;
  height: number;
  wasm: ArrayBuffer | undefined;
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
