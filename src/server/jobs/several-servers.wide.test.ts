import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { compiledFileOf } from '../../../tests/support/compiled-file.ts';
import { eventually } from '../../../tests/support/eventually.ts';
import { freePort } from '../../../tests/support/free-port.ts';
import { jobForm, jobsOf, keyOf } from '../../../tests/support/jobs.ts';
import { createMember, PASSWORD } from '../../../tests/support/people.ts';
import { type RedisServer, startRedis } from '../../../tests/support/redis-server.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server-app.ts';
import { createTestDatabase, type TestDatabase } from '../../../tests/support/server-databases.ts';
import { HELD, startWorker, type TestWorker } from '../../../tests/support/workers.ts';
import { systemClock } from '../platform/clock.ts';

/** Jobs whose server is killed, and jobs shared by several servers. */

const ENTRY = [compiledFileOf('tests/support/killable-server.ts')];

/** Starts a server in a separate process, with the same keys as the servers of the test. */
async function startProcess(testDatabase: TestDatabase, env: Record<string, string>) {
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, ENTRY, {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      PORT: String(port),
      DATA_DIR: testDatabase.dataDir,
      ...(testDatabase.databaseUrl !== undefined && { DATABASE_URL: testDatabase.databaseUrl }),
      COOKIE_KEYS: 'c'.repeat(32),
      ADDRESS_KEY: 'a'.repeat(32),
      WEBHOOK_TARGETS: 'anywhere',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout!, 'data');
  return {
    async send(secret: string, form: FormData): Promise<string> {
      const authorization = `Bearer ${secret}`;
      const url = `http://127.0.0.1:${port}/api/jobs`;
      const sent = await fetch(url, { method: 'POST', headers: { authorization }, body: form });
      expect(sent.status).toBe(202);
      return ((await sent.json()) as { id: string }).id;
    },
    async end(signal: 'SIGKILL' | 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}

const servers: TestServer[] = [];
const start = async (options: Parameters<typeof startTestServer>[0]) => {
  const server = await startTestServer({ clock: systemClock, ...options });
  servers.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('a job of a single server', () => {
  let testDatabase: TestDatabase;
  let receiver: Server;
  const deliveries: string[] = [];
  beforeAll(async () => {
    testDatabase = await createTestDatabase('sqlite');
    receiver = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      deliveries.push(body);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
  });
  afterAll(async () => {
    receiver.closeAllConnections();
    receiver.close();
    await testDatabase.remove();
  });

  it('after a kill and restart: ends as interrupted, charges no unread page, and sends the webhook', async () => {
    const server = await start({
      testDatabase,
      env: { WEBHOOK_TARGETS: 'anywhere', RATE_LIMIT_PER_MINUTE: '100000' },
    });
    const owner = await createMember(server.app, 'owner');
    await owner.post('/api/account/webhook-secret', { currentPassword: PASSWORD });
    const secret = await keyOf(owner);
    const jobs = jobsOf(server.app, secret);
    const killed = await startProcess(testDatabase, { HELD_TEXT: 'document', JOB_PAGES_AT_ONCE: '1' });
    const webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const id = await killed.send(secret, jobForm(['pages: 3 document'], { webhook }));
    await eventually(async () => (await jobs.state(id)).counts.running === 1);
    await killed.end('SIGKILL');
    await server.app.listen({ host: '127.0.0.1', port: 0 });
    const job = await jobs.ended(id);
    expect(job).toMatchObject({ state: 'failed', error: 'jobs.interrupted', counts: { failed: 3 } });
    expect((await jobs.result(id)).json()).toMatchObject({ code: 'jobs.no_result' });
    await eventually(async () => (await jobs.state(id)).webhook?.state === 'delivered');
    expect(JSON.parse(deliveries[0] ?? '')).toMatchObject({
      type: 'job.failed',
      data: { error: 'jobs.interrupted' },
    });
    // The page in progress had reserved an extraction, which expires without a charge.
    const committed = await server.database
      .selectFrom('quota_entries')
      .select('reservation')
      .where('committed', 'is not', null)
      .execute();
    expect(committed).toEqual([]);
  });

  it('after SIGTERM: keeps finished pages, fails the others, and charges only finished ones', async () => {
    const server = await start({ testDatabase, env: { RATE_LIMIT_PER_MINUTE: '100000' } });
    const secret = await keyOf(await createMember(server.app, 'patient'));
    const jobs = jobsOf(server.app, secret);
    const stopped = await startProcess(testDatabase, { HELD_TEXT: 'page 2', JOB_PAGES_AT_ONCE: '1' });
    const id = await stopped.send(secret, jobForm(['pages: 3 document']));
    await eventually(async () => (await jobs.state(id)).counts.done === 1);
    await stopped.end('SIGTERM');
    await server.app.listen({ host: '127.0.0.1', port: 0 });
    const job = await jobs.ended(id);
    expect(job).toMatchObject({ state: 'done', counts: { done: 1, failed: 2 } });
    expect(job.pages.map(({ error }) => error)).toEqual([undefined, 'jobs.interrupted', 'jobs.interrupted']);
    expect((await jobs.result(id, '?format=text')).body).toBe('document page 1');
    expect(await jobs.usage()).toBe(1);
  });
});

describe('with Redis and several servers a job', () => {
  let testDatabase: TestDatabase;
  let redis: RedisServer;
  let worker: TestWorker;
  beforeAll(async () => {
    [redis, testDatabase] = await Promise.all([startRedis(), createTestDatabase('postgres')]);
    worker = await startWorker(redis.url);
  });
  afterAll(async () => {
    await worker.kill();
    await Promise.all([redis.stop(), testDatabase.remove()]);
  });
  const startOne = async () => {
    const server = await start({
      testDatabase,
      env: { REDIS_URL: redis.url, RATE_LIMIT_PER_MINUTE: '100000' },
    });
    await eventually(async () => (await server.app.inject('/readyz')).statusCode === 200);
    return server;
  };

  it('is visible on every server, read by a worker, and deleted from all servers at once', async () => {
    const [here, there] = [await startOne(), await startOne()];
    const secret = await keyOf(await createMember(here.app, 'anna'));
    const [jobs, others] = [jobsOf(here.app, secret), jobsOf(there.app, secret)];
    const sent = await jobs.send(jobForm(['pages: 2 Zebra quartz', 'Zebra alone']));
    const { id } = sent.json<{ id: string }>();
    expect(await others.ended(id)).toMatchObject({ state: 'done', counts: { done: 3 } });
    const texts = 'Zebra quartz page 1\n\fZebra quartz page 2\n\fZebra alone';
    expect((await others.result(id, '?format=text')).body).toBe(texts);
    expect(await others.usage()).toBe(3);

    const held = `${HELD}anna`;
    const next = (await jobs.send(jobForm([held]))).json<{ id: string }>().id;
    await worker.waitUntilStarted(held);
    expect((await others.remove(next)).statusCode).toBe(200);
    await worker.waitUntilAborted(held);
    expect((await jobs.state(next)).state).toBe('cancelled');
    expect((await others.remove(id)).statusCode).toBe(200);
    expect((await jobs.get(`/api/jobs/${id}`)).statusCode).toBe(404);
    expect((await redis.contents()).includes('Zebra')).toBe(false);
  });

  it('is taken over after its server is killed, and each of its pages is charged once', async () => {
    const server = await startOne();
    const secret = await keyOf(await createMember(server.app, 'ben'));
    const jobs = jobsOf(server.app, secret);
    const killed = await startProcess(testDatabase, { REDIS_URL: redis.url, JOB_PAGES_AT_ONCE: '1' });
    const page = (number: number) => `${HELD}ben page ${number}`;
    const id = await killed.send(secret, jobForm([`pages: 2 ${HELD}ben`]));
    await worker.waitUntilStarted(page(1));
    worker.release(page(1));
    await worker.waitUntilStarted(page(2));
    await killed.end('SIGKILL');
    await server.app.listen({ host: '127.0.0.1', port: 0 });
    const timesStarted = (text: string) => worker.started.filter((started) => started === text).length;
    await eventually(() => timesStarted(page(2)) === 2);
    worker.release(page(2));
    expect(await jobs.ended(id)).toMatchObject({ state: 'done', counts: { done: 2, failed: 0 } });
    expect(timesStarted(page(1))).toBe(1);
    expect((await jobs.result(id, '?format=text')).body).toBe(`${page(1)}\n\f${page(2)}`);
    expect(await jobs.usage()).toBe(2);
  });
});
