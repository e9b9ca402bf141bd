import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { ensureNetworks } from '../../scripts/networks.mjs';
import { initdbPath } from '../../scripts/system.mjs';
import { compileEngine } from './compiled-engine.ts';
import { freePort } from './free-port.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A superuser's address in a PostgreSQL server of this test run; make a database of your own in it. */
    postgresUrl: string;
  }
}

/** Starts what the tests need beside themselves, in a temporary folder on a free port, and takes it away afterwards. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [postgres] = await Promise.all([startPostgres(), ensureNetworks().then(compileEngine)]);
  // While somebody watches: the engine is what its sources are now.
  project.onTestsRerun(compileEngine);
  project.provide('postgresUrl', postgres.url);
  return postgres.stop;
}

async function startPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const initdb = initdbPath();
  const folder = mkdtempSync(join(tmpdir(), 'glyphlift-postgres-'));
  const data = join(folder, 'data');
  const identity = unprivileged();
  if (identity) chownSync(folder, identity.uid, identity.gid);
  const options = { ...identity, cwd: folder, stdio: 'ignore' as const };
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
  await listening(port, server);
  return {
    url: `postgres://tests@127.0.0.1:${port}/postgres`,
    stop: async () => {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root: then it runs as Debian's user for it, or as nobody. */
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

async function listening(port: number, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended at its start with ${server.exitCode}`);
    const open = await new Promise<boolean>((resolve) => {
      const socket = createConnection({ port, host: '127.0.0.1' });
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('PostgreSQL did not answer within 15 seconds');
}
