/** Supported Node versions: the recommended current LTS, and older ones. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root, run } from './bootstrap.mjs';

/** Exact, so that test runs are reproducible. */
const VERSION = '24.21.0';
/** The previous LTS, which is still common. */
const BEFORE = '22.23.3';

/** Versions besides the one that runs the tests. */
export const OTHER_VERSIONS = [BEFORE, VERSION];

export const ensureLts = () => ensureNode(VERSION);

/** Absolute path of a Node; the package registry has one package per platform. @param {string} version */
export async function ensureNode(version) {
  // Installed beside the project's own packages: none of them may be resolved against it.
  const folder = join(root, 'node_modules', '.cache', `node-${version}`);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const program = join(folder, 'node_modules', name, 'bin', 'node');
  if (!existsSync(program)) {
    await mkdir(folder, { recursive: true });
    await run('npm', ['install', '--prefix', folder, '--no-save', '--ignore-scripts', `${name}@${version}`], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  return program;
}
