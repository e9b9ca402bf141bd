/**
 * Tests run from sources, but the processes and threads that the engine starts run compiled, as they do when it serves:
 * a loader in each of them costs more than what most tests do there.
 */
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { compileServer } from '../../scripts/compile.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = join(root, 'src');
const compiled = join(root, '.cache', 'compiled');
const entries = fileURLToPath(new URL('compiled-module-entry.ts', import.meta.url));

/** Answers in place of the engine's own module where a process or a thread is to be found. */
export function compiledEngine(): Plugin {
  return {
    name: 'compiled-engine',
    enforce: 'pre',
    resolveId: (id, importer) =>
      id.endsWith('/module-entry.ts') && importer?.startsWith(join(sources, 'ocr')) ? entries : undefined,
  };
}

/** Compiles the engine anew, networks and all. */
export async function compileEngine(): Promise<void> {
  await rm(compiled, { recursive: true, force: true });
  await compileServer(sources, compiled);
  const ready = join(root, '.cache', 'networks');
  const target = join(compiled, 'ocr', 'networks');
  await mkdir(target, { recursive: true });
  for (const name of await readdir(ready)) await copyFile(join(ready, name), join(target, name));
}
