/**
 * Tests run from sources, but the processes and threads that they or the engine start run compiled files, as in production: a
 * loader in each of them would cost more time than most tests.
 */
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { compileFolder, nodeFolders } from '../../scripts/compile.mjs';
import { compiled, root } from './compiled-file.ts';

const entries = fileURLToPath(new URL('compiled-module-entry.ts', import.meta.url));

/** Replaces the `module-entry` modules of engine and server, which find the entry file of a process or thread. */
export function compiledEngine(): Plugin {
  return {
    name: 'compiled-engine',
    enforce: 'pre',
    resolveId: (id, importer) =>
      id.endsWith('/module-entry.ts') && importer?.startsWith(join(root, 'src')) ? entries : undefined,
  };
}

/**
 * Compiles server, engine and test programs, and copies the networks. Replaces the previous result atomically, so that a
 * parallel test run always finds a complete one.
 */
export async function compileSources(): Promise<void> {
  const newFolder = `${compiled}-${process.pid}`;
  const folders = (await nodeFolders(join(root, 'src'))).map((folder) => join('src', folder));
  for (const folder of [...folders, join('tests', 'support')])
    await compileFolder(join(root, folder), join(newFolder, folder), { aliases: join(newFolder, 'src') });
  const ready = join(root, '.cache', 'networks');
  const target = join(newFolder, 'src', 'ocr', 'networks');
  await mkdir(target, { recursive: true });
  for (const name of await readdir(ready)) await copyFile(join(ready, name), join(target, name));
  await rm(compiled, { recursive: true, force: true });
  await rename(newFolder, compiled);
}
