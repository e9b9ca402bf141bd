import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { leanModel } from '../../src/ocr/networks/lean-model.ts';
import { decodeModel } from '../../src/ocr/networks/onnx-reader.ts';
import { InferenceSession, Tensor } from '../../src/ocr/networks/onnxruntime.ts';
import pinned from '../../src/ocr/networks/ready-networks.json' with { type: 'json' };
import { networkFile } from '../../src/ocr/networks/ready-networks.ts';
import { fixture, grayOf } from '../../tests/support/pictures.ts';
import { type ModelName, readModel, readyNetworks } from './ready-networks.ts';

/** The output of a network for the top left corner of a picture with text. */
async function answerOf(
  model: Uint8Array,
  width: number,
  height: number,
  graphOptimizationLevel: 'all' | 'disabled' = 'all',
): Promise<Float32Array> {
  const page = await grayOf(fixture('harbour-lights.png'));
  const plane = width * height;
  const input = new Float32Array(3 * plane);
  for (let at = 0; at < input.length; at++) {
    const y = Math.floor((at % plane) / width);
    input[at] = page.gray[y * page.width + (at % width)]! / 127.5 - 1;
  }
  const session = await InferenceSession.create(model, { logSeverityLevel: 3, graphOptimizationLevel });
  const answer = await session.run({ x: new Tensor('float32', input, [1, 3, height, width]) });
  await session.release();
  return answer[session.outputNames[0]!]!.data as Float32Array;
}

const typesOf = (model: Uint8Array) => decodeModel(model).operations.map(({ type }) => type);

describe('a lean network', () => {
  it.each<[ModelName, number, number]>([
    ['detection', 480, 160],
    ['recognition', 320, 48],
    ['direction', 192, 48],
  ])('for %s gives the numbers of the file it was made from', async (name, width, height) => {
    const file = await readModel(name);
    const [expected, found] = [
      // The runtime would replace operations on quantized weights by others.
      await answerOf(file, width, height, 'disabled'),
      await answerOf(leanModel(file), width, height),
    ];
    expect(expected.some((value) => value > 0.8)).toBe(true);
    expect(found).toHaveLength(expected.length);
    const apart = expected.reduce((most, value, at) => Math.max(most, Math.abs(value - found[at]!)), 0);
    expect(apart).toBeLessThan(0.001);
  });

  it('has no activation that is split into four operations and no transposed convolution', async () => {
    expect(typesOf(await readModel('direction'))).toContain('Clip');
    expect(typesOf(leanModel(await readModel('direction')))).not.toContain('Clip');
    expect(typesOf(await readModel('detection'))).toContain('ConvTranspose');
    expect(typesOf(leanModel(await readModel('detection')))).not.toContain('ConvTranspose');
  });

  it('returns a row of features for every step of eight pixels of a line', async () => {
    expect(await answerOf(leanModel(await readModel('recognition')), 104, 48)).toHaveLength(13 * 120);
  });

  it('has dequantized weights', async () => {
    expect(typesOf(await readModel('recognition'))).toContain('DequantizeLinear');
    expect(typesOf(leanModel(await readModel('recognition')))).not.toContain('DequantizeLinear');
  });

  it('is rejected if the published file is truncated', async () => {
    const model = await readModel('direction');
    expect(() => leanModel(model.subarray(0, 5000))).toThrow('cut off');
  });
});

describe('the networks that the engine runs', () => {
  it('built from the published ones equal the pinned files', async () => {
    const made = Object.entries(await readyNetworks());
    const digests = made.map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')]);
    expect(Object.fromEntries(digests)).toEqual(pinned);
  });

  it('are rejected if they are missing or not the pinned files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'networks-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'direction.onnx'), 'something else');
    await expect(networkFile('direction', folder)).rejects.toThrow('not the pinned one');
    await expect(networkFile('detection', folder)).rejects.toThrow('cannot be read');
  });
});
