/** PP-OCR's orientation classifier: whether a line is upside down. */
import type { Network } from '../networks/network.ts';
import type { OrientationClassifier } from '../page/orient.ts';
import type { GrayImage } from '../picture/pixels.ts';

/** Height of a crop in pixels, as in training. */
const HEIGHT = 48;
/** The network uses the first part of a line only. */
const WIDTH = 192;

export const orientationClassifier = (network: Network): OrientationClassifier => ({
  cropHeight: HEIGHT,
  upsideDownChance: (crops) => upsideDownChance(network, crops),
});

async function upsideDownChance(network: Network, crops: readonly GrayImage[]): Promise<number> {
  const plane = HEIGHT * WIDTH;
  const input = new Float32Array(crops.length * 3 * plane);
  for (const [index, { gray, width }] of crops.entries()) {
    const shown = Math.min(WIDTH, width);
    const start = index * 3 * plane;
    for (let y = 0; y < HEIGHT; y++) {
      for (let x = 0; x < shown; x++) input[start + y * WIDTH + x] = gray[y * width + x]! / 127.5 - 1;
    }
    input.copyWithin(start + plane, start, start + plane);
    input.copyWithin(start + 2 * plane, start, start + plane);
  }
  const { data } = await network.run(input, [crops.length, 3, HEIGHT, WIDTH]);
  let sum = 0;
  for (let index = 0; index < crops.length; index++) sum += data[2 * index + 1]!;
  return sum / crops.length;
}
