import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defaultClientConditions, defaultServerConditions } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { legalDocuments } from './scripts/legal-documents.ts';
import { chromiumFlags, findHeadlessChromium } from './scripts/test-programs.mjs';
import { browserCommands } from './tests/component/browser-commands.ts';
import { mockServiceWorker } from './tests/component/mock-service-worker.ts';
import { compiledEngine } from './tests/support/compiled-sources.ts';

/** The suites and what each is for: docs/testing.md. */

const FOLDERS = ['src', 'tests/{support,fuzz}', 'scripts', 'bench', 'extension'];
const filesNamed = (kind: string) => FOLDERS.map((folder) => `${folder}/**/*${kind}.test.{ts,tsx}`);

/** Test files of any suite that use one of these names: what a second run of them is for. */
function filesUsing(names: RegExp): string[] {
  return ['src', 'tests/support', 'tests/fuzz', 'scripts', 'bench'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => /(?<!\.component)\.test\.tsx?$/.test(file) && names.test(readFileSync(file, 'utf8'))),
  );
}

/** Node cannot load what some packages name under `module`: that condition is for bundlers. */
const nodeConditions = defaultServerConditions.filter((condition) => condition !== 'module');
const nodeResolve = { conditions: ['source', ...nodeConditions] };

/** A suite that runs in Node. */
function nodeProject(test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return {
    plugins: [legalDocuments(), compiledEngine()],
    resolve: nodeResolve,
    ssr: { resolve: nodeResolve },
    test: {
      // Loading each module once per process instead of once per file saves a third of the processor time.
      isolate: false,
      setupFiles: ['tests/support/leave-no-trace.ts'],
      testTimeout: 30_000,
      hookTimeout: 60_000,
      // What a test waits for ends with the test's own limit. One second, the default, is too short on a machine that is shared.
      expect: { poll: { timeout: 25_000 } },
      ...test,
    },
  };
}

/** Larger than every test frame: in a scaled frame, mouse positions are wrong. */
const CONTEXT_VIEWPORT = { width: 1600, height: 1200 };

const component: TestProjectInlineConfiguration = {
  plugins: [legalDocuments(), react(), tailwindcss(), mockServiceWorker()],
  cacheDir: 'node_modules/.vite-component',
  resolve: {
    conditions: ['source', 'onnxruntime-web-use-extern-wasm', ...defaultClientConditions],
    // As in vite.config.ts.
    alias: {
      'decode-named-character-reference': fileURLToPath(
        import.meta.resolve('decode-named-character-reference'),
      ),
    },
  },
  optimizeDeps: {
    // A dependency discovered during the run reloads the page and restarts the tests.
    entries: ['src/web/entry-client.tsx', 'src/web/**/*-worker.ts', 'src/web/**/*.component.test.tsx'],
    include: [
      'qr/decode.js',
      'react/jsx-dev-runtime',
      'vitest-browser-react',
      'axe-core',
      'msw/browser',
      'msw',
    ],
  },
  test: {
    name: 'component',
    include: filesNamed('.component'),
    setupFiles: ['tests/component/setup.ts'],
    isolate: false,
    // Pages that run test files at the same time.
    maxWorkers: 2,
    // For tests that hang; a slow shared machine must not reach it.
    testTimeout: 30_000,
    // The default of one second is too short on a slow shared machine.
    expect: { poll: { timeout: 10_000 } },
    browser: {
      enabled: true,
      headless: true,
      ui: false,
      screenshotFailures: false,
      viewport: { width: 1440, height: 900 },
      commands: browserCommands,
      provider: playwright({
        launchOptions: { executablePath: findHeadlessChromium() ?? '', args: chromiumFlags() },
        contextOptions: {
          viewport: CONTEXT_VIEWPORT,
          permissions: ['clipboard-read', 'clipboard-write'],
          locale: 'en-US',
          timezoneId: 'Pacific/Auckland',
          reducedMotion: 'reduce',
        },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
};

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      nodeProject({
        name: 'unit',
        include: filesNamed(''),
        exclude: [...filesNamed('.integration'), ...filesNamed('.component'), ...filesNamed('.wide')],
      }),
      nodeProject({
        name: 'integration',
        include: filesNamed('.integration'),
        globalSetup: ['tests/support/services.ts'],
      }),
      component,
      nodeProject({
        name: 'wide',
        // Property tests run here with all inputs; `npm test` uses a part of them.
        include: [...filesNamed('.wide'), ...filesUsing(/support\/properties\.ts/)],
        globalSetup: ['tests/support/services.ts'],
        env: { SWEEPS: 'whole' },
      }),
      // Tests of several databases, on those that `npm test` leaves out.
      nodeProject({
        name: 'second-database',
        include: filesUsing(/DEFAULT_DATABASES|DATABASES_WITH_PGBOUNCER|describeOnDefaultDatabase|describeWithPgbouncer/),
        globalSetup: ['tests/support/services.ts'],
        env: { TEST_DATABASES: 'second' },
      }),
      nodeProject({
        name: 'package',
        include: ['tests/{package,extension}/*.test.ts'],
        testTimeout: 180_000,
        hookTimeout: 600_000,
        fileParallelism: false,
      }),
      nodeProject({
        name: 'other-browsers',
        include: ['tests/other-browsers/**/*.browsers.test.ts'],
        testTimeout: 90_000,
        // Their drivers are less reliable than Chromium's.
        retry: 1,
      }),
    ],
  },
});
