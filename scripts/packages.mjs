/**
 * Installs missing packages. Serving and building use the root's packages; tests add those of `tools/testing`,
 * benchmarks those of `tools/measuring`. Plain JavaScript with Node's built-in modules, because it runs before packages are
 * installed.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deleteUnusedFiles } from './unused-files.mjs';

/** @typedef {'serving' | 'testing' | 'measuring'} Purpose */
/**
 * @typedef {object} Package as a lock file lists it
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [optional]
 * @property {boolean} [link]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 */
/** @typedef {Record<string, Package>} Packages by path, such as `node_modules/vite`, including the project's own folders */

/**
 * In ascending order: each includes the packages of the previous ones, so that no installed package is removed.
 * @type {Array<{ purpose: Purpose, words: string, folder: string, flags: string[] }>}
 */
const PURPOSES = [
  { purpose: 'serving', words: 'serving and building need', folder: '', flags: ['--workspaces=false'] },
  {
    purpose: 'testing',
    words: 'serving, building and testing need',
    folder: 'tools/testing',
    flags: ['--workspace', 'tools/testing', '--include-workspace-root'],
  },
  {
    purpose: 'measuring',
    words: 'serving, testing and measuring need',
    folder: 'tools/measuring',
    flags: [],
  },
];

/**
 * Installs packages that are missing or have another version than in the lock file, and deletes their unused files.
 * @param {string} root
 * @param {Purpose} purpose
 */
export async function installFor(root, purpose) {
  const locked = packagesOf(join(root, 'package-lock.json'));
  const present = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  const asked = PURPOSES.findIndex((candidate) => candidate.purpose === purpose);
  if (missing(locked, present, asked).length === 0) return;

  // Packages of a higher level that are already installed stay installed.
  const level = Math.max(asked, levelOf(locked, present));
  const wanted = missing(locked, present, level);
  const { words } = /** @type {typeof PURPOSES[number]} */ (PURPOSES[level]);
  console.log(`Installing what ${words}: ${wanted.length} packages …`);
  const started = performance.now();
  // `npm ci` for an empty folder; otherwise `npm install` adds only missing packages.
  const command = Object.keys(present).length === 0 ? ['ci'] : ['install', '--no-save', '--prefer-offline'];
  await npm(root, command, level);
  await deleteUnusedFiles(root);
  console.log(`Installed in ${seconds(started)} s.`);
}

/**
 * Installs a package again with all its files.
 * @param {string} root
 * @param {string} name
 */
export async function installWhole(root, name) {
  const level = levelOf(
    packagesOf(join(root, 'package-lock.json')),
    packagesOf(join(root, 'node_modules', '.package-lock.json')),
  );
  await rm(join(root, 'node_modules', name), { recursive: true, force: true });
  await npm(root, ['install', '--no-save', '--prefer-offline'], level);
}

/**
 * @param {string} file a lock file, of npm's third format
 * @returns {Packages} empty without a lock file
 */
function packagesOf(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
}

/**
 * The highest purpose whose packages are installed, in any version.
 * @param {Packages} locked
 * @param {Packages} present
 * @returns {number} index into PURPOSES
 */
function levelOf(locked, present) {
  const has = (/** @type {string} */ folder) =>
    Object.keys(locked[folder]?.devDependencies ?? {}).every((name) => present[`node_modules/${name}`]);
  return Object.keys(present).length === 0 ? 0 : PURPOSES.findLastIndex(({ folder }) => has(folder));
}

/**
 * Paths of the packages that are not installed in the locked version. Optional packages do not count, because they are for
 * other systems or are installed with required ones.
 * @param {Packages} locked
 * @param {Packages} present
 * @param {number} level index into PURPOSES
 */
function missing(locked, present, level) {
  const folders = PURPOSES.slice(0, level + 1).map(({ folder }) => folder);
  return [...neededBy(locked, folders)].filter((path) => {
    const { version, integrity, optional, link } = locked[path] ?? {};
    if (optional || link) return false;
    return present[path]?.version !== version || present[path]?.integrity !== integrity;
  });
}

/**
 * Paths of all packages that these folders of the project need, directly or indirectly.
 * @param {Packages} locked
 * @param {readonly string[]} folders of the project; the empty string is the root
 */
export function neededBy(locked, folders) {
  /** @type {Set<string>} */
  const needed = new Set();
  const visit = (/** @type {string} */ path, /** @type {boolean} */ own) => {
    const { dependencies, devDependencies, optionalDependencies, ...peers } = locked[path] ?? {};
    const required = Object.keys(peers.peerDependencies ?? {}).filter(
      (name) => !peers.peerDependenciesMeta?.[name]?.optional,
    );
    const named = { ...dependencies, ...optionalDependencies, ...(own && devDependencies) };
    for (const name of [...Object.keys(named), ...required]) {
      const found = lookUp(locked, path, name);
      if (!found || needed.has(found)) continue;
      needed.add(found);
      visit(found, false);
    }
  };
  for (const folder of folders) visit(folder, true);
  return needed;
}

/**
 * Resolves a package as Node does: in the nearest `node_modules` from a folder upwards.
 * @param {Packages} locked
 * @param {string} from
 * @param {string} name
 */
function lookUp(locked, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder}${folder && '/'}node_modules/${name}`;
    if (locked[path]) return path;
    if (folder === '') return undefined;
  }
}

/** @param {number} started */
const seconds = (started) => Math.round((performance.now() - started) / 1000);

/**
 * @param {string} cwd
 * @param {readonly string[]} command
 * @param {number} level index into PURPOSES
 * @returns {Promise<void>}
 */
function npm(cwd, command, level) {
  const args = [
    ...command,
    '--include=dev',
    .../** @type {typeof PURPOSES[number]} */ (PURPOSES[level]).flags,
    '--no-fund',
    '--no-audit',
    '--progress=false',
    '--loglevel=error',
  ];
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`npm ${args.join(' ')} ended with ${signal ?? code}`)),
    );
  });
}
