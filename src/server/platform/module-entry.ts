import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Where the entry of a thread lies, named from the module that starts it, and with which flags Node runs it. From TypeScript
 * sources that needs a loader; compiled code runs as it is.
 */
export function moduleEntry(name: string, importer: string): { filename: string; execArgv: string[] } {
  const fromSource = importer.endsWith('.ts');
  const filename = fileURLToPath(new URL(`./${name}.${fromSource ? 'ts' : 'js'}`, importer));
  if (!fromSource) return { filename, execArgv: [] };
  return {
    filename,
    execArgv: ['--import', createRequire(importer).resolve('tsx'), '--conditions=source'],
  };
}
