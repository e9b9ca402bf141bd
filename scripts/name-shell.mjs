import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Modules that the tool needs offline, to open and to show, edit and copy stored results. */
const OFFLINE_MODULES = [
  'src/web/entry-client.tsx',
  'src/web/pages/home/home-page.tsx',
  'src/web/offline/registration.ts',
  'src/web/offline/on-device-usage.ts',
];
/** Folders whose lazily loaded modules are needed, too. */
const OFFLINE_FOLDERS = /^src\/web\/(history|shell|ui\/toast|workspace)\/[^/]+\.tsx?$/;

/** @param {string} file */
const isFont = (file) => /-latin-(?!ext).*normal.*\.woff2$/.test(file);

/**
 * Writes the list of cached files into the built service worker, and a cache name that changes with any of them.
 * @param {string} client folder of the built web client
 */
export async function nameShell(client) {
  const manifest = JSON.parse(await readFile(join(client, '.vite', 'manifest.json'), 'utf8'));
  const files = new Set();
  /** @param {string} key */
  const visit = (key) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`${key} is not a module of the build`);
    if (files.has(`/${chunk.file}`)) return;
    files.add(`/${chunk.file}`);
    for (const asset of chunk.assets ?? []) if (isFont(asset)) files.add(`/${asset}`);
    for (const other of chunk.imports ?? []) visit(other);
  };
  for (const key of OFFLINE_MODULES) visit(key);
  for (const key of Object.keys(manifest)) if (OFFLINE_FOLDERS.test(key)) visit(key);
  const worker = join(client, 'sw.js');
  const source = await readFile(worker, 'utf8');
  const shell = { files: [...files].sort(), entry: `/${manifest['src/web/entry-client.tsx'].file}` };
  const version = createHash('sha256')
    .update(source)
    .update(JSON.stringify(shell))
    .digest('hex')
    .slice(0, 16);
  if (!source.includes('__SHELL__')) throw new Error('The worker does not ask which files it keeps');
  await writeFile(
    worker,
    source.replaceAll('__SHELL__', () => JSON.stringify({ ...shell, version })),
  );
}
