/**
 * Checks the Node version, installs packages and builds what is out of date, for all scripts. Plain JavaScript with Node's
 * built-in modules, because it runs before packages are installed.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureNetworks } from './networks.mjs';
import { installFor } from './packages.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const BUILD_STAMPS = join(root, 'dist', '.build-stamps.json');

const SHARED_INPUTS = ['package.json', 'package-lock.json', 'vite.config.ts', 'scripts'];

/** Input files and folders of each part of the build, without tests, so that editing a test does not trigger a build. */
const BUILD_INPUTS = {
  server: [
    ...SHARED_INPUTS,
    'src/contract',
    'src/formats',
    'src/geometry',
    'src/library',
    'src/ocr',
    'src/program',
    'src/server',
  ],
  page: [
    ...SHARED_INPUTS,
    'src/contract',
    'src/formats',
    'src/geometry',
    'src/server/content',
    'src/web',
    'content',
    'public',
  ],
};

/** Exits with one line if Node is too old. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(
    `Glyphlift needs Node 20.19 or newer (the current LTS, 24, is recommended); this is ${process.versions.node}.`,
  );
  process.exit(1);
}

/**
 * Runs a program and shows its output.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<void>} rejects on any other exit status than 0
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args.join(' ')} ended with ${signal ?? code}`)),
    );
  });
}

/**
 * Installs missing packages for a purpose.
 * @param {import('./packages.mjs').Purpose} [purpose]
 */
export const ensureInstalled = (purpose = 'serving') => installFor(root, purpose);

/**
 * Builds server and page, each only if its input files have changed since its last build.
 * @param {readonly (keyof typeof BUILD_INPUTS)[]} [parts] both if left out
 */
export async function ensureBuilt(parts = ['server', 'page']) {
  const built = existsSync(BUILD_STAMPS) ? JSON.parse(readFileSync(BUILD_STAMPS, 'utf8')) : {};
  /** @type {Record<string, string>} */
  const wanted = {};
  for (const part of parts) wanted[part] = await hashOf(BUILD_INPUTS[part]);
  const stale = parts.filter((part) => built[part] !== wanted[part]);
  if (stale.length === 0) return;
  const started = performance.now();
  console.log(`Building ${stale.join(' and ')} …`);
  await run(process.execPath, [join(root, 'scripts', 'build.mjs'), ...stale]);
  await mkdir(dirname(BUILD_STAMPS), { recursive: true });
  await writeFile(BUILD_STAMPS, JSON.stringify({ ...built, ...wanted }));
  console.log(`Built in ${Math.round((performance.now() - started) / 1000)} s.`);
}

/** @param {readonly string[]} inputs files and folders */
async function hashOf(inputs) {
  const hash = createHash('sha256');
  for (const input of inputs) {
    for (const file of await filesBelow(join(root, input))) {
      hash
        .update(relative(root, file))
        .update('\0')
        .update(await readFile(file))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} path a file or a folder
 * @returns {Promise<string[]>} in a fixed order
 */
async function filesBelow(path) {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => null);
  if (!entries) return [path];
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNode();
  // Scripts in package.json pass a purpose if they need more packages than the server.
  await ensureInstalled(/** @type {import('./packages.mjs').Purpose | undefined} */ (process.argv[2]));
  await ensureNetworks();
}
