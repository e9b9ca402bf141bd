import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { extractionSchema } from '#contract/extraction';
import { eventually } from '../../tests/support/eventually.ts';
import { FAILS, HELD } from '../../tests/support/killable-worker.ts';
import { type RedisServer, startRedis } from '../../tests/support/redis-server.ts';
import {
  createStandingClock,
  createVisitor,
  pictureForm,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../tests/support/server-app.ts';
import { createHome, type Home } from '../../tests/support/server-databases.ts';
import { startWorker, type TestWorker } from '../../tests/support/workers.ts';

/** Two web processes with one database and one Redis, and a worker that knows neither of them. */

const clock = createStandingClock();
let redis: RedisServer;
let home: Home;
let worker: TestWorker;
let servers: TestServer[] = [];

beforeAll(async () => {
  [redis, home] = await Promise.all([startRedis(), createHome('postgres')]);
  worker = await startWorker(redis.url);
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
afterAll(async () => {
  await worker.kill();
  await Promise.all([redis.stop(), home.remove()]);
});

async function startTwo(env: Record<string, string> = {}): Promise<[TestServer, TestServer]> {
  const start = () => startTestServer({ home, clock, env: { REDIS_URL: redis.url, ...env } });
  const [first, second] = await Promise.all([start(), start()]);
  servers = [first, second];
  await Promise.all(servers.map(({ app }) => eventually(async () => (await ready(app)) === 200)));
  return [first, second];
}

/** The answer of `/readyz`, looked at anew. */
async function ready(app: TestServer['app']): Promise<number> {
  clock.advance(1_000);
  return (await app.inject('/readyz')).statusCode;
}

/** The same browser, connected to each of them. */
async function oneBrowser(apps: TestServer[], address?: string): Promise<Visitor[]> {
  const [first, ...others] = apps.map(({ app }) => createVisitor(app, address));
  await first?.usage();
  for (const other of others)
    for (const [name, value] of first?.cookies ?? []) other.cookies.set(name, value);
  return first ? [first, ...others] : [];
}

const eventsOf = (id: string) => `/api/extractions/${id}/events`;

const picture = (text: string, fields: Record<string, string> = {}) =>
  pictureForm(fields, new Uint8Array(Buffer.from(text)));

describe('two web processes', () => {
  let here: Visitor;
  let there: Visitor;
  beforeEach(async () => {
    [here, there] = (await oneBrowser(await startTwo())) as [Visitor, Visitor];
  });

  it('answer what a worker has read in the same request, and its failures as they are', async () => {
    const answer = await here.upload(picture('Hello from afar'));
    expect(answer.statusCode).toBe(200);
    expect(extractionSchema.parse(answer.json()).extractedText).toBe('Hello from afar');
    const refused = await there.upload(picture(`${FAILS}damaged`));
    expect([refused.statusCode, refused.json().code]).toEqual([422, 'recognition.damaged']);
    expect(await there.usage()).toMatchObject({ imageCount: 1 });
  });

  it('give a request that is repeated at the other one the first one’s answer, and count it once', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const text = `${HELD}a repeated text`;
    const first = here.upload(picture(text), key);
    await worker.hasBegun(text);
    const second = there.upload(picture(text), key);
    await delay(50);
    worker.release(text);
    const answers = [await first, await second, await there.upload(picture(text), key)];
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200]);
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
    await worker.hasToldAll();
    expect(worker.begun.filter((begun) => begun === text)).toHaveLength(1);
    expect(await here.usage()).toMatchObject({ imageCount: 1 });
    expect((await redis.contents()).includes('a repeated text')).toBe(false);
  });

  it('grant three at once to somebody who has three left and asks both of them for twenty', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 ? here : there).upload(picture(`page ${at}`))),
    );
    const statuses = answers.map((answer) => answer.statusCode).sort();
    expect(statuses).toEqual([...Array(3).fill(200), ...Array(17).fill(429)]);
  });

  it('tell whoever watches at the one what happens at the other, and nobody else', async () => {
    const id = randomUUID();
    const stranger = createVisitor(servers[1]!.app, '203.0.113.99');
    await stranger.usage();
    const watching = there.get(eventsOf(id));
    const text = `${HELD}watched`;
    const upload = here.upload(picture(text, { extractionId: id }));
    await worker.hasBegun(text);
    expect((await stranger.get(eventsOf(id))).statusCode).toBe(404);
    worker.release(text);
    expect((await upload).statusCode).toBe(200);
    const { body } = await watching;
    const stages = [...body.matchAll(/"stage":"([\w-]+)"/g)].map(([, stage]) => stage);
    expect(stages).toEqual(expect.arrayContaining(['queued', 'decoding', 'finding-lines']));
    expect(stages.at(-1)).toBe('done');
    expect((await there.get(eventsOf(id))).body).toContain('"stage":"done"');
  });
});

it('two web processes count the calls of one visitor together', async () => {
  const apps = await startTwo({ RATE_LIMIT_PER_MINUTE: '5' });
  // One call is made by then, which got them their cookie.
  const [here, there] = (await oneBrowser(apps, '203.0.113.50')) as [Visitor, Visitor];
  const statuses: number[] = [];
  for (const visitor of [there, here, there, here, there, here]) {
    statuses.push((await visitor.get('/api/usage')).statusCode);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
});

it('without Redis pages come, uploads are told to try again, readiness says why, and it comes back by itself', async () => {
  const [server] = await startTwo();
  const visitor = createVisitor(server.app);
  await redis.kill();
  await eventually(async () => (await ready(server.app)) === 503);
  clock.advance(1_000);
  expect((await server.app.inject('/readyz')).json()).toMatchObject({ redis: 'failed', database: 'ok' });
  expect((await visitor.get('/')).statusCode).toBe(200);
  expect((await visitor.get('/api/usage')).statusCode).toBe(200);
  const refused = await visitor.upload(picture('later'), { 'idempotency-key': randomUUID() });
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'recognition.unavailable']);
  expect(refused.headers['retry-after']).toBe('5');
  await redis.startAgain();
  await eventually(async () => (await ready(server.app)) === 200);
  expect((await visitor.upload(picture('back again'))).json().extractedText).toBe('back again');
});
