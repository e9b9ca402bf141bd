import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defaultServerConditions, defineConfig, type Plugin } from 'vite';
import { legalDocuments } from './scripts/legal-documents.ts';

/** Too small to travel alone, and on most pages. */
const SMALL_PARTS =
  /\/src\/(web\/(ui\/(ad-slot|alert|card|dialog-history|progress|switch)|features\/account\/use-sign-out|words|use-now|use-online|use-file-intake)\.tsx?|contract\/product\.ts)$/;

/** What forms are made of, and the rules that they ask. */
const FORMS =
  /(\/src\/web\/ui\/(form|use-form|current-password|unfolding|skeleton|could-not-load)\.tsx?|\/src\/web\/features\/account\/(form-check|password-fields|proof|account-calls)\.tsx?|\/src\/contract\/(account|api-key)-rules\.ts|\/react-query\/[^?]*useMutation\.js|\/query-core\/[^?]*mutationObserver\.js)$/;

/** What of the tool is there before a picture is: with what comes late needing parts of it, it would be a file for each of them. */
const TOOL =
  /\/src\/web\/features\/recognition\/(extraction-(tool|phases|progress|state|failure)|tool-frame|drop-zone|file-summary|picture-file|use-(extraction|preview|late)|result-view|usage-notices|workbench)\.tsx?$/;

/** What dialogs, messages and tooltips share. */
const RADIX_PARTS =
  /\/node_modules\/@radix-ui\/(?!react-(arrow|collection|dialog|popper|roving-focus|tabs|toast|tooltip)\/)/;

/** Where a text is worked on, under a picture or saved; what only a picture needs comes beside it. */
const WORKSPACE =
  /\/src\/(formats\/(page-layout|pieces|slanted|table-cells|transcript|units|upright)|web\/features\/recognition\/(copy-text|doubt-bar|doubt|hidden-pieces|marked-lines|more-formats|picture-(icon|marks|tools|view)|print-sheet|rectangle(-frame)?|result-actions|reveal|save-file|text-(editor|history|layout|mapping|pane|tools)|typed-edit|use-(exports|picture-selection|steady-list|text-document|word-focus|zoom)|word-(check|crop|place|under)|words-on-picture))\.tsx?$/;

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
    { name: 'parts', test: SMALL_PARTS },
    // The page about premium names them and needs nothing else of the workspace.
    { name: 'formats', test: /\/src\/contract\/formats\.ts$/ },
    { name: 'forms', test: FORMS },
    { name: 'tool', test: TOOL },
    { name: 'radix', test: RADIX_PARTS },
    { name: 'workspace', test: WORKSPACE },
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
    conditions: ['source', ...defaultClientConditions],
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
            input: { 'entry-client': 'src/web/entry-client.tsx', sw: 'src/web/service-worker.ts' },
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
