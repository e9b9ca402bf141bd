/**
 * Builds the packages of the engine and the command line in `dist/package`: `glyphlift`, and a package for each system with
 * the library of ONNX Runtime (docs/decisions/0029-a-lean-package-of-engine-and-command-line.md).
 */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { root } from './bootstrap.mjs';
import { licensesOf } from './package-licenses.mjs';

/** Files that are started by their path, which therefore stays the same. */
const ENTRIES = [
  'program/main',
  'library/engine',
  'ocr/child/main',
  'ocr/threads/recognizer-worker',
  'ocr/threads/decoder-worker',
];

/** Packages that load files from their own folder, and therefore are installed. All other code is bundled. */
const INSTALLED = [
  '@hyzyla/pdfium',
  '@neslinesli93/qpdf-wasm',
  'heic-decode',
  'lerc',
  'onnxruntime-common',
  'piscina',
  'sharp',
];

/** Packages of which only a few files are needed; these files are included in the tarball. */
const INCLUDED = {
  'tesseract.js-core': ['LICENSE', 'tesseract-core-simd-lstm.js', 'tesseract-core-simd-lstm.wasm'],
  '@tesseract.js-data/eng': ['README.md', '4.0.0_best_int'],
};

export const RUNTIME = 'onnxruntime-node';
/** Libraries of ONNX Runtime for GPUs, which are not needed. */
const GPU_LIBRARIES = /(DirectML|dxcompiler|dxil)\.dll$/;
/** A copy of a library under a second name, which the binding does not load. */
const DUPLICATE_LIBRARY = /libonnxruntime\.\d+\.\d+\.\d+\.dylib$/;

/** Systems for which ONNX Runtime has a library. */
export const SYSTEMS = [
  { os: 'linux', cpu: 'x64', libc: 'glibc' },
  { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { os: 'darwin', cpu: 'arm64' },
  { os: 'win32', cpu: 'x64' },
  { os: 'win32', cpu: 'arm64' },
];

/** @typedef {typeof SYSTEMS[number]} System */

/** The name that `src/ocr/networks/onnxruntime.ts` looks for. @param {System} system */
const runtimeName = ({ os, cpu }) => `@glyphlift/onnxruntime-${os}-${cpu}`;

const target = join(root, 'dist', 'package');
const compiled = join(root, 'dist', 'node');

/** @param {string} name @returns {Promise<Record<string, any>>} */
const manifestOf = async (name) =>
  JSON.parse(await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8'));

/** @param {string} folder @param {object} manifest */
const writeManifest = (folder, manifest) =>
  writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);

/**
 * Builds `glyphlift`. The server must be compiled.
 * @param {System | undefined} system includes the runtime of this system in the package; by default the package depends on the
 *   runtime packages of all systems
 * @returns {Promise<string>} its folder
 */
export async function buildPackage(system) {
  const folder = join(target, 'glyphlift');
  await rm(folder, { recursive: true, force: true });
  await bundle(folder);
  for (const file of ['library/engine.d.ts', 'ocr/types.d.ts', 'ocr/errors.d.ts']) await copy(file, folder);
  for (const name of Object.keys(await networks())) await copy(`ocr/networks/${name}`, folder);
  for (const name of [
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
    'THIRD-PARTY-NOTICES.md',
    'docs/command-line.md',
  ])
    await cp(join(root, name), join(folder, name), { recursive: true });
  for (const name of ['library.md', 'mcp.md']) await cp(join(root, 'docs', name), join(folder, 'docs', name));
  const included = await includePackages(folder);
  if (system) await buildRuntime(system, join(folder, 'node_modules', runtimeName(system)));
  await writeManifest(folder, await packageManifest(included, system));
  return folder;
}

/**
 * Builds the package with the runtime's library for one system.
 * @param {System} system
 * @param {string} [folder]
 * @returns {Promise<string>} its folder
 */
export async function buildRuntime(system, folder = join(target, runtimeName(system))) {
  const from = join(root, 'node_modules', RUNTIME);
  const { version, main, license, repository } = await manifestOf(RUNTIME);
  const libraries = join('bin', 'napi-v6', system.os, system.cpu);
  await rm(folder, { recursive: true, force: true });
  await cp(join(from, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (file) => !/\.(map|d\.ts)$/.test(file),
  });
  await cp(join(from, libraries), join(folder, libraries), {
    recursive: true,
    filter: (file) => !GPU_LIBRARIES.test(file) && !DUPLICATE_LIBRARY.test(file),
  });
  await writeFile(join(folder, 'LICENSE'), await licensesOf([RUNTIME]));
  await writeManifest(folder, {
    name: runtimeName(system),
    version,
    description: `ONNX Runtime ${version} for ${system.os} on ${system.cpu}: the files of onnxruntime-node for this system`,
    license,
    repository,
    main,
    ...restrictedTo(system),
    dependencies: { 'onnxruntime-common': version },
  });
  return folder;
}

/** @param {System} system */
const restrictedTo = ({ os, cpu, libc }) => ({ os: [os], cpu: [cpu], ...(libc && { libc: [libc] }) });

/** @param {Record<string, string>} included @param {System | undefined} system */
async function packageManifest(included, system) {
  const { name, version, description, license, type, engines, bin, exports } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  );
  const { version: runtime } = await manifestOf(RUNTIME);
  const { dependencies, optionalDependencies } = await lockedVersions();
  const contained = system ? { [runtimeName(system)]: runtime } : {};
  const named = system ? {} : Object.fromEntries(SYSTEMS.map((one) => [runtimeName(one), runtime]));
  return {
    ...{ name, version, description, license, type, engines, bin, exports },
    ...(system && restrictedTo(system)),
    dependencies: { ...dependencies, ...included, ...contained },
    optionalDependencies: { ...optionalDependencies, ...named },
    bundleDependencies: Object.keys({ ...included, ...contained }),
  };
}

