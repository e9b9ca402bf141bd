import { openModel } from '../../src/ocr/networks/onnxruntime.ts';
import { LastLayer } from '../../src/ocr/recognizers/paddle-head.ts';

/** A last layer with equal probabilities for all characters: its weights and biases are zero. */
export const layerOf = (characters: readonly string[]): LastLayer =>
  new LastLayer(
    {
      madeOf: 'a test',
      characters: [...characters],
      trainedFrom: characters.length,
      features: 1,
      scales: Buffer.from(new Float32Array(characters.length).fill(1).buffer).toString('base64'),
      weights: Buffer.from(new Int8Array(2 * characters.length)).toString('base64'),
    },
    openModel,
  );
