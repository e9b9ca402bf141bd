import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defaultServerConditions, defineConfig, type Plugin } from 'vite';
import { legalDocuments } from './scripts/legal-documents.ts';

/** The folders of `src/web`, as far as each is one file for the browser. */
const folder = (path: string) => new RegExp(`/src/web/(?:${path})/[^/]+$`);

/** What dialogs, messages and tooltips share. */
const RADIX_PARTS =
  /\/node_modules\/@radix-ui\/(?!react-(arrow|collection|dialog|popper|roving-focus|tabs|toast|tooltip)\/)/;

/**
 * What every page needs comes in two files, libraries apart because they change less often. Left to itself the bundler makes
 * three dozen of it, one for each set of pages that share something, and on a phone's connection each of them costs more
 * than its content.
 */
const codeSplitting = {
  groups: [
    { name: 'libraries', tags: ['$initial' as const], test: /node_modules/ },
    {
      name: 'shell',
      tags: ['$initial' as const],
      test: (id: string) => !/\/(entry-client\.tsx|service-worker\.ts)$/.test(id),
    },
    { name: 'parts', test: folder('ui/basics|router|session|features/extraction/intake') },
    // The premium page lists the formats and needs nothing else of the workspace.
    { name: 'formats', test: /\/src\/contract\/formats\.ts$/ },
    { name: 'forms', test: folder('ui/forms|features/account/forms') },
    { name: 'tool', test: folder('features/extraction/tool') },
    { name: 'radix', test: RADIX_PARTS },
    { name: 'workspace', test: folder('workspace/(?:text|image|review|export)') },
  ],
};

/**
 * Replaces Vite's preload helper, which loads styles and dependencies of a lazy chunk first. There is one style sheet and no
 * module preload here, so a plain import is enough.
 */
const withoutPreloadHelper: Plugin = {
  name: 'without-preload-helper',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (part) => part();' : undefined,
};

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [withoutPreloadHelper, legalDocuments(), react(), tailwindcss()],
  resolve: {
    // The engine in the browser loads the script and WebAssembly of onnxruntime as files.
    conditions: ['source', 'onnxruntime-web-use-extern-wasm', ...defaultClientConditions],
    // Its variant for browsers uses innerHTML, which the content security policy forbids.
    alias: {
      'decode-named-character-reference': fileURLToPath(
        import.meta.resolve('decode-named-character-reference'),
      ),
    },
  },
  // Workers have lazy chunks, too.
  worker: { format: 'es' },
  ssr: { resolve: { conditions: ['source', ...defaultServerConditions] } },
  build: {
    outDir: isSsrBuild ? 'dist/web/server' : 'dist/web/client',
    target: 'es2022',
    // Lazy chunks are prefetched by the page itself; Vite's lists would add 2 kB to the start page.
    modulePreload: false,
    manifest: !isSsrBuild,
    ...(isSsrBuild
      ? {}
      : {
          rolldownOptions: {
            input: { 'entry-client': 'src/web/entry-client.tsx', sw: 'src/web/offline/service-worker.ts' },
            output: {
              codeSplitting,
              // A service worker needs a stable URL at the root to control all pages.
              entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
            },
          },
        }),
    // Without inlined assets, the content security policy needs no `data:`.
    assetsInlineLimit: 0,
    // The server inlines the one style sheet in each document.
    cssCodeSplit: false,
  },
}));
