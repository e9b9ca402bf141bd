/** The current LTS of Node, which is what is recommended, beside the oldest Node that works. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root, run } from './bootstrap.mjs';

/** Exact, so that a gate that passed passes again. */
const VERSION = '24.21.0';

/** Installed beside the project's own packages: none of them may be resolved against it. */
const folder = join(root, 'node_modules', '.cache', `node-${VERSION}`);

/** Absolute path of the LTS's program; the package registry brings it, one package a platform. */
export async function ensureLts() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const program = join(folder, 'node_modules', name, 'bin', 'node');
  if (!existsSync(program)) {
    await mkdir(folder, { recursive: true });
    await run('npm', ['install', '--prefix', folder, '--no-save', '--ignore-scripts', `${name}@${VERSION}`], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  return program;
}
