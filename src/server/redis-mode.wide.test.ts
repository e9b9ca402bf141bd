import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { extractionSchema } from '#contract/extraction';
import { eventually } from '../../tests/support/eventually.ts';
import { jobForm, jobsOf, keyOf } from '../../tests/support/jobs.ts';
import { createMember } from '../../tests/support/people.ts';
import { type RedisServer, startRedis } from '../../tests/support/redis-server.ts';
import {
  createTestClock,
  createVisitor,
  encodeForm,
  METRICS_TOKEN,
  pictureForm,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../tests/support/server-app.ts';
import { createTestDatabase, type TestDatabase } from '../../tests/support/server-databases.ts';
import { FAILS, HELD, startWorker, type TestWorker, WORKED_MS } from '../../tests/support/workers.ts';

/** Two web processes with one database and one Redis, and a worker. */

const clock = createTestClock();
let redis: RedisServer;
let testDatabase: TestDatabase;
let worker: TestWorker;
let servers: TestServer[] = [];
/** The processes write to no other folder. */
let folder: string;

/** Text of every image of this test. */
const MARK = `Zebra quartz ${randomUUID()}`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'glyphlift-several-'));
  vi.stubEnv('TMPDIR', folder);
  [redis, testDatabase] = await Promise.all([startRedis(), createTestDatabase('postgres')]);
  worker = await startWorker(redis.url);
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
afterAll(async () => {
  await worker.kill();
  await Promise.all([redis.stop(), testDatabase.remove()]);
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

async function startTwo(env: Record<string, string> = {}): Promise<[TestServer, TestServer]> {
  const start = () => startTestServer({ testDatabase, clock, env: { REDIS_URL: redis.url, ...env } });
  const [first, second] = await Promise.all([start(), start()]);
  servers = [first, second];
  await Promise.all(servers.map(({ app }) => eventually(async () => (await ready(app)) === 200)));
  return [first, second];
}

/** A new response of `/readyz`. */
async function ready(app: TestServer['app']): Promise<number> {
  clock.advance(1_000);
  return (await app.inject('/readyz')).statusCode;
}

/** The same browser at each process. */
async function oneBrowser(apps: TestServer[], address?: string): Promise<Visitor[]> {
  const [first, ...others] = apps.map(({ app }) => createVisitor(app, address));
  await first?.usage();
  for (const other of others)
    for (const [name, value] of first?.cookies ?? []) other.cookies.set(name, value);
  return first ? [first, ...others] : [];
}

const eventsOf = (id: string) => `/api/extractions/${id}/events`;

const marked = (text: string) => `${text} ${MARK}`;
const heldPicture = (name: string) => `${HELD}${marked(name)}`;

const picture = (text: string, fields: Record<string, string> = {}) =>
  pictureForm(fields, new Uint8Array(Buffer.from(text)));

const isInRedis = async (text: string) => (await redis.contents()).includes(text);

/** Waits until this number of images is queued. */
const waitingPictures = (count: number) =>
  eventually(async () =>
    redis.ask(async (client) => {
      const waiting = Object.values(await client.hgetall('glyphlift:5:room:waiting'));
      return waiting.reduce((sum, some) => sum + Number(some), 0) === count;
    }),
  );

const timesStarted = (text: string, times: number) =>
  eventually(() => worker.started.filter((started) => started === text).length === times);

describe('two web processes', () => {
  let here: Visitor;
  let there: Visitor;
  beforeEach(async () => {
    [here, there] = (await oneBrowser(await startTwo())) as [Visitor, Visitor];
  });

  it('return results and failures of a worker within the same request', async () => {
    const answer = await here.upload(picture(marked('Hello from afar')));
    expect(answer.statusCode).toBe(200);
    expect(extractionSchema.parse(answer.json()).extractedText).toBe(marked('Hello from afar'));
    const refused = await there.upload(picture(`${FAILS}damaged`));
    expect([refused.statusCode, refused.json().code]).toEqual([422, 'recognition.damaged']);
    expect(await there.usage()).toMatchObject({ imageCount: 1 });
  });

  it('answer a repeated request at the other process with the first result, and count it once', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const text = heldPicture('a repeated text');
    const first = here.upload(picture(text), key);
    await worker.waitUntilStarted(text);
    const second = there.upload(picture(text), key);
    // It has joined the work of the first process.
    await eventually(async () => (await redis.keys()).some((name) => name.endsWith(':asked')));
    worker.release(text);
    const answers = [await first, await second, await there.upload(picture(text), key)];
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200]);
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
    await worker.waitUntilAllReported();
    expect(worker.started.filter((started) => started === text)).toHaveLength(1);
    expect(await here.usage()).toMatchObject({ imageCount: 1 });
  });

  it('grant three of twenty parallel requests to a visitor with three left', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 ? here : there).upload(picture(`page ${at}`))),
    );
    const statuses = answers.map((answer) => answer.statusCode).sort();
    expect(statuses).toEqual([...Array(3).fill(200), ...Array(17).fill(429)]);
  });

  it('report progress of the other process to watchers of the same visitor only', async () => {
    const id = randomUUID();
    const otherVisitor = createVisitor(servers[1]!.app, '203.0.113.99');
    await otherVisitor.usage();
    const watching = there.get(eventsOf(id));
    const text = heldPicture('watched');
    const upload = here.upload(picture(text, { extractionId: id }));
    await worker.waitUntilStarted(text);
    expect((await otherVisitor.get(eventsOf(id))).statusCode).toBe(404);
    worker.release(text);
    expect((await upload).statusCode).toBe(200);
    const { body } = await watching;
    const stages = [...body.matchAll(/"stage":"([\w-]+)"/g)].map(([, stage]) => stage);
    expect(stages).toEqual(expect.arrayContaining(['queued', 'decoding', 'finding-lines']));
    expect(stages.at(-1)).toBe('done');
    expect((await there.get(eventsOf(id))).body).toContain('"stage":"done"');
  });
});

