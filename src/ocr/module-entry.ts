import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readyFolder } from './networks/ready-networks.ts';

interface ModuleEntry {
  filename: string;
  execArgv: string[];
  /** For a process; its threads inherit it. */
  env: Record<string, string>;
}

/**
 * Where a process or thread entry lies, named from the module that starts it, and with which flags Node runs it.
 * From TypeScript sources that needs a loader; compiled code runs as it is.
 */
export function moduleEntry(name: string, importer: string): ModuleEntry {
  const fromSource = importer.endsWith('.ts');
  const filename = fileURLToPath(new URL(`./${name}.${fromSource ? 'ts' : 'js'}`, importer));
  if (!fromSource) return { filename, execArgv: [], env: {} };
  const loader = createRequire(importer).resolve('tsx');
  // A confined process has no folder to keep what the loader compiled.
  return { filename, execArgv: ['--import', loader, '--conditions=source'], env: { TSX_DISABLE_CACHE: '1' } };
}

/** All that the engine's code is made of, as absolute paths: its own modules, its packages and what says how to load them. */
export function filesOfTheEngine(): string[] {
  const engine = fileURLToPath(new URL('.', import.meta.url));
  let root = path.dirname(engine);
  while (!existsSync(path.join(root, 'package.json')) && path.dirname(root) !== root)
    root = path.dirname(root);
  const beside = ['package.json', 'node_modules', 'tsconfig.json'].map((name) => path.join(root, name));
  return [path.resolve(engine), readyFolder(), ...beside, ...installedAmong(root)];
}

/** Where the package is one of somebody else's packages, those that it needs lie beside it, however their tool arranges them. */
function installedAmong(root: string): string[] {
  const parts = root.split(path.sep);
  const first = parts.indexOf('node_modules');
  return first < 0 ? [] : [parts.slice(0, first + 1).join(path.sep)];
}
