import { readFileSync } from 'node:fs';
import type { KnipConfig } from 'knip';

/** Nothing imports them: they are run, or describe others to the compiler. */
const PROGRAMS = /^(@biomejs\/biome|dependency-cruiser|knip|typescript(-native)?|@types\/.*)$/;

/**
 * What is installed for the gate and for measuring alone, and imported without being listed at the root;
 * `scripts/packages.test.ts` checks that it is used.
 */
const installedApart = ['tools/testing', 'tools/measuring'].flatMap((folder) =>
  Object.keys(JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).devDependencies).filter(
    (name) => !PROGRAMS.test(name),
  ),
);

/** What is marked with `!` is the product itself; `knip --production` looks whether anything but tests needs it. */
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
        'tests/support/{fetch-language,killable-server,killable-worker,opens-databases}.ts',
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
  // They hold no code: it lies in tests and bench, and beside what is tested.
  ignoreWorkspaces: ['tools/*'],
  vitest: true,
  playwright: true,
  ignoreExportsUsedInFile: true,
  ignoreDependencies: [
    '@fontsource-variable/newsreader',
    '@fontsource/instrument-sans',
    '@fontsource/newsreader',
    ...installedApart,
  ],
  ignoreBinaries: ['apt-get', 'dpkg-deb', 'fc-list', 'mkfifo', 'mount', 'umount', 'biome'],
} satisfies KnipConfig;
