import type { Sharp } from 'sharp';
import { decodePicture } from '../../src/ocr/picture/decode.ts';
import type { Picture } from '../../src/ocr/picture/picture.ts';

/** A generated picture in the form in which the stages of the engine get it. */
export async function decoded(image: Sharp): Promise<Picture> {
  return decodePicture(await image.png().toBuffer(), {
    maxPixels: 100_000_000,
    decodeRaw: () => Promise.reject(new Error('a PNG needs no other decoder')),
  });
}
