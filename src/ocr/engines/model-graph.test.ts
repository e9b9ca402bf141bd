import { describe, expect, it } from 'vitest';
import { readModel } from './model-files.ts';
import { fieldsOf, withOnlyOutput } from './model-graph.ts';
import { FEATURES_TENSOR, featuresOf } from './paddle-recogniser.ts';
import { openNetwork } from './paddle-session.ts';

describe('a network cut short', () => {
  it('hands out the tensor that was named', async () => {
    const network = await openNetwork('recognition', { threads: 1, output: FEATURES_TENSOR });
    const crop = { gray: new Uint8Array(48 * 100).fill(255), width: 100, height: 48 };
    const { data, steps, width } = await featuresOf(network, crop);
    await network.release();
    expect({ width, steps }).toEqual({ width: 104, steps: 13 });
    expect(data).toHaveLength(13 * 120);
  });

  it('leaves the rest of the file as it was', async () => {
    const model = await readModel('recognition');
    const cut = withOnlyOutput(model, FEATURES_TENSOR);
    const kinds = (bytes: Uint8Array) => [...fieldsOf(bytes, 0, bytes.length)].map((field) => field.number);
    expect(kinds(cut)).toEqual(kinds(model));
  });

  it('is refused when the tensor does not exist', async () => {
    const model = await readModel('direction');
    expect(() => withOnlyOutput(model, 'no_such_tensor')).toThrow('no_such_tensor');
  });

  it('is refused when the file is cut off', async () => {
    const model = await readModel('direction');
    expect(() => withOnlyOutput(model.subarray(0, 5000), FEATURES_TENSOR)).toThrow('cut off');
  });
});
