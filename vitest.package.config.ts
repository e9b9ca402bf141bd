import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

/** Tests of the packed and installed package. They run after the build and separately, because they install packages. */
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