describe('a client that leaves one of two web processes', () => {
  /** A request over a real connection with these cookies; returns a function that disconnects. */
  async function send({ app }: TestServer, path: string, form: FormData, { cookies }: Visitor) {
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const { type, body } = await encodeForm(form);
    const headers = {
      'content-type': type,
      'content-length': body.length,
      cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
    };
    const request = httpRequest({ port, method: 'POST', path, headers });
    request.on('error', () => {});
    request.end(body);
    return () => request.destroy();
  }

  it('cancels its image in the worker, and the next one is read', async () => {
    const apps = await startTwo();
    const [here, there] = (await oneBrowser(apps, '127.0.0.1')) as [Visitor, Visitor];
    const text = heldPicture('abandoned');
    const leave = await send(apps[0], '/api/extract-text', picture(text), here);
    await worker.waitUntilStarted(text);
    const waiting = there.upload(picture(marked('the next')));
    await waitingPictures(1);
    leave();
    await worker.waitUntilAborted(text);
    expect((await waiting).statusCode).toBe(200);
    await eventually(async () => (await here.usage()).imageCount === 1);
  });

  it('is charged the unpaid time of its preview at both', async () => {
    // A fifth of this is for one visitor, and a cancelled preview costs more in these tests.
    const apps = await startTwo({ FAILED_WORK_SECONDS: '5' });
    const [here, there] = (await oneBrowser(apps, '127.0.0.1')) as [Visitor, Visitor];
    const text = marked('unpolled');
    const leave = await send(apps[0], '/api/preview', picture(text), here);
    await worker.waitUntilStarted(text);
    leave();
    const { type, body } = await encodeForm(picture(marked('look again')));
    const spent = apps[1].database.selectFrom('quota_holders').where('unpaid_ms', '=', WORKED_MS);
    await eventually(async () => (await spent.select('holder').execute()).length > 0);
    const headers = { 'content-type': type };
    const again = await there.send({ method: 'POST', url: '/api/preview', payload: body, headers });
    expect([again.statusCode, again.json().code]).toEqual([429, 'recognition.previews_used_up']);
  });
});

