import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledFileOf, root } from './compiled-file.ts';

/** Replaces `moduleEntry` of the engine and the server: returns the compiled file. */
export function moduleEntry(name: string, importer: string) {
  return {
    filename: compiledFileOf(fileURLToPath(new URL(`./${name}.ts`, importer))),
    execArgv: [],
    env: {},
  };
}

export function engineFiles(): string[] {
  return [compiledFileOf('src/ocr'), join(root, 'package.json'), join(root, 'node_modules')];
}
