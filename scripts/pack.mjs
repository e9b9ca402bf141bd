/**
 * `npm run pack [-- OPTIONS OF npm pack]`: packs the engine and the command line as a tarball for this system. With
 * `--registry`, packs the tarballs for publication instead: `glyphlift` for all systems, and ONNX Runtime for each system.
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
