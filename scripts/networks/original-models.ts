/** The networks that the product starts from, as `training/published_networks.py` made them of published ones. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = path.join(path.dirname(fileURLToPath(import.meta.url)), 'published');

/** Detection and recognition are PP-OCRv6, direction is PP-OCR 2.0 (all Apache-2.0). The recognition lacks its last layer. */
export type ModelName = 'detection' | 'direction' | 'recognition';

/** The recognition's last layer, as its JSON. */
export const readLastLayer = (): Promise<Uint8Array> => readPublished('last-layer.json');

/** Rows of that layer as `training/last_layer.py` trained them, as their JSON. */
export const readTrainedRows = (): Promise<Uint8Array> => readPublished('trained-rows.json');

/** The bytes of a network, as ONNX; its weights may be stored in 8 bits. */
export const readModel = (name: ModelName): Promise<Uint8Array> => readPublished(`${name}.onnx`);

async function readPublished(file: string): Promise<Uint8Array> {
  const bytes = await readFile(path.join(FOLDER, file));
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
