/** Compiles the engine as for production. Edits during a run have no effect on it. */
import { copyFileSync, linkSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFolder } from '../scripts/compile.mjs';

const SOURCES = resolve('src/ocr');
const NETWORKS = resolve('.cache/networks');
const PARENT = resolve('.cache/bench');
const PREFIX = 'engine-';

/** Compiles the engine into a folder of this process, which is removed when the process ends. */
export async function compileEngine(): Promise<typeof import('#ocr')> {
  removeLeftovers();
  const folder = join(PARENT, `${PREFIX}${process.pid}`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await compileFolder(SOURCES, folder);
  const target = join(folder, 'networks');
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(NETWORKS)) linkOrCopy(join(NETWORKS, name), join(target, name));
  return (await import(pathToFileURL(join(folder, 'index.js')).href)) as typeof import('#ocr');
}

/** Removes the folders of killed runs. */
function removeLeftovers(): void {
  mkdirSync(PARENT, { recursive: true });
  for (const name of readdirSync(PARENT)) {
    const pid = Number(name.slice(PREFIX.length));
    if (name.startsWith(PREFIX) && Number.isInteger(pid) && !isRunning(pid)) {
      rmSync(join(PARENT, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
