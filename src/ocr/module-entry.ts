import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readyFolder } from './networks/ready-networks.ts';

export interface ModuleEntry {
  filename: string;
  execArgv: string[];
  /** For a process; its threads inherit it. */
  env: Record<string, string>;
}

/**
 * The file of a process or thread entry, named from the module that starts it, and its Node flags.
 * TypeScript sources need a loader; compiled code runs as it is.
 */
export function moduleEntry(name: string, importer: string): ModuleEntry {
  const fromSource = importer.endsWith('.ts');
  const filename = fileURLToPath(new URL(`./${name}.${fromSource ? 'ts' : 'js'}`, importer));
  if (!fromSource) return { filename, execArgv: [], env: {} };
  const loader = createRequire(importer).resolve('tsx');
  // A sandboxed process has no folder for the loader's cache.
  return { filename, execArgv: ['--import', loader, '--conditions=source'], env: { TSX_DISABLE_CACHE: '1' } };
}

/** All files of the engine's code, as absolute paths: its own modules, its packages and their manifests. */
export function engineFiles(): string[] {
  const engine = fileURLToPath(new URL('.', import.meta.url));
  let root = path.dirname(engine);
  while (!existsSync(path.join(root, 'package.json')) && path.dirname(root) !== root)
    root = path.dirname(root);
  const beside = ['package.json', 'node_modules', 'tsconfig.json'].map((name) => path.join(root, name));
  return [path.resolve(engine), readyFolder(), ...beside, ...installedAmong(root)];
}

/**
 * Where the package is a dependency of another project, its own dependencies lie beside it, in the layout of the package
 * manager.
 */
function installedAmong(root: string): string[] {
  const parts = root.split(path.sep);
  const first = parts.indexOf('node_modules');
  return first < 0 ? [] : [parts.slice(0, first + 1).join(path.sep)];
}
