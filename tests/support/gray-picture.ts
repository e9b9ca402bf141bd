import type { Region } from '../../src/ocr/page/geometry.ts';
import { LineImage } from '../../src/ocr/page/line-image.ts';
import type { Picture } from '../../src/ocr/picture/picture.ts';
import type { GrayImage } from '../../src/ocr/picture/pixels.ts';

/** A picture for the stages of the engine, with the given gray image and white colors. */
export function pictureOf({ gray, width, height }: GrayImage): Picture {
  const rgb = new Uint8Array(3 * width * height).fill(255);
  return { width, height, gray, rgb, original: { width, height }, scale: 1, notices: [] };
}

/** A picture of white paper. */
export const blankPicture = (width: number, height: number): Picture =>
  pictureOf({ gray: new Uint8Array(width * height).fill(255), width, height });

/** Line images of these regions of a picture. */
export const linesOn = <R extends Region>(picture: Picture, regions: readonly R[]): LineImage<R>[] =>
  regions.map((region) => new LineImage(picture, region));
