/**
 * Server and engine from TypeScript to what Node runs, a file each. Types are only taken out: whether they are right is
 * for `tsc -b` in the gate to say, and a start on a bare machine need not wait for it.
 */
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { transformWithOxc } from 'vite';

/** The engine's adapter for browsers, which the page's build bundles. */
const PAGE_ONLY = /(^|\/)browser\/[^/]+$/;

/** The public entry and the files of its types: these get declaration files too. */
const DESCRIBED = ['library/engine.ts', 'ocr/types.ts', 'ocr/errors.ts'];

/**
 * @param {string} sources folder `src`
 * @param {string} target folder that gets the same folders with `.js` files and their source maps
 */
export async function compileServer(sources, target) {
  const described = DESCRIBED.map((file) => join(sources, file));
  for (const folder of await nodeFolders(sources)) {
    await compileFolder(join(sources, folder), join(target, folder), { described });
  }
}

/**
 * The folders of `src` that run in Node: all but the page.
 * @param {string} sources
 */
export async function nodeFolders(sources) {
  const folders = await readdir(sources, { withFileTypes: true });
  return folders.filter((one) => one.isDirectory() && one.name !== 'web').map(({ name }) => name);
}

/**
 * @param {string} sources
 * @param {string} target folder that gets the same with `.js` files and their source maps
 * @param {{ described?: readonly string[], aliases?: string }} [options] described: files that get a `.d.ts` as well;
 *   aliases: compiled folder that `#contract/…` and the other aliases shall mean, instead of what package.json says
 */
export async function compileFolder(sources, target, options = {}) {
  const entries = await readdir(sources, { withFileTypes: true, recursive: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !PAGE_ONLY.test(relative(sources, file)));
  await Promise.all(files.map((file) => compile(file, join(target, relative(sources, file)), options)));
}

/**
 * @param {string} file
 * @param {string} target path of the same file in the other tree
 * @param {{ described?: readonly string[], aliases?: string }} options as above
 */
async function compile(file, target, { described = [], aliases }) {
  if (/\.json$/.test(file)) {
    await mkdir(dirname(target), { recursive: true });
    await copyFile(file, target);
  }
  if (!/\.ts$/.test(file) || /\.(test|suite)\.ts$/.test(file)) return;
  const { code, map, declaration } = await transformWithOxc(await readFile(file, 'utf8'), file, {
    target: 'es2023',
    sourcemap: true,
    tsconfig: false,
    typescript: {
      onlyRemoveTypeImports: true,
      rewriteImportExtensions: 'rewrite',
      ...(described.includes(file) && { declaration: {} }),
    },
  });
  const compiled = target.replace(/\.ts$/, '.js');
  await mkdir(dirname(compiled), { recursive: true });
  const sourceMap = { ...map, sources: [relative(dirname(compiled), file)], sourcesContent: undefined };
  if (declaration) {
    await writeFile(
      target.replace(/\.ts$/, '.d.ts'),
      declaration.replaceAll(/(from ['"]\..*?)\.ts(['"])/g, '$1.js$2'),
    );
  }
  await Promise.all([
    writeFile(
      compiled,
      `${aliases ? unaliased(code, aliases, dirname(compiled)) : code}\n//# sourceMappingURL=${basename(compiled)}.map\n`,
    ),
    writeFile(`${compiled}.map`, JSON.stringify(sourceMap)),
  ]);
}

/**
 * @param {string} code
 * @param {string} rooms
 * @param {string} folder where the code will lie
 */
function unaliased(code, rooms, folder) {
  return code.replaceAll(
    /(\bfrom\s*|\bimport\s*\(?\s*)(["'])#(ocr|[a-z]+\/[^"']+)\2/g,
    (_, before, quote, name) => {
      const file = join(rooms, name === 'ocr' ? 'ocr/index.js' : `${name}.js`);
      return `${before}${quote}./${relative(folder, file)}${quote}`;
    },
  );
}
