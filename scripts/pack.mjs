/**
 * `npm run pack [-- OPTIONS OF npm pack]`: the tarball for other projects, with the packages in it that need this project's
 * overrides to run on Node 20.19: overrides do not reach other projects, but what is bundled stays as it is here.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, requireNode, root, run } from './bootstrap.mjs';
import { neededBy } from './packages.mjs';

const BUNDLED = ['@fastify/cookie', '@fastify/static', 'docx', 'fastify'];
/** The parts that `files` of package.json selects from. */
const PARTS = ['dist', 'content', 'docs', 'CHANGELOG.md', 'LICENSE', 'README.md', 'THIRD-PARTY-NOTICES.md'];

requireNode();
await ensureInstalled();
await ensureBuilt();
const [project, { packages }] = await Promise.all(
  ['package.json', 'package-lock.json'].map(async (name) =>
    JSON.parse(await readFile(join(root, name), 'utf8')),
  ),
);
const wanted = Object.fromEntries(BUNDLED.map((name) => [name, project.dependencies[name]]));
const bundled = neededBy({ ...packages, '': { dependencies: wanted } }, ['']);
// Beside the project: `npm ci` does not end where a package is bundled and has an override too.
const stage = await mkdtemp(join(tmpdir(), 'glyphlift-pack-'));
try {
  await writeFile(join(stage, 'package.json'), JSON.stringify({ ...project, bundleDependencies: BUNDLED }));
  for (const part of [...PARTS, ...bundled])
    await cp(join(root, part), join(stage, part), { recursive: true });
  await run('npm', ['pack', stage, ...process.argv.slice(2)]);
} finally {
  await rm(stage, { recursive: true, force: true });
}
