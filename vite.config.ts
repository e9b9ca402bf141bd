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
    // The page about premium names them and needs nothing else of the workspace.
    { name: 'formats', test: /\/src\/contract\/formats\.ts$/ },
    { name: 'forms', test: folder('ui/forms|features/account/forms') },
    { name: 'tool', test: folder('features/extraction/tool') },
    { name: 'radix', test: RADIX_PARTS },
    { name: 'workspace', test: folder('workspace/(?:text|image|review|export)') },
  ],
};

/**
 * Vite's help for parts that come late fetches their styles and what they need first. There is one style sheet and no such list
 * here, so nothing of it is left but the import itself.
 */
const withoutPreloadHelp: Plugin = {
  name: 'without-preload-help',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (part) => part();' : undefined,
};

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [withoutPreloadHelp, legalDocuments(), react(), tailwindcss()],
  resolve: {
    // The engine of a device loads its runtime's script and WebAssembly as files.
    conditions: ['source', 'onnxruntime-web-use-extern-wasm', ...defaultClientConditions],
    // For browsers it has a variant that decodes by innerHTML, which the content policy stops.
    alias: {
      'decode-named-character-reference': fileURLToPath(
        import.meta.resolve('decode-named-character-reference'),
      ),
    },
  },
  // So that a worker can load parts of itself when they are needed.
  worker: { format: 'es' },
  ssr: { resolve: { conditions: ['source', ...defaultServerConditions] } },
  build: {
    outDir: isSsrBuild ? 'dist/web/server' : 'dist/web/client',
    target: 'es2022',
    // What comes late is asked for ahead of need; lists of what belongs to each part would weigh 2 kB on the start page.
    modulePreload: false,
    manifest: !isSsrBuild,
    ...(isSsrBuild
      ? {}
      : {
          rolldownOptions: {
            input: { 'entry-client': 'src/web/entry-client.tsx', sw: 'src/web/offline/service-worker.ts' },
            output: {
              codeSplitting,
              // A worker's address stays, and it must stand at the root to answer for all pages.
              entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
            },
          },
        }),
    // The server reads its own small template; nothing is inlined, so that the content policy needs no data: script.
    assetsInlineLimit: 0,
    // The server puts the one style sheet into each document.
    cssCodeSplit: false,
  },
}));
