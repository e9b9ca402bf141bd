/**
 * Tests run from sources, but every process and thread that they or the engine start runs compiled, as it does when it
 * serves: a loader in each of them costs more than what most tests do there.
 */
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { compileFolder, nodeFolders } from '../../scripts/compile.mjs';
import { compiled, root } from './compiled-twin.ts';

const entries = fileURLToPath(new URL('compiled-module-entry.ts', import.meta.url));

/** Answers in place of the engine's and the server's own modules where a process or a thread is to be found. */
export function compiledEngine(): Plugin {
  return {
    name: 'compiled-engine',
    enforce: 'pre',
    resolveId: (id, importer) =>
      id.endsWith('/module-entry.ts') && importer?.startsWith(join(root, 'src')) ? entries : undefined,
  };
}

/**
 * Compiles server, engine and what tests start beside them, networks included. The result replaces the last one at once,
 * so that another run of tests finds it whole at any time.
 */
export async function compileSources(): Promise<void> {
  const fresh = `${compiled}-${process.pid}`;
  const folders = (await nodeFolders(join(root, 'src'))).map((folder) => join('src', folder));
  for (const folder of [...folders, join('tests', 'support')])
    await compileFolder(join(root, folder), join(fresh, folder), { aliases: join(fresh, 'src') });
  const ready = join(root, '.cache', 'networks');
  const target = join(fresh, 'src', 'ocr', 'networks');
  await mkdir(target, { recursive: true });
  for (const name of await readdir(ready)) await copyFile(join(ready, name), join(target, name));
  await rm(compiled, { recursive: true, force: true });
  await rename(fresh, compiled);
}
