/** The PP-OCRv6 recognizer's network without its last layer: a line of text to features. */
import type { Network } from '../networks/network.ts';
import type { GrayImage } from '../picture/pixels.ts';

/** Height of a crop in pixels. */
export const HEIGHT = 48;
const WIDTH_MULTIPLE = 8;
/** Narrower input loses its only character. */
const MIN_WIDTH = 32;

/** The network's output for a crop of `HEIGHT` pixels: `steps` rows of features over `width` pixels. */
export interface LineFeatures {
  data: Float32Array;
  steps: number;
  width: number;
}

export type FeatureExtractor = (crop: GrayImage, signal?: AbortSignal) => Promise<LineFeatures>;

/** Runs the network `features` on a crop of 48 pixels. */
export async function featuresOf(network: Network, crop: GrayImage): Promise<LineFeatures> {
  const width = Math.max(MIN_WIDTH, Math.ceil(crop.width / WIDTH_MULTIPLE) * WIDTH_MULTIPLE);
  const plane = HEIGHT * width;
  const input = new Float32Array(3 * plane);
  for (let y = 0; y < HEIGHT; y++) {
    const source = y * crop.width;
    const target = y * width;
    for (let x = 0; x < crop.width; x++) input[target + x] = crop.gray[source + x]! / 127.5 - 1;
  }
  // The network takes color; gray is the same in all three planes.
  input.copyWithin(plane, 0, plane);
  input.copyWithin(2 * plane, 0, plane);
  const { data, dims } = await network.run(input, [1, 3, HEIGHT, width]);
  return { data, steps: dims[1]!, width };
}
