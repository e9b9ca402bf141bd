/**
 * Compiles server and engine to JavaScript, file by file. Types are only removed, not checked, so that a start on a new machine
 * is fast; `npm test` checks them with `tsc -b`.
 */
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { transformWithOxc } from 'vite';

/** The engine's browser adapter, which the build of the page bundles. */
const PAGE_ONLY = /(^|\/)browser\/[^/]+$/;

/** The public entry point and the files with its types, for which declaration files are written too. */
const DECLARED = ['library/engine.ts', 'ocr/types.ts', 'ocr/errors.ts'];

/**
 * @param {string} sources folder `src`
 * @param {string} target folder for `.js` files and source maps, with the same subfolders
 */
export async function compileServer(sources, target) {
  const described = DECLARED.map((file) => join(sources, file));
  for (const folder of await nodeFolders(sources)) {
    await compileFolder(join(sources, folder), join(target, folder), { described });
  }
}

/**
 * The folders of `src` that run in Node: all except the web client.
 * @param {string} sources
 */
export async function nodeFolders(sources) {
  const folders = await readdir(sources, { withFileTypes: true });
  return folders.filter((one) => one.isDirectory() && one.name !== 'web').map(({ name }) => name);
}

/**
 * @param {string} sources
 * @param {string} target folder for `.js` files and source maps
 * @param {{ described?: readonly string[], aliases?: string }} [options] described: files that get a `.d.ts` as well;
 *   aliases: compiled folder to which `#contract/…` and the other aliases are resolved, instead of those of package.json
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
 * @param {string} target path of the file in the target folder
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
      `${aliases ? resolveAliases(code, aliases, dirname(compiled)) : code}\n//# sourceMappingURL=${basename(compiled)}.map\n`,
    ),
    writeFile(`${compiled}.map`, JSON.stringify(sourceMap)),
  ]);
}

/**
 * @param {string} code
 * @param {string} aliasedFolder
 * @param {string} folder of the compiled file
 */
function resolveAliases(code, aliasedFolder, folder) {
  return code.replaceAll(
    /(\bfrom\s*|\bimport\s*\(?\s*)(["'])#(ocr|[a-z]+\/[^"']+)\2/g,
    (_, before, quote, name) => {
      const file = join(aliasedFolder, name === 'ocr' ? 'ocr/index.js' : `${name}.js`);
      return `${before}${quote}./${relative(folder, file)}${quote}`;
    },
  );
}
