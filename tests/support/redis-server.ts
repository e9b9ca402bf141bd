import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { redisPath } from '../../scripts/test-programs.mjs';
import { freePort } from './free-port.ts';
import type { Command } from './supervised.ts';

/** A Redis for one test file, configured as operators should: it writes nothing to a disk and evicts nothing. */
export interface RedisServer {
  url: string;
  /** Kills Redis; all data is lost. */
  kill(): Promise<void>;
  /** Starts an empty Redis at the same address. */
  restart(): Promise<void>;
  /** Suspends Redis: it accepts connections but does not answer. */
  pause(): void;
  goOn(): void;
  /** The current keys and values as bytes. */
  contents(): Promise<Buffer>;
  keys(): Promise<string[]>;
  ask<T>(question: (redis: Redis) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'glyphlift-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let server: ChildProcess;

  async function start(): Promise<void> {
    const { program, args } = redisCommand(port, folder);
    server = spawn(program, args, { cwd: folder, stdio: 'ignore' });
    while (!(await redisAnswers(url))) {
      if (server.exitCode !== null) throw new Error(`Redis ended during its start with ${server.exitCode}`);
      await delay(25);
    }
  }

  async function end(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }

  await start();
  return {
    url,
    kill: end,
    restart: start,
    pause: () => void server.kill('SIGSTOP'),
    goOn: () => void server.kill('SIGCONT'),
    ask: (question) => askRedis(url, question),
    keys: () => askRedis(url, (redis) => redis.keys('*')),
    contents: () => contentsOfRedis(url),
    async stop() {
      await end();
      // A forked child of Redis may still be rewriting its log.
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

/** The command for a Redis that is configured as operators should, in the given folder. */
export function redisCommand(port: number, folder: string): Command {
  const settings = {
    port,
    bind: '127.0.0.1',
    save: '',
    appendonly: 'no',
    'maxmemory-policy': 'noeviction',
    dir: folder,
  };
  // Uncompressed, so that tests can search the values.
  const readable = { rdbcompression: 'no' };
  const args = Object.entries({ ...settings, ...readable }).flatMap(([name, value]) => [
    `--${name}`,
    String(value),
  ]);
  return { program: redisPath(), args, options: { cwd: folder } };
}

export function redisAnswers(url: string): Promise<boolean> {
  return askRedis(url, async (redis) => (await redis.ping()) === 'PONG').catch(() => false);
}

/** All keys and values as bytes. */
export function contentsOfRedis(url: string): Promise<Buffer> {
  return askRedis(url, async (redis) => {
    const dumps = await Promise.all(
      (await redis.keys('*')).map(async (key) => [Buffer.from(key), await redis.dumpBuffer(key)]),
    );
    return Buffer.concat(dumps.flat().filter((part) => part !== null));
  });
}

export async function askRedis<T>(url: string, question: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { retryStrategy: () => null, maxRetriesPerRequest: 0 });
  redis.on('error', () => {});
  try {
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}
