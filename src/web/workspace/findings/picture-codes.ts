import type { Box } from '#contract/extraction';

/** A bar code or matrix code, and its content. */
export interface PictureCode {
  /** For example "QR code" or "EAN-13 bar code". */
  name: string;
  text: string;
  /** In pixels of the picture before deskewing. */
  box: Box;
}

/** The input of a decoder worker. It scales the picture to `width` × `height` pixels. */
export interface CodeTask {
  picture: ImageBitmap;
  width: number;
  height: number;
  wasm: ArrayBuffer | undefined;
}

/** The scaled pixels; null in a browser without canvases in workers. */
export function pixelsOf({ picture, width, height }: CodeTask): ImageData | null {
  const context = new OffscreenCanvas(width, height).getContext('2d');
  if (!context) return null;
  // Transparent pixels become white.
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'medium';
  context.drawImage(picture, 0, 0, width, height);
  picture.close();
  return context.getImageData(0, 0, width, height);
}

export function boxAround(corners: ReadonlyArray<{ x: number; y: number }>): Box {
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
