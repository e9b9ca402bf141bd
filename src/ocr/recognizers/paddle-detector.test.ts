import { expect, test } from 'vitest';
import type { Network } from '../networks/network.ts';
import { mapText } from './paddle-detector.ts';

/** A network that detects text everywhere, and counts its calls. */
function seeing() {
  const asked: number[] = [];
  const network = {
    run: async (_input: Float32Array, [, , height = 0, width = 0]: readonly number[]) => {
      asked.push(height);
      return { data: new Float32Array(width * height).fill(1), dims: [1, 1, height, width] };
    },
  } as unknown as Network;
  return { asked, network };
}

test('mapText: leaves out empty windows', async () => {
  const [width, height] = [1024, 4096];
  const data = new Uint8Array(width * height * 3).fill(240);
  data.fill(10, 20 * width * 3, 24 * width * 3);
  const { asked, network } = seeing();
  const map = await mapText(network, { data, width, height });
  expect(asked).toHaveLength(1);
  expect([map.data[0], map.data.at(-1)]).toEqual([255, 0]);
});
