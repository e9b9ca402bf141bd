import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defaultServerConditions, defineConfig } from 'vite';
import { legalDocuments } from './scripts/legal-documents.ts';

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [legalDocuments(), react(), tailwindcss()],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  ssr: { resolve: { conditions: ['source', ...defaultServerConditions] } },
  build: {
    outDir: isSsrBuild ? 'dist/web/server' : 'dist/web/client',
    target: 'es2022',
    manifest: !isSsrBuild,
    ...(isSsrBuild ? {} : { rolldownOptions: { input: 'src/web/entry-client.tsx' } }),
    // The server reads its own small template; nothing is inlined, so that the content policy needs no data: script.
    assetsInlineLimit: 0,
  },
}));
