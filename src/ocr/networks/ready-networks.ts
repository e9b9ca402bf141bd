/** The networks of every picture, ready to run: the build derives them from published ones. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { OcrError } from '../errors.ts';
import type { NetworkName } from './network.ts';
import pinned from './ready-networks.json' with { type: 'json' };

/** Next to compiled code; for sources, in a folder that survives builds. */
export const readyFolder = (): string =>
  fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../../.cache/networks' : '.', import.meta.url));

/**
 * The file of a network, as ONNX.
 * @throws {OcrError} `internal` when the file is missing or is not the pinned one
 */
export async function networkFile(name: NetworkName, folder = readyFolder()): Promise<string> {
  const file = `${name}.onnx` as const;
  await readPinned(file, folder);
  return path.join(folder, file);
}

/**
 * The secondary recognizer's last layer, as its JSON.
 * @throws {OcrError} `internal` when the file is missing or is not the pinned one
 */
export const readLastLayer = async (): Promise<string> => (await readPinned('last-layer.json')).toString();

async function readPinned(file: keyof typeof pinned, folder = readyFolder()): Promise<Buffer> {
  const bytes = await readFile(path.join(folder, file)).catch((cause: unknown) => {
    const remedy = 'node scripts/networks.mjs writes it';
    throw new OcrError('internal', `the network ${file} cannot be read: ${remedy}`, { cause });
  });
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== pinned[file]) {
    throw new OcrError('internal', `the network ${file} is not the pinned one: sha256 ${found}`);
  }
  return bytes;
}
