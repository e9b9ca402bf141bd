import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { ensureNetworks } from '../../scripts/networks.mjs';
import { compileSources } from './compiled-sources.ts';
import { isListening } from './free-port.ts';
import { createPostgres } from './postgres-server.ts';
import { Supervised } from './supervised.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of a superuser of this test run's PostgreSQL. Each test file creates a separate database. */
    postgresUrl: string;
  }
}

/** Starts the services of the tests in a temporary folder on a free port. Returns a function that removes them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [servers] = await Promise.all([startDatabases(), ensureNetworks().then(compileSources)]);
  // Recompiles in watch mode.
  project.onTestsRerun(compileSources);
  project.provide('postgresUrl', servers.postgresUrl);
  return servers.stop;
}

async function startDatabases() {
  const cluster = await createPostgres();
  const postgres = new Supervised('PostgreSQL', cluster.command, () => isListening(cluster.port));
  await postgres.start();
  return {
    postgresUrl: cluster.url,
    async stop() {
      await postgres.stopForGood('SIGINT');
      cluster.remove();
    },
  };
}
