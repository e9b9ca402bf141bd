import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

/** What is packed, installed and used as a stranger would: after the build, and by itself, because it installs packages. */
export default defineConfig({
  ssr: { resolve: { conditions: ['source', ...defaultServerConditions.filter((one) => one !== 'module')] } },
  resolve: { conditions: ['source', ...defaultServerConditions.filter((one) => one !== 'module')] },
  test: {
    include: ['tests/package/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
  },
});
