import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Libsql from 'libsql';
import pg from 'pg';
import { twinOf } from './compiled-twin.ts';
import { freePort } from './free-port.ts';
import { jsonOf, send } from './http-client.ts';
import { filesWith } from './leftovers.ts';
import { createPostgres } from './postgres-server.ts';
import { contentsOfRedis, redisAnswers, redisCommand } from './redis-server.ts';
import { type Command, type Ending, processTree, Supervised } from './supervised.ts';
import { openWeakLink, type WeakLink } from './weak-link.ts';

/** The product as an operator runs it, in processes of its own that are started again when they end. */
export interface Installation {
  webs: Supervised[];
  webPorts: number[];
  /** What reads pictures: workers, or the web process itself. */
  readers: Supervised[];
  /** Only where there are several machines; so are the lines to them. */
  postgres?: Supervised;
  redis?: Supervised;
  lines?: { postgres: WeakLink; redis: WeakLink };
  redisUrl?: string;
  postgresUrl?: string;
  /** Where everything is kept: data of every process, and what it writes to no place in particular. */
  folder: string;
  dataDir: string;
  /** Ends the process that recognizes below a reader. */
  killRecognizer(reader: Supervised): void;
  /**
   * Whether the process at this port was ending during a request. No other process can have had its connection: the
   * port belongs to one process, and the next one starts after the end of the former.
   */
  webWasKilled(port: number, from: number, to: number): boolean;
  readerWasKilled(from: number, to: number): boolean;
  /** What a web process says of itself. */
  readiness(port: number): Promise<{ status: number; parts: Record<string, unknown> } | undefined>;
  /** Asks the database itself, past every line. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Where one of the marks lies: on a disk, or in Redis. */
  find(marks: readonly string[]): Promise<string[]>;
  stop(): Promise<void>;
}

interface InstallationOptions {
  /** From the sources, with pages left out; or what was built. */
  from: 'sources' | 'build';
  env?: Record<string, string>;
  /** Where its folder is made. */
  under?: string;
}

interface ClusterOptions extends InstallationOptions {
  webs: number;
  workers: number;
  /** Without lines everything is reached as it is: for measuring. */
  lines?: boolean;
  postgresSettings?: Record<string, string | number>;
  /** Where PostgreSQL has its folder. */
  postgresUnder?: string;
}

const ENTRIES = {
  sources: {
    web: [twinOf('tests/support/killable-server.ts')],
    worker: [twinOf('src/server/worker.ts')],
  },
  build: { web: ['dist/node/server/main.js'], worker: ['dist/node/server/worker.js'] },
} as const;

/** How long after its kill a recognition process may still be given a picture: who hears of it is another process. */
const UNHEARD_MS = 500;

/** Whether something lasted while something ended. All four moments are noted by this process, each on the safe side. */
const during = (endings: readonly Ending[], from: number, to: number) =>
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
    // One proxy in front: the client names its address.
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
      recognizerEndings.push({ from: now, to: now + UNHEARD_MS });
      for (const pid of processTree(reader.pid).slice(1)) endAtOnce(pid);
    },
    webWasKilled: (port: number, from: number, to: number) =>
      during(webs.find((web) => web.port === port)?.web.endings ?? [], from, to),
    readerWasKilled: (from: number, to: number) =>
      during([...recognizerEndings, ...readers.flatMap(({ endings }) => endings)], from, to),
    async readiness(port: number) {
      const outcome = await send({ port, path: '/readyz', timeoutMs: 5_000 });
      const parts = jsonOf(outcome);
      return outcome.kind === 'answer' && parts ? { status: outcome.status, parts } : undefined;
    },
  };
}

/** One server that does everything itself, with SQLite. */
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
    find: async (marks) => [
      ...(await filesWith(folder, marks)),
      ...(dataDir.startsWith(folder) ? [] : await filesWith(dataDir, marks)),
    ],
    async stop() {
      await entry.web.keepAway();
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
    await asked(cluster.url, 'select 1');
    return true;
  });
  await Promise.all([redis.start(), postgres.start()]);
  const lines = options.lines !== false && {
    postgres: await openWeakLink(cluster.port),
    redis: await openWeakLink(redisPort),
  };
  const env = environment(folder, dataDir, {
    REDIS_URL: lines ? lines.redis.by(redisUrl) : redisUrl,
    DATABASE_URL: lines ? lines.postgres.by(cluster.url) : cluster.url,
    ...options.env,
  });
  const { web, worker } = ENTRIES[options.from];
  const webs: Awaited<ReturnType<typeof createWeb>>[] = [];
  for (let at = 1; at <= options.webs; at++) webs.push(await createWeb(`web ${at}`, web, env));
  const workers = Array.from({ length: options.workers }, (_, at) => {
    const made: Supervised = new Supervised(`worker ${at + 1}`, node(worker, env), async () =>
      made.lines.some((line) => line.includes('worker is ready')),
    );
    return made;
  });
  // The first one makes the tables.
  for (const one of webs) await one.web.start();
  await Promise.all(workers.map((one) => one.start()));
  const parts = common(webs, workers);
  await untilReady(parts);
  return {
    ...parts,
    redis,
    postgres,
    ...(lines && { lines }),
    redisUrl,
    postgresUrl: cluster.url,
    folder,
    dataDir,
    query: (sql) => asked(cluster.url, sql),
    async find(marks) {
      const inRedis = redis.running ? await contentsOfRedis(redisUrl) : Buffer.alloc(0);
      return [
        ...marks.filter((mark) => inRedis.includes(mark)).map((mark) => `Redis: ${mark}`),
        ...(await filesWith(folder, marks)),
        ...(await filesWith(cluster.dataDir, marks)),
      ];
    },
    async stop() {
      await Promise.all([...parts.webs, ...workers].map((one) => one.keepAway()));
      if (lines) await Promise.all([lines.postgres.close(), lines.redis.close()]);
      await Promise.all([redis.keepAway(), postgres.keepAway('SIGINT')]);
      cluster.remove();
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

/** Whatever is to be there is: a reader too. */
async function untilReady(parts: Pick<Installation, 'webPorts' | 'readiness'>): Promise<void> {
  for (const port of parts.webPorts) while ((await parts.readiness(port))?.status !== 200) await delay(50);
}

async function asked(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself meanwhile.
  }
}