it('limit a visitor to sixty parallel images at both together, which delay another visitor by one image', async () => {
  const apps = await startTwo({ FREE_DAILY_LIMIT: '1000', OCR_QUEUE_LIMIT: '200' });
  const anna = (await oneBrowser(apps, '203.0.113.60')) as [Visitor, Visitor];
  const bert = createVisitor(apps[1].app, '203.0.113.61');
  const busy = heldPicture('anna is first');
  const answers = [anna[0].upload(picture(busy))];
  await worker.waitUntilStarted(busy);
  for (let at = 1; at < 60; at++) answers.push(anna[at % 2 ? 1 : 0].upload(picture(marked(`anna ${at}`))));
  await waitingPictures(59);
  for (const visitor of anna) {
    const refused = await visitor.upload(picture(marked('anna has no more')));
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'recognition.too_many_uploads_of_one']);
    expect(refused.headers['retry-after']).toBe('5');
  }
  answers.push(bert.upload(picture(marked('bert'))));
  await waitingPictures(60);
  worker.release(busy);
  expect(new Set((await Promise.all(answers)).map((answer) => answer.statusCode))).toEqual(new Set([200]));
  await worker.waitUntilAllReported();
  const order = worker.started.slice(worker.started.indexOf(busy) + 1);
  expect(order.indexOf(marked('bert'))).toBe(1);
  expect(order).toHaveLength(60);
});

