import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deleteUnusedFiles } from './unused-files.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glyphlift-unused-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: readonly string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(folder, 'node_modules', file)), { recursive: true });
    writeFileSync(join(folder, 'node_modules', file), '');
  }
}

/** The remaining files and empty folders. */
const rest = () =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(({ entry, path }) => entry.isFile() || readdirSync(path).length === 0)
    .map(({ path }) => relative(join(folder, 'node_modules'), path).replaceAll('\\', '/'))
    .sort();

test('deleteUnusedFiles: deletes libraries of other systems with their folders', async () => {
  const own = `onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}/onnxruntime_binding.node`;
  write([
    own,
    'onnxruntime-node/bin/napi-v6/beos/m68k/onnxruntime_binding.node',
    'onnxruntime-node/dist/index.js',
  ]);
  await deleteUnusedFiles(folder);
  expect(rest()).toEqual([own, 'onnxruntime-node/dist/index.js']);
});

test('deleteUnusedFiles: keeps the manifest of a package and the imported builds', async () => {
  const used = [
    'onnxruntime-web/dist/ort-wasm-simd-threaded.mjs',
    'onnxruntime-web/dist/ort-wasm-simd-threaded.wasm',
    'onnxruntime-web/dist/ort.wasm.min.mjs',
    'onnxruntime-web/package.json',
    'onnxruntime-web/types.d.ts',
    'satori/dist/index.js',
    'tesseract.js-core/package.json',
    'tesseract.js-core/tesseract-core-relaxedsimd-lstm.wasm',
    'tesseract.js-core/tesseract-core-simd-lstm.js',
    'tesseract.js-core/tesseract-core-simd-lstm.wasm',
  ];
  write([
    ...used,
    'onnxruntime-web/dist/ort-wasm-simd-threaded.jsep.wasm',
    'onnxruntime-web/dist/ort.webgpu.min.mjs',
    'satori/dist/index.js.map',
    'satori/dist/index.cjs',
    'tesseract.js-core/tesseract-core-simd-lstm.wasm.js',
    'tesseract.js-core/tesseract-core.wasm',
  ]);
  await deleteUnusedFiles(folder);
  expect(rest()).toEqual(used);
});

test('deleteUnusedFiles: does not change other packages, and accepts missing ones', async () => {
  await deleteUnusedFiles(folder);
  write(['sharp/lib/index.js', 'sharp/lib/index.js.map']);
  await deleteUnusedFiles(folder);
  expect(rest()).toEqual(['sharp/lib/index.js', 'sharp/lib/index.js.map']);
});