/**
 * The installed packages and their dependencies in the versions of the lock file. Optional ones are included if their parent
 * would accept later versions.
 */
async function lockedVersions() {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  /** @type {Record<string, string>} */
  const dependencies = {};
  /** @type {Record<string, string>} */
  const optionalDependencies = {};
  const visit = (/** @type {string} */ name, /** @type {string} */ parent) => {
    const nested = `${parent}/node_modules/${name}`;
    const path = packages[nested] ? nested : `node_modules/${name}`;
    const { version, dependencies: needed = {}, optionalDependencies: optional = {} } = packages[path];
    dependencies[name] = version;
    for (const each of Object.keys(needed)) visit(each, path);
    for (const [each, range] of Object.entries(optional))
      if (/^[\^~]/.test(range)) optionalDependencies[each] = packages[`node_modules/${each}`].version;
  };
  for (const name of INSTALLED) visit(name, '');
  return { dependencies, optionalDependencies };
}

/** @param {string} folder of the package @returns {Promise<Record<string, string>>} their versions */
async function includePackages(folder) {
  /** @type {Record<string, string>} */
  const included = {};
  for (const [name, files] of Object.entries(INCLUDED)) {
    const { version, description, license, repository, author, main } = await manifestOf(name);
    const into = join(folder, 'node_modules', name);
    for (const file of files)
      await cp(join(root, 'node_modules', name, file), join(into, file), { recursive: true });
    await writeManifest(into, { name, version, description, license, repository, author, main });
    included[name] = version;
  }
  return included;
}

/** The networks by their files' names. */
const networks = async () =>
  JSON.parse(await readFile(join(compiled, 'ocr', 'networks', 'ready-networks.json'), 'utf8'));

/** @param {string} file below the compiled sources @param {string} folder of the package */
async function copy(file, folder) {
  const to = join(folder, 'dist', 'node', file);
  await mkdir(dirname(to), { recursive: true });
  await cp(join(compiled, file), to);
}

/**
 * Bundles the program, the library, their shared code and the packages that are not installed, and writes the licenses of these
 * packages.
 * @param {string} folder of the package
 */
async function bundle(folder) {
  // Imported here, because Vite may have been installed only now.
  const { build } = await import('vite');
  const isInstalled = (/** @type {string} */ id) =>
    INSTALLED.some((name) => id === name || id.startsWith(`${name}/`));
  /** @type {Set<string>} */
  const bundled = new Set();
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [keepModulePaths(), collectBundledPackages(bundled)],
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      target: 'es2023',
      outDir: join(folder, 'dist', 'node'),
      emptyOutDir: true,
      copyPublicDir: false,
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(compiled, `${entry}.js`)])),
        external: isInstalled,
        // The sandboxed recognition process has access only to the engine's folder, so shared chunks are put there.
        output: { entryFileNames: '[name].js', chunkFileNames: 'ocr/parts/[name]-[hash].js' },
      },
    },
  });
  await writeFile(join(folder, 'LICENSES-OF-BUNDLED-CODE.md'), await licensesOf([...bundled].sort()));
}

/** Keeps `import.meta.url` of each module, from which it finds other files. @returns {import('vite').Plugin} */
function keepModulePaths() {
  return {
    name: 'places-of-modules',
    transform(code, id) {
      if (!id.startsWith(compiled) || !code.includes('import.meta.url')) return undefined;
      const place = JSON.stringify(relative(compiled, id).replaceAll('\\', '/'));
      return { code: code.replaceAll('import.meta.url', `placeOfModule(${place})`), map: null };
    },
    renderChunk(code, { fileName }) {
      const up = '../'.repeat(fileName.split('/').length - 1) || './';
      const placed = code.replaceAll(
        /placeOfModule\("([^"]+)"\)/g,
        (_, place) => `new URL("${up}${place}", import.meta.url).href`,
      );
      return { code: placed, map: null };
    },
  };
}

/**
 * Collects the packages whose code is bundled.
 * @param {Set<string>} places paths in `node_modules`, because a package may be installed in several versions
 * @returns {import('vite').Plugin}
 */
function collectBundledPackages(places) {
  return {
    name: 'places-of-packages',
    generateBundle(_, files) {
      for (const file of Object.values(files)) {
        if (file.type !== 'chunk') continue;
        for (const id of file.moduleIds) {
          const file = relative(root, id).replaceAll('\\', '/');
          const [, place] = /^node_modules\/((?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
          if (place) places.add(place);
        }
      }
    },
  };
}
