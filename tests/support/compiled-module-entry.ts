import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const compiled = join(root, '.cache', 'compiled');

/** As the engine's own, for the compiled twin of the module that asks. */
export function moduleEntry(name: string, importer: string) {
  const source = fileURLToPath(new URL(`./${name}.js`, importer));
  return { filename: join(compiled, relative(join(root, 'src'), source)), execArgv: [], env: {} };
}

export function filesOfTheEngine(): string[] {
  return [join(compiled, 'ocr'), join(root, 'package.json'), join(root, 'node_modules')];
}
