/**
 * Completes `package-lock.json` after a package was added from a registry that does not hold every platform's binaries.
 *
 * Tools such as esbuild or sharp name one optional package a platform. npm records only those it can see, and `npm ci`
 * then refuses a lock in which the others are missing. Their names and versions stand in the packages that want them,
 * so they are written down from there. Those of the product get the checksum that the registry has for them, so that no other
 * registry can choose what runs on a machine of that platform.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bootstrap.mjs';

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'x64',
  'wasm32',
];
/** What names say, where they say it in other words than npm. */
const SYNONYMS = {
  armv6: 'arm',
  armv7: 'arm',
  linuxmusl: 'linux',
  wasi: 'wasm32',
  webcontainers: 'wasm32',
  wasm: 'wasm32',
};

const file = join(root, 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
let added = 0;

for (const [path, parent] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const nested = path ? `${path}/node_modules/${name}` : undefined;
    const place = `node_modules/${name}`;
    if (lock.packages[place] || (nested && lock.packages[nested])) continue;
    const platform = platformOf(name);
    if (!platform) continue;
    lock.packages[place] = {
      version: String(version),
      ...platform,
      ...(parent.dev && { dev: true }),
      optional: true,
    };
    added += 1;
  }
}

for (const [path, entry] of Object.entries(lock.packages)) {
  if (!path.includes('node_modules/') || entry.dev || entry.link || entry.integrity) continue;
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const asked = ['view', `${name}@${entry.version}`, 'dist.integrity'];
  const integrity = execFileSync('npm', asked, { encoding: 'utf8' }).trim();
  if (!integrity) throw new Error(`the registry has no checksum for ${name}@${entry.version}`);
  entry.integrity = integrity;
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} packages of other platforms were written into the lock.`);

/**
 * @param {string} name such as `@scope/tool-linux-arm64-musl`
 * @returns {{ os?: string[], cpu?: string[], libc?: string[] } | undefined} undefined when the name tells no platform
 */
function platformOf(name) {
  const words = name
    .split(/[/@-]/)
    .map((word) => SYNONYMS[/** @type {keyof typeof SYNONYMS} */ (word)] ?? word);
  const os = SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  if (os.length + cpu.length === 0) return undefined;
  const libc = /musl/.test(name) ? ['musl'] : /-gnu/.test(name) ? ['glibc'] : [];
  return { ...(os.length && { os }), ...(cpu.length && { cpu }), ...(libc.length && { libc }) };
}
