import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Libsql from 'libsql';
import pg from 'pg';
import { compiledFileOf } from './compiled-file.ts';
import { type FaultyProxy, openFaultyProxy } from './faulty-proxy.ts';
import { filesContaining } from './find-in-files.ts';
import { freePort } from './free-port.ts';
import { jsonOf, send } from './http-client.ts';
import { createPostgres } from './postgres-server.ts';
import { contentsOfRedis, redisAnswers, redisCommand } from './redis-server.ts';
import { type Command, type Ending, processTree, Supervised } from './supervised.ts';

/** The product as an operator runs it: separate processes, which a supervisor restarts when they end. */
export interface Installation {
  webs: Supervised[];
  webPorts: number[];
  /** Processes that read pictures: the workers, or the web process of a single server. */
  readers: Supervised[];
  /** Only in a cluster, as are the proxies to them. */
  postgres?: Supervised;
  redis?: Supervised;
  proxies?: { postgres: FaultyProxy; redis: FaultyProxy };
  redisUrl?: string;
  postgresUrl?: string;
  /** Folder of all data: data folders, and home and temporary folders of all processes. */
  folder: string;
  dataDir: string;
  /** Kills the recognition process of a reader. */
  killRecognizer(reader: Supervised): void;
  /**
   * Whether the process at this port was ending during a request. The connection cannot belong to another process: the port
   * belongs to one process, and the next one starts after the previous one has ended.
   */
  webWasKilled(port: number, from: number, to: number): boolean;
  engineWasKilled(from: number, to: number): boolean;
  /** The readiness report of a web process. */
  readiness(port: number): Promise<{ status: number; parts: Record<string, unknown> } | undefined>;
  /** Queries the database directly, without a proxy. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Finds the strings on the disk and in Redis. */
  find(searchStrings: readonly string[]): Promise<string[]>;
  stop(): Promise<void>;
}

interface InstallationOptions {
  /** Whether to run the sources, without pages, or the build. */
  from: 'sources' | 'build';
  env?: Record<string, string>;
  /** Parent of the installation's folder. */
  under?: string;
}

interface ClusterOptions extends InstallationOptions {
  webs: number;
  workers: number;
  /** False: processes connect without a proxy, for measuring. */
  proxies?: boolean;
  postgresSettings?: Record<string, string | number>;
  /** Parent of PostgreSQL's folder. */
  postgresUnder?: string;
}

const ENTRIES = {
  sources: {
    web: [compiledFileOf('tests/support/killable-server.ts')],
    worker: [compiledFileOf('src/server/worker.ts')],
  },
  build: { web: ['dist/node/server/main.js'], worker: ['dist/node/server/worker.js'] },
} as const;

/** A killed recognition process may still be given pictures this long, until its parent process notices. */
const KILL_NOTICE_MS = 500;

/** Whether one of the endings overlaps the time from `from` to `to`. All times are of this process. */
const overlaps = (endings: readonly Ending[], from: number, to: number) =>
  endings.some((ending) => from <= ending.to && to >= ending.from);

async function createFolder(under = tmpdir()) {
  const folder = await mkdtemp(join(under, 'glyphlift-installation-'));
  for (const name of ['tmp', 'home', 'data']) await mkdir(join(folder, name));
  return folder;
}

function environment(folder: string, dataDir: string, env: Record<string, string> = {}) {
  return {
    PATH: process.env.PATH,
    HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'tmp'),
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    PUBLIC_URL: 'http://localhost:3000',
    COOKIE_KEYS: randomBytes(24).toString('base64url'),
    ADDRESS_KEY: randomBytes(24).toString('base64url'),
    // One trusted proxy: the client sends its address in a header.
    TRUST_PROXY: '1',
    PAYMENTS: 'demo',
    PREMIUM_AVAILABILITY: 'available',
    OCR_CONCURRENCY: '1',
    ...env,
  };
}

function node(args: readonly string[], env: NodeJS.ProcessEnv): Command {
  return { program: process.execPath, args, options: { env } };
}

async function createWeb(name: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const port = await freePort();
  const listens = async () => (await send({ port, path: '/healthz', timeoutMs: 2_000 })).kind === 'answer';
  return { port, web: new Supervised(name, node(args, { ...env, PORT: String(port) }), listens) };
}

