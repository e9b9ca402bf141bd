/**
 * Converts the published networks of `training/published_networks.py` to the networks that the engine runs. Returns their
 * bytes by file name.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { leanModel } from '../../src/ocr/networks/lean-model.ts';
import type { StoredLayer } from '../../src/ocr/recognizers/paddle-head.ts';

export async function readyNetworks(): Promise<Record<string, Uint8Array>> {
  return {
    'detection.onnx': leanModel(await readModel('detection')),
    'direction.onnx': leanModel(await readModel('direction')),
    'features.onnx': leanModel(await readModel('recognition')),
    'last-layer.json': await lastLayer(),
  };
}

const FOLDER = path.join(path.dirname(fileURLToPath(import.meta.url)), 'published');

/** Detection and recognition (without the last layer) are PP-OCRv6, direction is PP-OCR 2.0 (all Apache-2.0). */
export type ModelName = 'detection' | 'direction' | 'recognition';

/** The bytes of a network, as ONNX; its weights may be stored in 8 bits. */
export const readModel = (name: ModelName): Promise<Uint8Array> => readPublished(`${name}.onnx`);

async function readPublished(file: string): Promise<Uint8Array> {
  const bytes = await readFile(path.join(FOLDER, file));
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

type Rows = Omit<StoredLayer, 'trainedFrom'>;

/** The published rows, followed by those that `training/last_layer.py` trained. */
async function lastLayer(): Promise<Uint8Array> {
  const rowsOf = async (file: string): Promise<Rows> =>
    JSON.parse(new TextDecoder().decode(await readPublished(file)));
  const [published, trained] = await Promise.all([rowsOf('last-layer.json'), rowsOf('trained-rows.json')]);
  return new TextEncoder().encode(JSON.stringify(joined(published, trained)));
}

/** Concatenates the rows of two layers with the same features. */
export function joined(published: Rows, trained: Rows): StoredLayer {
  const both = (key: 'scales' | 'weights') =>
    Buffer.concat([published, trained].map((rows) => Buffer.from(rows[key], 'base64'))).toString('base64');
  return {
    madeOf: `${published.madeOf}, ${trained.madeOf}`,
    characters: [...published.characters, ...trained.characters],
    trainedFrom: published.characters.length,
    features: published.features,
    scales: both('scales'),
    weights: both('weights'),
  };
}
