/**
 * `npm run pack [-- OPTIONS OF npm pack]`: the tarball of the engine and the command line for this system. With `--registry`
 * instead those to be published: `glyphlift` for all systems, and the network runtime for each.
 */
import { ensureBuilt, ensureInstalled, requireNode, root, run } from './bootstrap.mjs';
import { buildPackage, buildRuntime, RUNTIME, SYSTEMS } from './package.mjs';
import { installWhole } from './packages.mjs';
import { deleteUnusedFiles } from './unused-files.mjs';

requireNode();
await ensureInstalled();
await ensureBuilt(['server']);
const options = process.argv.slice(2).filter((option) => option !== '--registry');
if (options.length < process.argv.length - 2) {
  // Only this system's libraries are installed.
  await installWhole(root, RUNTIME);
  await run('npm', ['pack', await buildPackage(undefined), ...options]);
  for (const system of SYSTEMS) await run('npm', ['pack', await buildRuntime(system), ...options]);
  await deleteUnusedFiles(root);
} else {
  const system = SYSTEMS.find(({ os, cpu }) => os === process.platform && cpu === process.arch);
  if (!system)
    throw new Error(`the network runtime has no library for ${process.platform} on ${process.arch}`);
  await run('npm', ['pack', await buildPackage(system), ...options]);
}