function common(webs: readonly { port: number; web: Supervised }[], readers: readonly Supervised[]) {
  const recognizerEndings: Ending[] = [];
  return {
    webs: webs.map(({ web }) => web),
    webPorts: webs.map(({ port }) => port),
    readers: [...readers],
    killRecognizer(reader: Supervised) {
      const now = performance.now();
      recognizerEndings.push({ from: now, to: now + KILL_NOTICE_MS });
      for (const pid of processTree(reader.pid).slice(1)) killProcess(pid);
    },
    webWasKilled: (port: number, from: number, to: number) =>
      overlaps(webs.find((web) => web.port === port)?.web.endings ?? [], from, to),
    engineWasKilled: (from: number, to: number) =>
      overlaps([...recognizerEndings, ...readers.flatMap(({ endings }) => endings)], from, to),
    async readiness(port: number) {
      const outcome = await send({ port, path: '/readyz', timeoutMs: 5_000 });
      const parts = jsonOf(outcome);
      return outcome.kind === 'answer' && parts ? { status: outcome.status, parts } : undefined;
    },
  };
}

/** A single server with SQLite that also reads the pictures. */
export async function startSingle({ from, env, under }: InstallationOptions): Promise<Installation> {
  const folder = await createFolder(under);
  const dataDir = env?.DATA_DIR ?? join(folder, 'data');
  const entry = await createWeb('the server', ENTRIES[from].web, {
    ...environment(folder, dataDir, env),
    REAL_ENGINE: 'yes',
  });
  const parts = common([entry], [entry.web]);
  await entry.web.start();
  await untilReady(parts);
  return {
    ...parts,
    folder,
    dataDir,
    async query(sql) {
      const file = new Libsql(join(dataDir, 'glyphlift.db'), { timeout: 5_000 });
      try {
        return file.prepare(sql).all() as Record<string, unknown>[];
      } finally {
        file.close();
      }
    },
    find: async (searchStrings) => [
      ...(await filesContaining(folder, searchStrings)),
      ...(dataDir.startsWith(folder) ? [] : await filesContaining(dataDir, searchStrings)),
    ],
    async stop() {
      await entry.web.stopForGood();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Web processes and workers with one PostgreSQL and one Redis. */
export async function startCluster(options: ClusterOptions): Promise<Installation> {
  const folder = await createFolder(options.under);
  const dataDir = join(folder, 'data');
  const redisFolder = join(folder, 'redis');
  await mkdir(redisFolder);
  const redisPort = await freePort();
  const redisUrl = `redis://127.0.0.1:${redisPort}`;
  const redis = new Supervised('Redis', redisCommand(redisPort, redisFolder), () => redisAnswers(redisUrl));
  const cluster = await createPostgres(options.postgresSettings, options.postgresUnder);
  const postgres = new Supervised('PostgreSQL', cluster.command, async () => {
    await runQuery(cluster.url, 'select 1');
    return true;
  });
  await Promise.all([redis.start(), postgres.start()]);
  const proxies = options.proxies !== false && {
    postgres: await openFaultyProxy(cluster.port),
    redis: await openFaultyProxy(redisPort),
  };
  const env = environment(folder, dataDir, {
    REDIS_URL: proxies ? proxies.redis.urlThrough(redisUrl) : redisUrl,
    DATABASE_URL: proxies ? proxies.postgres.urlThrough(cluster.url) : cluster.url,
    ...options.env,
  });
  const { web, worker } = ENTRIES[options.from];
  const webs: Awaited<ReturnType<typeof createWeb>>[] = [];
  for (let at = 1; at <= options.webs; at++) webs.push(await createWeb(`web ${at}`, web, env));
  const workers = Array.from({ length: options.workers }, (_, at) => {
    const process: Supervised = new Supervised(`worker ${at + 1}`, node(worker, env), async () =>
      process.lines.some((line) => line.includes('worker is ready')),
    );
    return process;
  });
  // The first server creates the tables.
  for (const one of webs) await one.web.start();
  await Promise.all(workers.map((one) => one.start()));
  const parts = common(webs, workers);
  await untilReady(parts);
  return {
    ...parts,
    redis,
    postgres,
    ...(proxies && { proxies }),
    redisUrl,
    postgresUrl: cluster.url,
    folder,
    dataDir,
    query: (sql) => runQuery(cluster.url, sql),
    async find(searchStrings) {
      const inRedis = redis.running ? await contentsOfRedis(redisUrl) : Buffer.alloc(0);
      return [
        ...searchStrings.filter((text) => inRedis.includes(text)).map((text) => `Redis: ${text}`),
        ...(await filesContaining(folder, searchStrings)),
        ...(await filesContaining(cluster.dataDir, searchStrings)),
      ];
    },
    async stop() {
      await Promise.all([...parts.webs, ...workers].map((one) => one.stopForGood()));
      if (proxies) await Promise.all([proxies.postgres.close(), proxies.redis.close()]);
      await Promise.all([redis.stopForGood(), postgres.stopForGood('SIGINT')]);
      cluster.remove();
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

/** Waits until all web processes are ready, with their readers. */
async function untilReady(parts: Pick<Installation, 'webPorts' | 'readiness'>): Promise<void> {
  for (const port of parts.webPorts) while ((await parts.readiness(port))?.status !== 200) await delay(50);
}

async function runQuery(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
