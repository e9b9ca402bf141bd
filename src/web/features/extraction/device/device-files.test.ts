import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import pinned from './device-files.json' with { type: 'json' };

const PUBLISHED = 'scripts/networks/published';

test.each<[keyof typeof pinned, string]>([
  ['detection.onnx', `${PUBLISHED}/detection.onnx`],
  ['direction.onnx', `${PUBLISHED}/direction.onnx`],
  ['recognition.onnx', `${PUBLISHED}/recognition.onnx`],
  ['last-layer.json', '.cache/networks/last-layer.json'],
  ['eng.traineddata', 'node_modules/@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz'],
  ['ort-wasm-simd-threaded.wasm', 'node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm'],
])('device files: %s has the size and the hash of its file', (name, file) => {
  const bytes = readFileSync(file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  expect(pinned[name]).toEqual({ bytes: bytes.length, sha256 });
});

test('device files: the HEIC decoder has the size that the page shows', () => {
  const bytes = readFileSync('node_modules/libheif-js/libheif-wasm/libheif-bundle.js');
  expect(brotliCompressSync(bytes).length / 1e6).toBeCloseTo(0.5, 1);
});
