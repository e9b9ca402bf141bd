import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, twinOf } from './compiled-twin.ts';

/** As the engine's own, for the compiled twin of the module that asks. */
export function moduleEntry(name: string, importer: string) {
  return { filename: twinOf(fileURLToPath(new URL(`./${name}.ts`, importer))), execArgv: [], env: {} };
}

export function filesOfTheEngine(): string[] {
  return [twinOf('src/ocr'), join(root, 'package.json'), join(root, 'node_modules')];
}
