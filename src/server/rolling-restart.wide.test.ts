import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type Server } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compiledFileOf } from '../../tests/support/compiled-file.ts';
import { freePort } from '../../tests/support/free-port.ts';
import { type RedisServer, startRedis } from '../../tests/support/redis-server.ts';
import { encodeForm, pictureForm } from '../../tests/support/server-app.ts';
import { createTestDatabase, type TestDatabase } from '../../tests/support/server-databases.ts';
import { startWorker, type TestWorker } from '../../tests/support/workers.ts';

/** Two real web processes and two workers behind a proxy that checks readiness, restarted under load. */

const DRAIN_SECONDS = 1;
const CHECK_EVERY_MS = 100;
/** Pause between two requests of a client: the load must not saturate the machine. */
const PAUSE_MS = 25;

interface Backend {
  port: number;
  child: ChildProcess;
  ready: boolean;
  /** Number of requests answered at its port. */
  answered: number;
}

let redis: RedisServer;
let testDatabase: TestDatabase;
let workers: TestWorker[];
let backends: Backend[];
let proxy: Server;
let checkTimer: NodeJS.Timeout;
/** Keep-alive, as in real proxies: requests on a connection that is being closed would be lost. */
const connections = new Agent({ keepAlive: true });

beforeAll(async () => {
  [redis, testDatabase] = await Promise.all([startRedis(), createTestDatabase('postgres')]);
  workers = await Promise.all([startWorker(redis.url), startWorker(redis.url)]);
  const ports = [await freePort(), await freePort()];
  backends = ports.map((port) => ({ port, child: launch(port), ready: false, answered: 0 }));
  checkTimer = setInterval(() => void Promise.all(backends.map(ask)), CHECK_EVERY_MS);
  proxy = createProxy().listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  await Promise.all(backends.map((backend) => until(() => backend.ready)));
});
afterAll(async () => {
  clearInterval(checkTimer);
  connections.destroy();
  proxy.closeAllConnections();
  proxy.close();
  await Promise.all(
    backends.map(async ({ child }) => {
      if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
    }),
  );
  await Promise.all(workers.map((worker) => worker.kill()));
  await Promise.all([redis.stop(), testDatabase.remove()]);
});

function launch(port: number): ChildProcess {
  const child = spawn(process.execPath, [compiledFileOf('src/server/main.ts')], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'development',
      PORT: String(port),
      PUBLIC_URL: 'http://localhost:3000',
      DATA_DIR: testDatabase.dataDir,
      DATABASE_URL: testDatabase.databaseUrl,
      REDIS_URL: redis.url,
      COOKIE_KEYS: 'c'.repeat(32),
      ADDRESS_KEY: 'a'.repeat(32),
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      OCR_QUEUE_LIMIT: '100',
      FREE_DAILY_LIMIT: '100000',
      RATE_LIMIT_PER_MINUTE: '100000',
      UPLOAD_STALL_SECONDS: '60',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: child.stdout! }).resume();
  return child;
}

async function ask(backend: Backend): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${backend.port}/readyz`).catch(() => undefined);
  backend.ready = answer?.status === 200;
}

/** Forwards each request once to the next ready process, without a retry. */
function createProxy(): Server {
  let turn = 0;
  return createServer((incoming, outgoing) => {
    const ready = backends.filter((backend) => backend.ready);
    const backend = ready[turn++ % ready.length];
    if (!backend) return void outgoing.writeHead(503).end('no process is ready');
    const { method, url, headers } = incoming;
    const handed = httpRequest(
      { agent: connections, port: backend.port, method, path: url, headers },
      (answer) => {
        backend.answered++;
        outgoing.writeHead(answer.statusCode ?? 502, { 'content-type': answer.headers['content-type'] });
        answer.pipe(outgoing);
      },
    );
    handed.on('error', (error) => void outgoing.writeHead(502).end(error.message));
    incoming.pipe(handed);
  });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await delay(20);
}

const front = () => {
  const address = proxy.address();
  return { host: '127.0.0.1', port: address && typeof address === 'object' ? address.port : 0 };
};

/** Responses, such as `200 the text`. */
async function upload(text: string, pauseMs = 0): Promise<string> {
  const form = await encodeForm(pictureForm({}, new Uint8Array(Buffer.from(text))));
  const headers = {
    'content-type': form.type,
    'content-length': form.body.length,
    cookie,
    'idempotency-key': randomUUID(),
  };
  const sent = httpRequest({ ...front(), method: 'POST', path: '/api/extract-text', headers });
  const answered = once(sent, 'response');
  answered.catch(() => {});
  const half = Math.floor(form.body.length / 2);
  sent.write(form.body.subarray(0, half));
  if (pauseMs > 0) await delay(pauseMs);
  sent.end(form.body.subarray(half));
  const [answer] = await answered;
  const body = Buffer.concat(await answer.toArray()).toString();
  return `${answer.statusCode} ${answer.statusCode === 200 ? JSON.parse(body).extractedText : body}`;
}

let cookie = '';
async function visit(): Promise<void> {
  const first = await fetch(`http://127.0.0.1:${backends[0]!.port}/api/usage`);
  cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

it('rolling restart: web processes and workers restart under load without a lost request', async () => {
  await visit();
  let loaded = true;
  const lost: string[] = [];
  let answered = 0;
  const judge = (what: string, wanted: string, got: string) => {
    if (got === wanted) answered++;
    else lost.push(`${what}: ${got}`);
  };
  const looks = async (at: number) => {
    while (loaded) {
      const { host, port } = front();
      const got = await fetch(`http://${host}:${port}/api/usage`, { headers: { cookie } }).then(
        async (answer) => {
          await answer.text();
          return String(answer.status);
        },
        String,
      );
      judge(`look ${at}`, '200', got);
      await delay(PAUSE_MS);
    }
  };
  const uploads = async (at: number, pauseMs: number) => {
    for (let round = 0; loaded; round++) {
      const text = `page ${round} of ${at}`;
      judge(`upload ${at}`, `200 ${text}`, await upload(text, pauseMs).catch(String));
      await delay(PAUSE_MS);
    }
  };
  // The slow ones are in flight when their process is stopped, and some time longer.
  const slowly = 3 * DRAIN_SECONDS * 1000;
  const load = [
    ...[1, 2].map(looks),
    ...[1, 2].map((at) => uploads(at, 0)),
    ...[3, 4, 5, 6].map((at) => uploads(at, slowly)),
  ];

  for (const backend of backends) {
    const { answered: before } = backend;
    await until(() => backend.answered > before + 10);
    const ended = once(backend.child, 'exit');
    backend.child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    const old = backend.answered;
    backend.child = launch(backend.port);
    await until(() => backend.answered > old + 10);
  }
  await workers[0]?.close();
  workers[0] = await startWorker(redis.url);
  await until(() => workers.every((worker) => worker.started.length > 0));
  loaded = false;
  await Promise.all(load);
  expect(lost).toEqual([]);
  expect(answered).toBeGreaterThan(50);
}, 120_000);
