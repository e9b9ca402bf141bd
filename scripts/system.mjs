/** Programs that the tests need and npm does not bring. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './bootstrap.mjs';

/**
 * @param {readonly string[]} names alternatives, best first
 * @param {readonly string[]} [folders] searched before PATH
 * @returns {string | undefined} absolute path
 */
function findProgram(names, folders = []) {
  const path = (process.env.PATH ?? '').split(delimiter);
  for (const folder of [...folders, ...path]) {
    for (const name of names) {
      const file = join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // not here
      }
    }
  }
  return undefined;
}

/** Debian keeps the server's programs out of PATH, one folder a version. */
function postgresFolders() {
  const versions = '/usr/lib/postgresql';
  if (!existsSync(versions)) return [];
  return readdirSync(versions)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(versions, version, 'bin'));
}

/** @type {Record<'chromium' | 'headless' | 'postgres' | 'pgbouncer' | 'redis' | 'strace' | 'bubblewrap' | 'curl' | 'python', { debian: string, find: () => string | undefined }>} */
const PROGRAMS = {
  chromium: {
    debian: 'chromium',
    find: () => findProgram(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']),
  },
  // Chromium without its own windows: a third less processor time for the same pages.
  headless: {
    debian: 'chromium-headless-shell',
    find: () => findProgram(['chromium-headless-shell', 'chrome-headless-shell']),
  },
  postgres: { debian: 'postgresql', find: () => findProgram(['initdb'], postgresFolders()) },
  pgbouncer: { debian: 'pgbouncer', find: () => findProgram(['pgbouncer'], ['/usr/sbin']) },
  redis: { debian: 'redis-server', find: () => findProgram(['redis-server', 'valkey-server']) },
  strace: { debian: 'strace', find: () => findProgram(['strace']) },
  bubblewrap: { debian: 'bubblewrap', find: () => findProgram(['bwrap']) },
  // What the examples for those who write programs are run by.
  curl: { debian: 'curl', find: () => findProgram(['curl']) },
  python: { debian: 'python3', find: () => findProgram(['python3']) },
};

/** Path of Chromium as people have it. */
export const chromiumPath = () => found('chromium');

/** Path of the Chromium that tests look at pages with. */
export const headlessChromiumPath = () => found('headless');

/** Path of PostgreSQL's `initdb`; its other programs lie beside it. */
export const initdbPath = () => found('postgres');

/** Path of the program that lends few connections to a database to many. */
export const pgbouncerPath = () => found('pgbouncer');

/** Path of the server that keeps what several processes share. */
export const redisPath = () => found('redis');

/** Path of the program that tells what another one asks the kernel for. */
export const stracePath = () => found('strace');

/** Path of what runs Python. */
export const pythonPath = () => found('python');

/** @param {keyof typeof PROGRAMS} name */
function found(name) {
  const path = PROGRAMS[name].find();
  if (!path) throw new Error(`${name} is not installed (Debian: apt-get install ${PROGRAMS[name].debian})`);
  return path;
}

/** Installs what is missing where that is possible (root on Debian); stops with one line where it is not. */
export async function ensurePrograms() {
  const missing = Object.values(PROGRAMS)
    .filter((program) => !program.find())
    .map((program) => program.debian);
  if (missing.length === 0) return;
  const debian = spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;
  if (!debian || process.getuid?.() !== 0) {
    console.error(
      `The tests need programs that are not installed: ${missing.join(', ')} (Debian: sudo apt-get install ${missing.join(' ')}).`,
    );
    process.exit(1);
  }
  console.log(`Installing ${missing.join(', ')} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env });
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
