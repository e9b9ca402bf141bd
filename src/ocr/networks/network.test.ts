import { afterEach, describe, expect, it, vi } from 'vitest';
import { readModel } from './model-files.ts';
import { openModel } from './network.ts';
import { InferenceSession } from './onnxruntime.ts';

const CALM_RUNS = 3;
const LARGE = [1, 3, 64, 320];
const SMALL = [1, 3, 32, 32];

async function openWatched() {
  const opened = vi.spyOn(InferenceSession, 'create');
  const network = await openModel(await readModel('detection'), 1, CALM_RUNS);
  const run = (dims: readonly number[]) =>
    network.run(new Float32Array(dims.reduce((product, side) => product * side)).fill(0.5), dims);
  return { network, opened, run };
}

describe('a network', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('gives back what a large input needed once many in a row were much smaller, and answers as before', async () => {
    const { network, opened, run } = await openWatched();
    const before = await run(SMALL);
    await run(LARGE);
    for (let i = 1; i < CALM_RUNS; i++) await run(SMALL);
    expect(opened).toHaveBeenCalledTimes(1);
    await run(SMALL);
    expect(opened).toHaveBeenCalledTimes(2);
    expect(await run(SMALL)).toEqual(before);
    for (let i = 0; i < 2 * CALM_RUNS; i++) await run(SMALL);
    expect(opened).toHaveBeenCalledTimes(2);
    await network.release();
  });

  it('keeps it while large inputs come now and then', async () => {
    const { network, opened, run } = await openWatched();
    for (let i = 0; i < 3; i++) {
      await run(LARGE);
      for (let j = 1; j < CALM_RUNS; j++) await run(SMALL);
    }
    expect(opened).toHaveBeenCalledTimes(1);
    await network.release();
  });

  it('is opened anew once, however many inputs are under way, and none of them is lost', async () => {
    const { network, opened, run } = await openWatched();
    await run(LARGE);
    const answers = await Promise.all(Array.from({ length: 4 * CALM_RUNS }, () => run(SMALL)));
    expect(new Set(answers.map(({ data }) => data.join())).size).toBe(1);
    expect(opened).toHaveBeenCalledTimes(2);
    await network.release();
  });
});
