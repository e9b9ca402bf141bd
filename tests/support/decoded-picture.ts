import type { Sharp } from 'sharp';
import { decodePicture } from '../../src/ocr/picture/decode.ts';
import type { Picture } from '../../src/ocr/picture/picture.ts';

/** A drawn picture as the engine's stages get it. */
export async function decoded(image: Sharp): Promise<Picture> {
  return decodePicture(await image.png().toBuffer(), {
    maxPixels: 100_000_000,
    decodeRaw: () => Promise.reject(new Error('a PNG needs no other decoder')),
  });
}
