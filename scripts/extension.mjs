/**
 * `npm run extension [-- FOLDER]`: builds the browser extension for Chromium and for Firefox, unpacked and as a zip file, in
 * `extension/dist` or another folder. The code is not minified, so that stores and users can review it.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { zipSync } from 'fflate';
import { build } from 'vite';
import { ensureInstalled, requireNode, root } from './bootstrap.mjs';

const SCRIPTS = ['background', 'panel', 'options'];
const PAGES = ['panel.html', 'options.html', 'style.css'];
const ICONS = ['icon-32.png', 'icon-192.png', 'icon-512.png'];
/** The minimum time of the zip format, so that the same sources give the same file. */
const MTIME = new Date(1980, 0, 1);

/** Manifest entries of each browser family besides the common ones. */
const BROWSERS = {
  chromium: { minimum_chrome_version: '122', background: { service_worker: 'background.js' } },
  firefox: {
    background: { scripts: ['background.js'] },
    browser_specific_settings: {
      gecko: {
        id: 'glyphlift@glyphlift.example',
        strict_min_version: '140.0',
        // Pictures are sent to the server that the user configures.
        data_collection_permissions: { required: ['websiteContent'] },
      },
    },
  },
};

requireNode();
await ensureInstalled();
const [folder = join(root, 'extension/dist')] = process.argv.slice(2);
const source = join(root, 'extension');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const manifest = JSON.parse(await readFile(join(source, 'manifest.json'), 'utf8'));

/** @type {Record<string, Uint8Array>} */
const files = {};
for (const name of SCRIPTS) files[`${name}.js`] = await bundle(name);
for (const name of PAGES) files[name] = await readFile(join(source, name));
for (const name of ICONS) files[name] = await readFile(join(root, 'public', name));

for (const [browser, own] of Object.entries(BROWSERS)) {
  const text = `${JSON.stringify({ ...manifest, version, ...own }, null, 2)}\n`;
  const all = { ...files, 'manifest.json': new TextEncoder().encode(text) };
  const unpacked = join(folder, browser);
  await rm(unpacked, { recursive: true, force: true });
  await mkdir(unpacked, { recursive: true });
  for (const [name, bytes] of Object.entries(all)) await writeFile(join(unpacked, name), bytes);
  const packed = join(folder, `glyphlift-${browser}-${version}.zip`);
  await writeFile(packed, zipSync(all, { level: 9, mtime: MTIME }));
  console.info(`${relative(process.cwd(), packed)}: ${(await readdir(unpacked)).length} files`);
}

/** @param {string} name of a script in `extension/src` */
async function bundle(name) {
  const result = await build({
    configFile: false,
    root: source,
    logLevel: 'warn',
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry: join(source, 'src', `${name}.ts`), formats: ['iife'], name: 'glyphlift' },
    },
  });
  const [output] = [result].flat();
  if (!output || !('output' in output)) throw new Error(`${name} was not bundled`);
  return new TextEncoder().encode(output.output[0].code);
}
