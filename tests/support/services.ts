import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';
import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { ensureNetworks } from '../../scripts/networks.mjs';
import { pgbouncerPath } from '../../scripts/system.mjs';
import { compileSources } from './compiled-sources.ts';
import { freePort } from './free-port.ts';
import { createPostgres } from './postgres-server.ts';

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
  const { program, args, options } = cluster.command;
  const quiet = { ...options, stdio: 'ignore' as const };
  const postgres = spawn(program, args, quiet);
  await listening('PostgreSQL', cluster.port, postgres);
  const pgbouncer = await startPgbouncer(dirname(cluster.dataDir), quiet, cluster.port);
  return {
    postgresUrl: cluster.url,
    pgbouncerUrl: `postgres://tests@127.0.0.1:${pgbouncer.port}/postgres`,
    async stop() {
      await pgbouncer.stop();
      await ended(postgres);
      cluster.remove();
    },
  };
}

/** Set as it comes, but for how it lends, and fewer connections than those who ask for them have in their pools. */
async function startPgbouncer(folder: string, options: SpawnOptions, postgresPort: number) {
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
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
  const server = spawn(pgbouncerPath(), ['-q', file], options);
  await listening('PgBouncer', port, server);
  return { port, stop: () => ended(server) };
}

function ended(server: ChildProcess): Promise<unknown> {
  const end = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGINT');
  return end;
}

async function listening(name: string, port: number, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (server.exitCode !== null) throw new Error(`${name} ended at its start with ${server.exitCode}`);
    const open = await new Promise<boolean>((resolve) => {
      const socket = createConnection({ port, host: '127.0.0.1' });
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${name} did not answer within 15 seconds`);
}
