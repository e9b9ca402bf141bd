/**
 * Deletes unused files of installed packages, which are half of what npm installs. Plain JavaScript with Node's built-in
 * modules, because other packages may not be installed yet.
 */
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** On Linux: whether this Node, and so every native package, uses the GNU C library. */
const IS_GLIBC =
  'glibcVersionRuntime' in /** @type {{ header: object }} */ (process.report.getReport()).header;

/** ONNX Runtime has libraries for every system, in `bin/VERSION/SYSTEM/ARCHITECTURE`. */
const OF_THIS_SYSTEM = `/${process.platform}/${process.arch}/`;

/**
 * Tests for unused files by their path in the package. New files of a new version stay until they are added here.
 * @type {Record<string, (file: string) => boolean>}
 */
const UNUSED = {
  'onnxruntime-node': (file) => file.startsWith('bin/') && !file.includes(OF_THIS_SYSTEM),
  // WebGPU, WebGL and debug builds: the page loads a single WebAssembly file by its URL.
  'onnxruntime-web': (file) =>
    file.startsWith('dist/') &&
    !/^dist\/(ort\.wasm\.min\.m?js|ort-wasm-simd-threaded\.(mjs|wasm))$/.test(file),
  // The engine uses SIMD, and tesseract.js in the benchmark uses relaxed SIMD.
  'tesseract.js-core': (file) =>
    /^tesseract-core/.test(file) && !/^tesseract-core-(relaxed)?simd-lstm\.(js|wasm)$/.test(file),
  '@tesseract.js-data/eng': (file) => file.startsWith('4.0.0/'),
  // These packages also have ES modules.
  satori: (file) => /\.map$|\.cjs$|^dist\/(experimental|standalone)\./.test(file),
  docx: (file) => /\.(cjs|iife\.js|d\.cts)$/.test(file) || /^dist\/(layout|html|shapes)\.mjs$/.test(file),
  '@hyzyla/pdfium': (file) => file.includes('base64'),
  'libheif-js': (file) => /^libheif\/|^libheif-wasm\/libheif(-bundle\.mjs|\.js|\.wasm)$/.test(file),
  '@libsql/linux-x64-musl': () => IS_GLIBC,
  '@libsql/linux-arm64-musl': () => IS_GLIBC,
};

/**
 * npm still treats these packages as installed, because it compares only versions; it restores all files of a package whose
 * folder is missing.
 * @param {string} folder with `node_modules`
 */
export async function deleteUnusedFiles(folder) {
  for (const [name, isUnused] of Object.entries(UNUSED))
    await deleteFiles(join(folder, 'node_modules', name), isUnused);
}

/**
 * @param {string} place folder of a package, which may be missing, because some are only for one system
 * @param {(file: string) => boolean} isUnused
 */
async function deleteFiles(place, isUnused) {
  const entries = await readdir(place, { withFileTypes: true, recursive: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const file = relative(place, path).replaceAll('\\', '/');
    if (entry.isFile() && file !== 'package.json' && isUnused(file)) await rm(path);
  }
  // Deletes inner folders first; a folder that still has files stays.
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const folder of folders.sort().reverse())
    if ((await readdir(folder)).length === 0) await rmdir(folder);
}
