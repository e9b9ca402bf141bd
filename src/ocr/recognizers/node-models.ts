/** The models of one Node process: networks by onnxruntime, scaling by sharp. */
import sharp from 'sharp';
import { nodeRuntime } from '../networks/onnxruntime.ts';
import type { RgbImage } from '../picture/pixels.ts';
import { PaddleModels } from './paddle.ts';
import type { FeatureExtractor } from './paddle-features.ts';

/**
 * @param threads threads of one detector run
 * @param features the secondary recognizer's network, on any thread
 */
export const nodeModels = (threads: number, features: FeatureExtractor): PaddleModels =>
  new PaddleModels({ runtime: nodeRuntime, threads, scale: scaleImage, features });

/** The whole image at another size, in any proportion; cubic interpolation. */
async function scaleImage(image: RgbImage, width: number, height: number): Promise<RgbImage> {
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
