import { expect, test } from 'vitest';
import { joined } from './ready-networks.ts';

function rows(characters: string[], scales: number[], weights: number[]) {
  const base64 = (values: Float32Array | Int8Array) =>
    Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64');
  return {
    madeOf: characters.join(''),
    characters,
    features: 1,
    scales: base64(Float32Array.from(scales)),
    weights: base64(Int8Array.from(weights)),
  };
}

test('joined: appends trained rows to the published ones', () => {
  const published = rows(['', 'a'], [1, 2], [1, 2, 3, 4]);
  expect(joined(published, rows(['◦', 'a'], [0.5, 0.25], [-7, -8, 9, 10]))).toEqual({
    ...rows(['', 'a', '◦', 'a'], [1, 2, 0.5, 0.25], [1, 2, 3, 4, -7, -8, 9, 10]),
    madeOf: 'a, ◦a',
    trainedFrom: 2,
  });
});
