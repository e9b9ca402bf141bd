import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * The entry file of a worker thread, next to the module that starts it, and its Node flags. Only TypeScript sources need a
 * loader.
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
