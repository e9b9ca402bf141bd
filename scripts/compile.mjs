/**
 * Server and engine from TypeScript to what Node runs, a file each. Types are only taken out: whether they are right is
 * for `tsc -b` in the gate to say, and a start on a bare machine need not wait for it.
 */
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { transformWithOxc } from 'vite';

const ROOMS = ['contract', 'formats', 'library', 'ocr', 'program', 'server'];

/** What other people's programs import, and what its types are made of: these are described for their compilers too. */
const DESCRIBED = ['library/engine.ts', 'ocr/types.ts', 'ocr/errors.ts'];

/**
 * @param {string} sources folder of the rooms
 * @param {string} target folder that gets the same folders with `.js` files and their source maps
 */
export async function compileServer(sources, target) {
  for (const room of ROOMS) {
    const entries = await readdir(join(sources, room), { withFileTypes: true, recursive: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    await Promise.all(
      files.map((file) =>
        compile(file, join(target, relative(sources, file)), DESCRIBED.includes(relative(sources, file))),
      ),
    );
  }
}

/**
 * @param {string} file
 * @param {string} target path of the same file in the other tree
 * @param {boolean} described
 */
async function compile(file, target, described) {
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
      ...(described && { declaration: {} }),
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
    writeFile(compiled, `${code}\n//# sourceMappingURL=${basename(compiled)}.map\n`),
    writeFile(`${compiled}.map`, JSON.stringify(sourceMap)),
  ]);
}
