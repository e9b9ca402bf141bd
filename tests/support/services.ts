import { writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';
import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { ensureNetworks } from '../../scripts/networks.mjs';
import { pgbouncerPath } from '../../scripts/system.mjs';
import { compileSources } from './compiled-sources.ts';
import { freePort } from './free-port.ts';
import { createPostgres, type PostgresCluster } from './postgres-server.ts';
import { Supervised } from './supervised.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A superuser's address in a PostgreSQL server of this test run; make a database of your own in it. */
    postgresUrl: string;
    /** The same databases through PgBouncer, which lends a connection for one transaction at a time. */
    pgbouncerUrl: string;
  }
}

/** Starts what the tests need beside themselves, in a temporary folder on a free port, and takes it away afterwards. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [servers] = await Promise.all([startDatabases(), ensureNetworks().then(compileSources)]);
  // While somebody watches: what runs compiled is what its sources are now.
  project.onTestsRerun(compileSources);
  project.provide('postgresUrl', servers.postgresUrl);
  project.provide('pgbouncerUrl', servers.pgbouncerUrl);
  return servers.stop;
}

async function startDatabases() {
  const cluster = await createPostgres();
  const postgres = new Supervised('PostgreSQL', cluster.command, () => listens(cluster.port));
  await postgres.start();
  const pooler = await startPgbouncer(cluster);
  return {
    postgresUrl: cluster.url,
    pgbouncerUrl: `postgres://tests@127.0.0.1:${pooler.port}/postgres`,
    async stop() {
      await pooler.pgbouncer.keepAway();
      await postgres.keepAway('SIGINT');
      cluster.remove();
    },
  };
}

/** Set as it comes, but for how it lends, and fewer connections than those who ask for them have in their pools. */
async function startPgbouncer({ command, dataDir, port: postgresPort }: PostgresCluster) {
  const port = await freePort();
  const file = join(dirname(dataDir), 'pgbouncer.ini');
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${postgresPort} user=tests`,
    '[pgbouncer]',
    `listen_port = ${port}`,
    'listen_addr = 127.0.0.1',
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 4',
    'max_client_conn = 400',
  ];
  writeFileSync(file, `${settings.join('\n')}\n`);
  // Supervised as everywhere: 1.18 ends itself ("bad client state: 0") when a connection breaks in the middle of its request
  // to cancel a statement, and tests of broken connections do that to it now and then.
  const pgbouncer = new Supervised(
    'PgBouncer',
    { ...command, program: pgbouncerPath(), args: ['-q', file] },
    () => listens(port),
  );
  await pgbouncer.start();
  return { port, pgbouncer };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
