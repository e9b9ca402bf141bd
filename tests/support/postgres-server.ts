import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { initdbPath } from '../../scripts/test-programs.mjs';
import { freePort } from './free-port.ts';
import type { Command } from './supervised.ts';

/** A PostgreSQL with a separate data folder, not yet started. */
export interface PostgresCluster {
  /** URL of a superuser. */
  url: string;
  port: number;
  dataDir: string;
  command: Command;
  remove(): void;
}

/** @param settings in addition to the required ones */
export async function createPostgres(
  settings: Record<string, string | number> = {},
  under = tmpdir(),
): Promise<PostgresCluster> {
  const initdb = initdbPath();
  const folder = mkdtempSync(join(under, 'glyphlift-postgres-'));
  const dataDir = join(folder, 'data');
  const identity = unprivileged();
  if (identity) chownSync(folder, identity.uid, identity.gid);
  const options = { ...identity, cwd: folder };
  execFileSync(
    initdb,
    ['-D', dataDir, '-U', 'tests', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'],
    { ...options, stdio: 'ignore' },
  );
  const port = await freePort();
  const all = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    fsync: 'off',
    max_connections: 200,
    ...settings,
  };
  return {
    url: `postgres://tests@127.0.0.1:${port}/postgres`,
    port,
    dataDir,
    command: {
      program: join(dirname(initdb), 'postgres'),
      args: ['-D', dataDir, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      options,
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The user for PostgreSQL and PgBouncer, which do not run as root: Debian's user `postgres`, or `nobody`. */
export function unprivileged(): { uid: number; gid: number } | undefined {
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
