import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Where a process or thread entry beside a module lies, and with which flags Node runs it.
 * From TypeScript sources that needs a loader; compiled code runs as it is.
 */
export function moduleEntry(name: string, importer: string): { filename: string; execArgv: string[] } {
  const fromSource = importer.endsWith('.ts');
  const filename = fileURLToPath(new URL(`./${name}.${fromSource ? 'ts' : 'js'}`, importer));
  if (!fromSource) return { filename, execArgv: [] };
  const loader = createRequire(importer).resolve('tsx');
  return { filename, execArgv: ['--import', loader, '--conditions=source'] };
}