it('two web processes count the calls of one visitor together', async () => {
  const apps = await startTwo({ RATE_LIMIT_PER_MINUTE: '5' });
  // The call that set the cookie counts too.
  const [here, there] = (await oneBrowser(apps, '203.0.113.50')) as [Visitor, Visitor];
  const statuses: number[] = [];
  for (const visitor of [there, here, there, here, there, here]) {
    statuses.push((await visitor.get('/api/usage')).statusCode);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  // While Redis is unavailable, each process counts for itself.
  await redis.kill();
  await eventually(async () => (await ready(apps[0].app)) === 503 && (await ready(apps[1].app)) === 503);
  const ofEach: number[][] = [];
  for (const visitor of [here, there]) {
    const alone: number[] = [];
    for (let call = 0; call < 6; call++) alone.push((await visitor.get('/api/usage')).statusCode);
    ofEach.push(alone);
  }
  expect(ofEach).toEqual([
    [200, 200, 200, 200, 200, 429],
    [200, 200, 200, 200, 200, 429],
  ]);
  await redis.restart();
});

describe('pictures that wait when Redis restarts', () => {
  const keyed = () => ({ 'idempotency-key': randomUUID() });
  let here: Visitor;
  let there: Visitor;
  beforeEach(async () => {
    [here, there] = (await oneBrowser(await startTwo())) as [Visitor, Visitor];
  });

  it('are read within the same request if Redis is back in time, and counted once', async () => {
    const text = heldPicture('in work when Redis went');
    const first = here.upload(picture(text), keyed());
    await timesStarted(text, 1);
    const second = there.upload(picture(marked('waiting when Redis went')), keyed());
    await waitingPictures(1);
    await redis.kill();
    await redis.restart();
    await timesStarted(text, 2);
    worker.release(text);
    expect((await Promise.all([first, second])).map((answer) => answer.statusCode)).toEqual([200, 200]);
    expect(await here.usage()).toMatchObject({ imageCount: 2 });
  });

  it('fail with a Retry-After if Redis stays unavailable, cost nothing, and can be retried with the same key', async () => {
    const text = heldPicture('in work when Redis stayed away');
    const pictures = [text, marked('waiting when Redis stayed away'), marked('and waiting')];
    const keys = pictures.map(keyed);
    const uploads = (at: number) => (at % 2 ? there : here).upload(picture(pictures[at] ?? ''), keys[at]);
    const refused = [uploads(0)];
    await timesStarted(text, 1);
    refused.push(uploads(1), uploads(2));
    await waitingPictures(2);
    await redis.kill();
    for (const { statusCode, headers, body } of await Promise.all(refused)) {
      expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
      expect(JSON.parse(body).code).toBe('recognition.unavailable');
    }
    expect(await here.usage()).toMatchObject({ imageCount: 0 });
    await redis.restart();
    await Promise.all(servers.map(({ app }) => eventually(async () => (await ready(app)) === 200)));
    const answers = [0, 1, 2].map(uploads);
    await timesStarted(text, 2);
    worker.release(text);
    expect((await Promise.all(answers)).map((answer) => answer.json().extractedText)).toEqual(pictures);
    expect(await there.usage()).toMatchObject({ imageCount: 3 });
  });
});

it('without Redis pages work, uploads fail with a Retry-After, readiness and metrics show the reason, and it recovers', async () => {
  const [server] = await startTwo();
  const visitor = createVisitor(server.app);
  await redis.kill();
  await eventually(async () => (await ready(server.app)) === 503);
  clock.advance(1_000);
  expect((await server.app.inject('/readyz')).json()).toMatchObject({ redis: 'failed', database: 'ok' });
  expect((await visitor.get('/')).statusCode).toBe(200);
  expect((await visitor.get('/api/usage')).statusCode).toBe(200);
  const refused = await visitor.upload(picture(marked('later')), { 'idempotency-key': randomUUID() });
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'recognition.unavailable']);
  expect(refused.headers['retry-after']).toBe('5');
  const { body } = await server.app.inject({
    url: '/metrics',
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  expect(body).toContain('glyphlift_redis_up 0');
  expect(body).toContain('glyphlift_database_up 1');
  expect(body).toMatch(/^glyphlift_database_connections\{state="waiting"\} 0$/m);
  expect(body).not.toMatch(/^glyphlift_workers /m);
  await redis.restart();
  await eventually(async () => (await ready(server.app)) === 200);
  expect((await visitor.upload(picture(marked('back again')))).json().extractedText).toBe(
    marked('back again'),
  );
});

describe('after all other tests,', () => {
  /** Files below the folder that contain the text. */
  async function filesContaining(text: string): Promise<string[]> {
    const found: string[] = [];
    const entries = await Promise.all(
      [folder, testDatabase.dataDir].map((one) => readdir(one, { recursive: true, withFileTypes: true })),
    );
    for (const entry of entries.flat()) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && (await readFile(path)).includes(text)) found.push(path);
    }
    return found;
  }

  it('no image or text remains in Redis or in any file', async () => {
    const [server] = await startTwo();
    const visitor = createVisitor(server.app);
    const text = heldPicture('to be found while it is in work');
    const answer = visitor.upload(picture(text), { 'idempotency-key': randomUUID() });
    await worker.waitUntilStarted(text);
    expect(await isInRedis(MARK)).toBe(true);
    worker.release(text);
    expect((await answer).statusCode).toBe(200);
    expect(await isInRedis(MARK)).toBe(false);

    const left = join(testDatabase.dataDir, 'left-on-purpose');
    await writeFile(left, `… ${MARK} …`);
    expect(await filesContaining(MARK)).toEqual([left]);
  });

  it('no id of a user or a visitor is in Redis, although their calls, uploads and jobs are counted there', async () => {
    const [server] = await startTwo();
    const visitor = createVisitor(server.app, '203.0.113.90');
    await visitor.usage();
    const [visitorId = ''] = decodeURIComponent(visitor.cookies.get('visitor') ?? '').split('.');
    expect(visitorId.length).toBeGreaterThan(15);
    const member = await createMember(server.app, 'counted');
    const jobs = jobsOf(server.app, await keyOf(member));
    const { id: userId = '' } = (await server.services.accounts.findByLogin('counted')) ?? {};
    const held = heldPicture('of a visitor');
    const answer = visitor.upload(picture(held), { 'idempotency-key': randomUUID() });
    await worker.waitUntilStarted(held);
    const sent = await jobs.send(jobForm([marked('of a job')]));
    expect(await isInRedis('limit:'), 'what is counted').toBe(true);
    for (const id of [visitorId, userId]) expect(await isInRedis(id)).toBe(false);
    worker.release(held);
    await answer;
    await jobs.ended(sent.json<{ id: string }>().id);
    for (const id of [visitorId, userId]) expect(await isInRedis(id)).toBe(false);
  });
});
