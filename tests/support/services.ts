import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { ensureNetworks } from '../../scripts/networks.mjs';
import { initdbPath, pgbouncerPath } from '../../scripts/system.mjs';
import { compileEngine } from './compiled-engine.ts';
import { freePort } from './free-port.ts';

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
  const [servers] = await Promise.all([startDatabases(), ensureNetworks().then(compileEngine)]);
  // While somebody watches: the engine is what its sources are now.
  project.onTestsRerun(compileEngine);
  project.provide('postgresUrl', servers.postgresUrl);
  project.provide('pgbouncerUrl', servers.pgbouncerUrl);
  return servers.stop;
}

async function startDatabases() {
  const folder = mkdtempSync(join(tmpdir(), 'glyphlift-postgres-'));
  const identity = unprivileged();
  if (identity) chownSync(folder, identity.uid, identity.gid);
  const options = { ...identity, cwd: folder, stdio: 'ignore' as const };
  const postgres = await startPostgres(folder, options);
  const pgbouncer = await startPgbouncer(folder, options, postgres.port);
  return {
    postgresUrl: `postgres://tests@127.0.0.1:${postgres.port}/postgres`,
    pgbouncerUrl: `postgres://tests@127.0.0.1:${pgbouncer.port}/postgres`,
    async stop() {
      await pgbouncer.stop();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Identity = { uid?: number; gid?: number; cwd: string; stdio: 'ignore' };

async function startPostgres(folder: string, options: Identity) {
  const initdb = initdbPath();
  const data = join(folder, 'data');
  execFileSync(
    initdb,
    ['-D', data, '-U', 'tests', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'],
    options,
  );

  const port = await freePort();
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'fsync=off',
    'max_connections=200',
  ];
  const server = spawn(
    join(dirname(initdb), 'postgres'),
    ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    options,
  );
  await listening('PostgreSQL', port, server);
  return { port, stop: () => ended(server) };
}

/** Set as it comes, but for how it lends, and fewer connections than those who ask for them have in their pools. */
async function startPgbouncer(folder: string, options: Identity, postgresPort: number) {
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

/** Neither runs as root: then they run as Debian's user for it, or as nobody. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const user of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) =>
        Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // no such user here
    }
  }
  throw new Error('PostgreSQL cannot run as root, and there is neither a postgres nor a nobody user');
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
