import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { legalDocuments } from './scripts/legal-documents.ts';
import { compiledEngine } from './tests/support/compiled-sources.ts';

// `module` is for bundlers: what a package names there Node itself may not be able to load.
const conditionsOfNode = defaultServerConditions.filter((condition) => condition !== 'module');
const resolve = { conditions: ['source', ...conditionsOfNode] };

export default defineConfig({
  plugins: [legalDocuments(), compiledEngine()],
  resolve,
  ssr: { resolve },
  test: {
    include: [
      'src/**/*.test.{ts,tsx}',
      'tests/{support,fuzz}/**/*.test.ts',
      'scripts/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    globalSetup: ['tests/support/services.ts'],
    // A module is loaded once in each of the two processes: for every file anew costs a third of the tests' processor time.
    isolate: false,
    setupFiles: ['tests/support/leave-no-trace.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
