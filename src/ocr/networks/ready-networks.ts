/** The networks that every picture needs, ready to be run: the build makes them of published ones. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { OcrError } from '../errors.ts';
import pinned from './ready-networks.json' with { type: 'json' };

/** `features`: the second recogniser's without its last layer. */
export type NetworkName = 'detection' | 'direction' | 'features';

/** Compiled code has them beside itself; for sources they lie where they need not be written anew for each build. */
export const readyFolder = (): string =>
  fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../../.cache/networks' : '.', import.meta.url));

/**
 * The bytes of a network, as ONNX.
 * @throws {OcrError} `internal` when the file is missing or is not the pinned one
 */
export const readNetwork = (name: NetworkName, folder?: string): Promise<Uint8Array> =>
  readPinned(`${name}.onnx`, folder);

/**
 * The second recogniser's last layer, as its JSON.
 * @throws {OcrError} `internal` when the file is missing or is not the pinned one
 */
export const readLastLayer = async (): Promise<string> =>
  new TextDecoder().decode(await readPinned('last-layer.json'));

async function readPinned(file: keyof typeof pinned, folder = readyFolder()): Promise<Uint8Array> {
  const bytes = await readFile(path.join(folder, file)).catch((cause: unknown) => {
    const remedy = 'node scripts/networks.mjs writes it';
    throw new OcrError('internal', `the network ${file} cannot be read: ${remedy}`, { cause });
  });
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== pinned[file]) {
    throw new OcrError('internal', `the network ${file} is not the pinned one: sha256 ${found}`);
  }
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
