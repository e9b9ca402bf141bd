/** Scales images with the decoder's library. */
import sharp from 'sharp';
import type { RgbImage } from './picture.ts';

/** The whole image at another size, in any proportion; cubic interpolation. */
export async function scaleImage(image: RgbImage, width: number, height: number): Promise<RgbImage> {
  const raw = Buffer.from(image.data.buffer, image.data.byteOffset, image.data.byteLength);
  const data = await sharp(raw, {
    raw: { width: image.width, height: image.height, channels: 3 },
    limitInputPixels: false,
  })
    .resize({ width, height, fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer();
  return { data, width, height };
}
