import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { ensureNetworks } from '../../scripts/networks.mjs';
import { compileSources } from './compiled-sources.ts';
import { isListening } from './free-port.ts';
import { createPostgres } from './postgres-server.ts';
import { Supervised } from './supervised.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A superuser's address in a PostgreSQL server of this test run; make a database of your own in it. */
    postgresUrl: string;
  }
}

/** Starts what the tests need beside themselves, in a temporary folder on a free port, and takes it away afterwards. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [servers] = await Promise.all([startDatabases(), ensureNetworks().then(compileSources)]);
  // In watch mode: compiled code follows its sources.
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
      await postgres.keepAway('SIGINT');
      cluster.remove();
    },
  };
}
