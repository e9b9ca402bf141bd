/** Resources that an installation has used since its start: CPU time, commands, statements, bytes. */
import type { Installation } from '../tests/support/installation.ts';
import { askRedis } from '../tests/support/redis-server.ts';
import { processTree } from '../tests/support/supervised.ts';
import { cpuTimeOf, memoryOf } from './process-use.ts';

export interface Usage {
  /** CPU seconds of the web servers. */
  web: number;
  readers: number;
  redis: number;
  postgres: number;
  redisCommands: number;
  redisBytes: number;
  /** Null if PostgreSQL does not count statements. */
  statements: number | null;
}

/** Setting that makes PostgreSQL count statements; the module is part of PostgreSQL's contrib modules. */
export const COUNTING_STATEMENTS = { shared_preload_libraries: 'pg_stat_statements' };

export async function countStatements({ query }: Installation): Promise<void> {
  await query('create extension if not exists pg_stat_statements');
}

export async function measureUsage({
  webs,
  readers,
  redis,
  postgres,
  redisUrl,
  query,
}: Installation): Promise<Usage> {
  const computed = (pids: readonly (number | undefined)[]) =>
    pids.flatMap(processTree).reduce((sum, pid) => sum + cpuTimeOf(pid), 0) / 1000;
  const info = redisUrl ? await askRedis(redisUrl, (one) => one.info('stats')) : '';
  const figure = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  const [row] = await query(
    "select sum(calls) as n from pg_stat_statements where query not like '%pg_stat_statements%'",
  ).catch(() => []);
  return {
    web: computed(webs.map(({ pid }) => pid)),
    readers: computed(readers.map(({ pid }) => pid)),
    redis: computed([redis?.pid]),
    postgres: computed([postgres?.pid]),
    redisCommands: figure('total_commands_processed'),
    redisBytes: figure('total_net_input_bytes') + figure('total_net_output_bytes'),
    statements: row ? Number(row.n) : null,
  };
}

/** The usage per extraction between two measurements. */
export function costOf(extractions: number, before: Usage, after: Usage): Usage {
  const each = (of: (use: Usage) => number) => (of(after) - of(before)) / extractions;
  return {
    web: each((use) => use.web),
    readers: each((use) => use.readers),
    redis: each((use) => use.redis),
    postgres: each((use) => use.postgres),
    redisCommands: each((use) => use.redisCommands),
    redisBytes: each((use) => use.redisBytes),
    statements:
      before.statements === null || after.statements === null
        ? null
        : (after.statements - before.statements) / extractions,
  };
}

/** Resident bytes of a process and all its descendants. */
export function residentIn(pid: number | undefined): number {
  return processTree(pid).reduce((sum, one) => sum + (memoryOf(one)?.resident ?? 0), 0);
}
