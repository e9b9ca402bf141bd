/** Supported Node versions: the recommended current LTS, and older ones. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { root, run } from './bootstrap.mjs';

/** Exact, so that test runs are reproducible. */
const VERSION = '24.21.0';
/** The previous LTS, which is still widely used. */
const PREVIOUS_VERSION = '22.23.3';

/** Versions besides the one that runs the tests. */
export const OTHER_VERSIONS = [PREVIOUS_VERSION, VERSION];

export const ensureLts = () => ensureNode(VERSION);

/** Installs a Node version and returns its absolute path; npm has one package per platform. @param {string} version */
export async function ensureNode(version) {
  // Installed in a separate folder, so that it does not affect the resolution of the project's packages.
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
