import { readFileSync } from 'node:fs';
import type { KnipConfig } from 'knip';

/** Command-line tools and type packages, which no module imports. */
const PROGRAMS = /^(@biomejs\/biome|dependency-cruiser|knip|typescript(-native)?|@types\/.*)$/;

/**
 * Packages of `tools/*`, which are imported without being listed at the root; `scripts/packages.test.ts` checks that they
 * are used.
 */
const installedByTools = ['tools/testing', 'tools/measuring'].flatMap((folder) =>
  Object.keys(JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).devDependencies).filter(
    (name) => !PROGRAMS.test(name),
  ),
);

/** `!` marks production files: `knip --production` reports what only tests use. */
export default {
  workspaces: {
    '.': {
      entry: [
        'src/server/main.ts!',
        'src/server/admin/main.ts!',
        'src/server/worker.ts!',
        'src/server/jobs/result-worker.ts!',
        'src/program/main.ts!',
        'src/library/engine.ts!',
        'src/ocr/child/main.ts!',
        'src/ocr/threads/{recognizer,decoder}-worker.ts!',
        'src/web/entry-{client,server}.tsx!',
        'scripts/*.mjs!',
        'scripts/**/*.ts!',
        '!scripts/**/*.test.ts!',
        'bench/*.ts',
        'tests/device/page.ts',
        'training/*.ts',
        'bench/readers/*.mjs',
        'vitest.package.config.ts',
        'tests/{package,extension}/*.test.ts',
        'extension/src/{background,panel,options}.ts',
        'clients/typescript/src/index.ts',
        'tests/support/{fetch-language,killable-server,killable-worker,database-opener}.ts',
      ],
      project: [
        'src/**/*.{ts,tsx,css}!',
        'scripts/**/*.{ts,mjs}!',
        '!**/*.test.{ts,tsx}!',
        'bench/**/*.{ts,mjs}',
        'training/*.ts',
        'tests/**/*.{ts,tsx}',
        'clients/typescript/src/*.ts',
        'extension/src/*.ts',
      ],
    },
  },
  // Lists of packages without code.
  ignoreWorkspaces: ['tools/*'],
  vitest: true,
  playwright: true,
  ignoreExportsUsedInFile: true,
  ignoreDependencies: [
    '@fontsource-variable/newsreader',
    '@fontsource/instrument-sans',
    '@fontsource/newsreader',
    ...installedByTools,
  ],
  ignoreBinaries: ['apt-get', 'dpkg-deb', 'fc-list', 'mkfifo', 'mount', 'umount', 'biome'],
} satisfies KnipConfig;
