import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the tool needs to open, and to show, change and copy what is kept in the browser. */
const WITHOUT_NETWORK = [
  'src/web/entry-client.tsx',
  'src/web/pages/home/home-page.tsx',
  'src/web/shell/offline-notice.tsx',
  'src/web/features/recognition/recent-results.tsx',
  'src/web/features/recognition/plain-result.tsx',
  'src/web/features/recognition/result-workspace.tsx',
  'src/web/ui/toast.tsx',
];

/** @param {string} file */
const isFont = (file) => /-latin-(?!ext).*normal.*\.woff2$/.test(file);

/**
 * Writes into the built worker which files it keeps, and a name that changes with any of them.
 * @param {string} client the folder of the files that the browser loads
 */
export async function nameShell(client) {
  const manifest = JSON.parse(await readFile(join(client, '.vite', 'manifest.json'), 'utf8'));
  const files = new Set();
  /** @param {string} key */
  const visit = (key) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The build has no ${key}, which the tool needs without a network`);
    if (files.has(`/${chunk.file}`)) return;
    files.add(`/${chunk.file}`);
    for (const asset of chunk.assets ?? []) if (isFont(asset)) files.add(`/${asset}`);
    for (const other of chunk.imports ?? []) visit(other);
  };
  for (const key of WITHOUT_NETWORK) visit(key);
  const worker = join(client, 'sw.js');
  const source = await readFile(worker, 'utf8');
  const shell = { files: [...files].sort(), entry: `/${manifest['src/web/entry-client.tsx'].file}` };
  const version = createHash('sha256')
    .update(source)
    .update(JSON.stringify(shell))
    .digest('hex')
    .slice(0, 16);
  if (!source.includes('__SHELL__')) throw new Error('The worker does not ask which files it keeps');
  await writeFile(
    worker,
    source.replaceAll('__SHELL__', () => JSON.stringify({ ...shell, version })),
  );
}
