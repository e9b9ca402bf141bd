/** Writes the networks that the engine runs, converted from the published ones, for builds and for runs from sources. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** SHA-256 of each network that the engine accepts, by file name. */
const PINNED = join(root, 'src', 'ocr', 'networks', 'ready-networks.json');

/**
 * Writes the networks, and checks their hashes.
 * @param {string} folder
 */
export async function writeNetworks(folder) {
  // Imported here, because Vite may have been installed only now.
  const { runnerImport } = await import('vite');
  const pinned = JSON.parse(await readFile(PINNED, 'utf8'));
  const { module } = await runnerImport(join(root, 'scripts', 'networks', 'ready-networks.ts'), { root });
  const networks = await /** @type {typeof import('./networks/ready-networks.ts')} */ (
    module
  ).readyNetworks();
  await mkdir(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(networks)) {
    const digest = digestOf(bytes);
    if (digest !== pinned[name]) {
      throw new Error(`the network ${name} came out with sha256 ${digest}; ${PINNED} has ${pinned[name]}`);
    }
    // Written atomically, because another process may be reading them.
    const unfinished = join(folder, `${name}.${process.pid}`);
    await writeFile(unfinished, bytes);
    await rename(unfinished, join(folder, name));
  }
}

/** Writes the networks for a run from sources, unless the pinned files exist. */
export async function ensureNetworks() {
  const folder = join(root, '.cache', 'networks');
  const pinned = JSON.parse(await readFile(PINNED, 'utf8'));
  for (const [name, digest] of Object.entries(pinned)) {
    const file = join(folder, name);
    if (!existsSync(file) || digestOf(await readFile(file)) !== digest) return writeNetworks(folder);
  }
}

/** @param {Uint8Array} bytes */
const digestOf = (bytes) => createHash('sha256').update(bytes).digest('hex');

if (process.argv[1] === fileURLToPath(import.meta.url)) await ensureNetworks();
