import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pgbouncerPath } from '../../scripts/test-programs.mjs';
import { freePort, isListening } from './free-port.ts';
import { unprivileged } from './postgres-server.ts';
import { Supervised } from './supervised.ts';

export interface Pgbouncer {
  port: number;
  stop(): Promise<void>;
}

/**
 * Starts a PgBouncer, a connection pooler, for the PostgreSQL on `postgresPort`, in transaction mode. It has fewer connections
 * to PostgreSQL than its clients have in their pools.
 *
 * Each test file starts a separate PgBouncer: version 1.18 crashes ("bad client state: 0") if a connection breaks during a
 * request to cancel a statement. Tests of broken connections cause that, and must not affect other files.
 */
export async function startPgbouncer(postgresPort: number): Promise<Pgbouncer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'glyphlift-pgbouncer-'));
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
  // PgBouncer does not run as root, and its user must be able to read the settings.
  chmodSync(folder, 0o755);
  const options = { ...unprivileged(), cwd: folder };
  const process = new Supervised('PgBouncer', { program: pgbouncerPath(), args: ['-q', file], options }, () =>
    isListening(port),
  );
  await process.start();
  return {
    port,
    async stop() {
      await process.stopForGood();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
