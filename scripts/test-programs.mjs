/** Finds and installs programs that the tests need and npm does not provide. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
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

/** Debian installs PostgreSQL's server programs outside PATH, in one folder per version. */
function postgresFolders() {
  const versions = '/usr/lib/postgresql';
  if (!existsSync(versions)) return [];
  return readdirSync(versions)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(versions, version, 'bin'));
}

/** Debian installs WebKitGTK's MiniBrowser outside PATH, in one folder per architecture and version. */
function miniBrowserFolders() {
  const libraries = '/usr/lib';
  if (!existsSync(libraries)) return [];
  return readdirSync(libraries)
    .filter((folder) => folder.endsWith('-linux-gnu'))
    .map((folder) => join(libraries, folder, 'webkit2gtk-4.1'));
}

const GERMAN = '/usr/share/tesseract-ocr/5/tessdata/deu.traineddata';

/** @param {string} path */
const findFile = (path) => (existsSync(path) ? path : undefined);

function findVenv() {
  const python = findProgram(['python3']);
  if (!python) return undefined;
  return spawnSync(python, ['-c', 'import ensurepip, venv']).status === 0 ? python : undefined;
}

/**
 * @typedef {object} Program
 * @property {string} debian name of its Debian package
 * @property {() => string | undefined} find
 * @property {'wide'} [only] set if only `npm run test:wide` needs it
 */

/** @type {Record<'chromium' | 'headless' | 'postgres' | 'pgbouncer' | 'redis' | 'strace' | 'bubblewrap' | 'curl' | 'python' | 'venv' | 'tesseract' | 'german' | 'firefox' | 'webkit' | 'xvfb', Program>} */
const PROGRAMS = {
  chromium: {
    debian: 'chromium',
    find: () => findProgram(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']),
  },
  // Chromium without windows, which needs a third less CPU time for the same pages.
  headless: {
    debian: 'chromium-headless-shell',
    find: () => findProgram(['chromium-headless-shell', 'chrome-headless-shell']),
  },
  postgres: { debian: 'postgresql', find: () => findProgram(['initdb'], postgresFolders()) },
  pgbouncer: { debian: 'pgbouncer', find: () => findProgram(['pgbouncer'], ['/usr/sbin']) },
  redis: { debian: 'redis-server', find: () => findProgram(['redis-server', 'valkey-server']) },
  strace: { debian: 'strace', find: () => findProgram(['strace']) },
  bubblewrap: { debian: 'bubblewrap', find: () => findProgram(['bwrap']) },
  // Runs the examples of the developer page.
  curl: { debian: 'curl', find: () => findProgram(['curl']) },
  python: { debian: 'python3', find: () => findProgram(['python3']) },
  // For installing client generators for Python; a separate package in Debian.
  venv: { debian: 'python3-venv', only: 'wide', find: findVenv },
  // OCRmyPDF does not start without tesseract, even if it uses another engine.
  tesseract: { debian: 'tesseract-ocr', only: 'wide', find: () => findProgram(['tesseract']) },
  // For the test that on-device recognition gives the same text as the server.
  german: { debian: 'tesseract-ocr-deu', only: 'wide', find: () => findFile(GERMAN) },
  firefox: { debian: 'firefox-esr', only: 'wide', find: () => findProgram(['firefox-esr', 'firefox']) },
  // The package depends on the package with MiniBrowser.
  webkit: { debian: 'webkit2gtk-driver', only: 'wide', find: () => findProgram(['WebKitWebDriver']) },
  xvfb: { debian: 'xvfb', only: 'wide', find: () => findProgram(['Xvfb']) },
};

/** Path of Chromium with windows; tests use `headlessChromiumPath`. */
export const chromiumPath = () => found('chromium');

/** Path of the headless Chromium of the tests. */
export const headlessChromiumPath = () => found('headless');

export const initdbPath = () => found('postgres');

/** `headlessChromiumPath`, or undefined if it is not installed: suites without a browser read the configuration too. */
export const findHeadlessChromium = () => PROGRAMS.headless.find();

/** Flags that keep Chromium off the network, and disable its sandbox as root, because it would not start. */
export const chromiumFlags = () => [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** Path of PgBouncer, a connection pooler. */
export const pgbouncerPath = () => found('pgbouncer');

/** Folder of the languages of Debian's packages, which has German. */
export const languagesPath = () => dirname(found('german'));

export const redisPath = () => found('redis');

export const stracePath = () => found('strace');

export const pythonPath = () => found('python');

export const firefoxPath = () => found('firefox');

export const webkitDriverPath = () => found('webkit');

/** Path of WebKitGTK's MiniBrowser. */
export function miniBrowserPath() {
  const path = findProgram(['MiniBrowser'], miniBrowserFolders());
  if (!path) throw new Error(`MiniBrowser is not in ${miniBrowserFolders().join(' or ')}`);
  return path;
}

export const xvfbPath = () => found('xvfb');

/** @param {keyof typeof PROGRAMS} name */
function found(name) {
  const path = PROGRAMS[name].find();
  if (!path) throw new Error(`${name} is not installed (Debian: apt-get install ${PROGRAMS[name].debian})`);
  return path;
}

/**
 * Installs missing programs as root on Debian; otherwise exits with one line.
 * @param {'default' | 'wide'} [suite] only `npm run test:wide` needs all programs
 */
export async function ensurePrograms(suite = 'default') {
  const missing = Object.values(PROGRAMS)
    .filter((program) => (suite === 'wide' || program.only !== 'wide') && !program.find())
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
