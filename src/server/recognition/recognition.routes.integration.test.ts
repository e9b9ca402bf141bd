import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Extraction, extractionSchema } from '#contract/extraction';
import { OCR_ERRORS, OcrError, type OcrErrorCode, PRIORITY } from '#ocr';
import { keyOf } from '../../../tests/support/jobs.ts';
import { createMember } from '../../../tests/support/people.ts';
import {
  createTestClock,
  createVisitor,
  encodeForm,
  pictureForm,
  serversOfEachTest,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../tests/support/server-app.ts';
import { BOTH_DATABASES, createTestDatabase } from '../../../tests/support/server-databases.ts';
import { MemoryEngine, recognitionOf, untilAborted } from '../../../tests/support/server-engine.ts';

const start = serversOfEachTest();

describe('an extraction', () => {
  it('returns text, counts, whole percentages and all other fields of the contract', async () => {
    const { app } = await start();
    const response = await createVisitor(app).upload();
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    const extraction = extractionSchema.parse(response.json());
    expect(extraction).toMatchObject({ extractedText: 'Hello world', wordCount: 2, confidence: 95 });
    expect(extraction.lines[0]?.words[0]).toMatchObject({ text: 'Hello', confidence: 95 });
  });

  it('passes filtering and the free priority to the engine', async () => {
    const seen: unknown[] = [];
    const engine = new MemoryEngine(async (_picture, { filter, priority }) => {
      seen.push({ filter, priority });
      return recognitionOf('x');
    });
    const { app } = await start({ engine });
    const visitor = createVisitor(app);
    await visitor.upload(pictureForm({ useFiltering: 'false' }));
    await visitor.upload(pictureForm({}));
    expect(seen).toEqual([
      { filter: false, priority: PRIORITY.free },
      { filter: true, priority: PRIORITY.free },
    ]);
  });

  it('is thorough for premium only; a retry after an upgrade does not get the earlier free result', async () => {
    const engine = new MemoryEngine(async (_picture, { thorough }) => recognitionOf(`thorough: ${thorough}`));
    const { app, services } = await start({ engine });
    const read = async (visitor: Pick<Visitor, 'upload'>) => {
      const answer = await visitor.upload(pictureForm(), { 'idempotency-key': 'one-and-the-same' });
      return answer.json<Extraction>().extractedText;
    };
    expect(await read(createVisitor(app))).toBe('thorough: false');
    const ida = await createMember(app, 'ida');
    expect(await read(ida)).toBe('thorough: true');
    const id = (await services.accounts.findByLogin('ida'))?.id ?? '';
    await services.billing.subscriptions.markRefunded(id);
    expect(await read(ida)).toBe('thorough: false');
    await ida.pay('ida@example.org');
    expect(await read(ida)).toBe('thorough: true');
    expect(engine.started).toBe(3);
  });

  it('without text succeeds with a notice and costs nothing', async () => {
    const { app } = await start({ engine: new MemoryEngine(async () => recognitionOf('')) });
    const visitor = createVisitor(app);
    const extraction = (await visitor.upload()).json<Extraction>();
    expect(extraction).toMatchObject({ extractedText: '', wordCount: 0, confidence: 0 });
    expect(extraction.notices.map((notice) => notice.code)).toEqual(['no_text']);
    expect((await visitor.usage()).imageCount).toBe(0);
  });

  it('ignores unknown fields and files under other names', async () => {
    const { app } = await start();
    const form = pictureForm({ useFiltering: 'true', color: 'blue', note: 'x'.repeat(5000) });
    form.append('attachment', new Blob(['other']), 'other.txt');
    expect((await createVisitor(app).upload(form)).statusCode).toBe(200);
  });
});

describe('the quota of a visitor', () => {
  it.each(BOTH_DATABASES)('accepts one of fifty parallel uploads when one is left (%s)', async (database) => {
    const engine = new MemoryEngine();
    const { app } = await start({ database, engine });
    const visitor = createVisitor(app);
    await visitor.upload();
    await visitor.upload();
    const answers = await Promise.all(Array.from({ length: 50 }, () => visitor.upload()));
    const statuses = answers.map((answer) => answer.statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 429)).toHaveLength(49);
    const refused = answers.find((answer) => answer.statusCode === 429)?.json();
    expect(refused).toEqual({
      error: 'Daily limit reached. Upgrade to Premium for unlimited extractions!',
      code: 'recognition.quota_used_up',
      limitExceeded: true,
      requiresAuth: true,
    });
    expect(await visitor.usage()).toMatchObject({ imageCount: 3, dailyLimit: 3, period: 'day' });
    expect(engine.started).toBe(3);
  });

  it('is not charged for a repeat of the same image, filtered or not, even when it is used up', async () => {
    const engine = new MemoryEngine();
    const { app } = await start({ engine });
    const visitor = createVisitor(app);
    const filtered = () => visitor.upload(pictureForm({ useFiltering: 'true' }));
    const whole = () => visitor.upload(pictureForm({ useFiltering: 'false' }));
    expect((await filtered()).statusCode).toBe(200);
    expect((await whole()).statusCode).toBe(200);
    expect((await filtered()).statusCode).toBe(200);
    expect(await visitor.usage()).toMatchObject({ imageCount: 1 });
    for (let count = 0; count < 2; count++) await visitor.upload();
    expect((await visitor.upload()).statusCode).toBe(429);
    expect((await whole()).statusCode).toBe(200);
    expect(engine.started).toBe(6);
    const other = createVisitor(app, '203.0.113.8');
    await other.upload(pictureForm());
    expect(await other.usage()).toMatchObject({ imageCount: 1 });
  });

  it('resets at midnight UTC', async () => {
    const clock = createTestClock('2026-05-04T23:59:00.000Z');
    const { app } = await start({ clock });
    const visitor = createVisitor(app);
    for (let count = 0; count < 3; count++) await visitor.upload();
    expect(await visitor.usage()).toMatchObject({ imageCount: 3, resetsAt: '2026-05-05T00:00:00.000Z' });
    clock.advance(60_000);
    expect(await visitor.usage()).toMatchObject({ imageCount: 0, resetsAt: '2026-05-06T00:00:00.000Z' });
    expect((await visitor.upload()).statusCode).toBe(200);
  });

  it('has a limit per address with its own message, so that deleting the cookie renews it only a few times', async () => {
    const { app } = await start({ env: { ADDRESS_LIMIT_FACTOR: '2' } });
    for (let count = 0; count < 6; count++) {
      expect((await createVisitor(app).upload()).statusCode).toBe(200);
    }
    const refused = await createVisitor(app).upload();
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ limitExceeded: true, requiresAuth: true });
    expect(refused.json().error).toContain('from your network');
    expect((await createVisitor(app, '203.0.113.8').upload()).statusCode).toBe(200);
  });

  it('ignores a forged or foreign cookie', async () => {
    const { app } = await start();
    const visitor = createVisitor(app);
    await visitor.upload();
    const [name] = [...visitor.cookies.keys()];
    const forged = await app.inject({
      url: '/api/usage',
      headers: { cookie: `${name}=AAAAAAAAAAAAAAAAAAAAAA.c2lnbmF0dXJl` },
    });
    expect(forged.json()).toMatchObject({ imageCount: 0 });
    expect(forged.cookies[0]?.name).toBe(name);
  });
});

describe('a failed extraction', () => {
  const answers: [OcrErrorCode, number, string][] = [
    [OCR_ERRORS.unsupported, 415, 'not a picture'],
    [OCR_ERRORS.vector, 415, 'SVG'],
    [OCR_ERRORS.damaged, 422, 'damaged'],
    [OCR_ERRORS.tooManyPixels, 422, 'too many pixels'],
    [OCR_ERRORS.tooCostly, 422, 'save it again'],
    [OCR_ERRORS.languageUnavailable, 500, 'OCR processing failed'],
    [OCR_ERRORS.queueFull, 503, 'waiting'],
    [OCR_ERRORS.timedOut, 504, 'OCR processing failed'],
    [OCR_ERRORS.crashed, 500, 'OCR processing failed'],
    [OCR_ERRORS.stopping, 503, 'restarting'],
    [OCR_ERRORS.internal, 500, 'OCR processing failed'],
  ];
  it.each(answers)('with the code %s gets %d and gives the quota back', async (code, status, words) => {
    const engine = new MemoryEngine(async () => {
      throw new OcrError(code, 'internal detail');
    });
    const { app } = await start({ engine });
    const visitor = createVisitor(app);
    const response = await visitor.upload();
    expect(response.statusCode).toBe(status);
    expect(response.json().error).toContain(words);
    expect(response.body).not.toContain('internal detail');
    expect(response.headers['retry-after'] !== undefined).toBe(status === 503);
    expect((await visitor.usage()).imageCount).toBe(0);
  });

  it('with an unexpected error reveals nothing internal and releases the quota', async () => {
    const engine = new MemoryEngine(async () => {
      throw new TypeError('secret path /srv/x');
    });
    const { app } = await start({ engine });
    const visitor = createVisitor(app);
    const response = await visitor.upload();
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({ error: 'OCR processing failed', code: 'recognition.failed' });
    expect((await visitor.usage()).imageCount).toBe(0);
  });

  it('that exceeds the time limits ends with 504 and releases the quota', async () => {
    const engine = new MemoryEngine((_picture, { signal }) =>
      untilAborted(signal, () => new OcrError(OCR_ERRORS.aborted, 'given up')),
    );
    const { app } = await start({ engine, env: { OCR_TIMEOUT_SECONDS: '1', OCR_WAIT_SECONDS: '1' } });
    const visitor = createVisitor(app);
    const signalAfter = AbortSignal.timeout;
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => signalAfter(100));
    onTestFinished(() => timeout.mockRestore());
    const response = await visitor.upload();
    // Waiting, two attempts and the margin of the lease.
    expect(timeout).toHaveBeenCalledExactlyOnceWith(1_000 + 2 * 1_000 + 5_000);
    expect(response.statusCode).toBe(504);
    expect(response.json()).toEqual({ error: 'OCR processing failed', code: 'recognition.timed_out' });
    expect((await visitor.usage()).imageCount).toBe(0);
  });

  it('whose result comes after the end of its lease is not returned', async () => {
    const clock = createTestClock();
    const engine = new MemoryEngine(async () => {
      clock.advance(60_000 + 2 * 60_000 + 5_000);
      return recognitionOf('too late');
    });
    const { app } = await start({ engine, clock });
    const visitor = createVisitor(app);
    const response = await visitor.upload();
    expect(response.statusCode).toBe(504);
    expect((await visitor.usage()).imageCount).toBe(0);
  });

  /** Each kind of subject with a way to repeat an uncharged request. `share`: its unpaid time in days. */
  const SUBJECTS: Array<
    [string, { share: number; code: string; come: (server: TestServer) => Promise<() => Promise<Visitor>> }]
  > = [
    [
      'a visitor, who may throw the cookie away',
      {
        share: 1,
        code: 'recognition.address_failed_too_much',
        come:
          async ({ app }) =>
          async () =>
            createVisitor(app),
      },
    ],
    [
      'a signed-in free user, who may change their address',
      {
        share: 1,
        code: 'recognition.failed_too_much',
        async come(server) {
          const person = await createMember(server.app, 'free');
          await server.services.billing.subscriptions.markRefunded(
            (await server.services.accounts.findByLogin('free'))?.id ?? '',
          );
          return elsewhere(server.app, () => ({ cookie: cookiesOf(person) }));
        },
      },
    ],
    [
      'a premium user',
      {
        share: 30,
        code: 'recognition.failed_too_much',
        async come(server) {
          const person = await createMember(server.app, 'premium');
          return elsewhere(server.app, () => ({ cookie: cookiesOf(person) }));
        },
      },
    ],
    [
      'a program with a key',
      {
        share: 30,
        code: 'recognition.failed_too_much',
        async come(server) {
          const secret = await keyOf(await createMember(server.app, 'programmer'));
          return elsewhere(server.app, () => ({ authorization: `Bearer ${secret}` }));
        },
      },
    ],
  ];
  const cookiesOf = ({ cookies }: Pick<Visitor, 'cookies'>) =>
    [...cookies].map((pair) => pair.join('=')).join('; ');
  /** The same sender, from a new address each time. */
  function elsewhere(app: TestServer['app'], headers: () => Record<string, string>) {
    let at = 0;
    return async (): Promise<Visitor> => {
      const visitor = createVisitor(app, `198.51.100.${++at}`);
      return { ...visitor, upload: (form, more) => visitor.upload(form, { ...headers(), ...more }) };
    };
  }

  it.each(SUBJECTS)('unpaid work is limited for %s', async (_who, { share, code, come }) => {
    const clock = createTestClock();
    const engine = new MemoryEngine(async () => {
      await delay(share === 1 ? 1_010 : 10);
      throw new OcrError(OCR_ERRORS.timedOut, 'the picture took too long');
    });
    const server = await start({ engine, clock, env: { FAILED_WORK_SECONDS: '1' } });
    const again = await come(server);
    if (share > 1) {
      // Failed earlier in this month.
      expect((await (await again()).upload()).statusCode).toBe(504);
      await server.database
        .updateTable('quota_holders')
        .set({ unpaid_ms: share * 1_000 - 5 })
        .execute();
    }
    expect((await (await again()).upload()).statusCode).toBe(504);
    const started = engine.started;
    const refused = await (await again()).upload();
    expect(refused.statusCode, refused.body).toBe(429);
    expect(refused.json()).toMatchObject({ code });
    expect(refused.json().limitExceeded).toBeUndefined();
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(engine.started).toBe(started);
  });
});

describe('a waiting image', () => {
  it('keeps its full work time, and its lease covers waiting and work', async () => {
    const clock = createTestClock();
    const engine = new MemoryEngine(async (_picture, { onStage }) => {
      clock.advance(50_000);
      onStage?.({ name: 'decoding' });
      clock.advance(50_000);
      return recognitionOf('in time');
    });
    const { app } = await start({
      engine,
      clock,
      env: { OCR_TIMEOUT_SECONDS: '60', OCR_WAIT_SECONDS: '60' },
    });
    const visitor = createVisitor(app);
    expect((await visitor.upload()).json().extractedText).toBe('in time');
    expect((await visitor.usage()).imageCount).toBe(1);
  });

  it('that is restarted because another one crashed its process is not charged for the lost work', async () => {
    const engine = new MemoryEngine(async (_picture, { onStage }) => {
      await new Promise((resolve) => setTimeout(resolve, 1_010));
      onStage?.({ name: 'queued' });
      throw new OcrError(OCR_ERRORS.queueFull, 'the picture waited too long');
    });
    const { app } = await start({ engine, env: { FAILED_WORK_SECONDS: '1' } });
    expect((await createVisitor(app).upload()).statusCode).toBe(503);
    expect((await createVisitor(app).upload()).statusCode).toBe(503);
  });
});

describe('an image when the queue is full', () => {
  it('is rejected with a Retry-After before anything is written', async () => {
    const engine = new MemoryEngine();
    const statements: string[] = [];
    const { app } = await start({
      engine,
      onStatement: (sql) => void statements.push(sql),
      env: { OCR_QUEUE_LIMIT: '4', OCR_PREMIUM_RESERVE: '1' },
    });
    const visitor = createVisitor(app);
    await visitor.usage();
    statements.length = 0;
    engine.waiting = 3;
    const refused = await visitor.upload();
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '10']);
    expect(refused.json().code).toBe('recognition.queue_full');
    expect(statements.filter((sql) => !/^select/.test(sql))).toEqual([]);
    engine.waiting = 2;
    expect((await visitor.upload()).statusCode).toBe(200);
    expect((await visitor.usage()).imageCount).toBe(1);
  });
});

describe('an invalid form', () => {
  it.each<[string, FormData, number, string]>([
    ['without a file', new FormData(), 400, 'Please select an image file first'],
    ['with an empty file', pictureForm({}, new Uint8Array()), 400, 'empty'],
    ['with another value for the switch', pictureForm({ useFiltering: 'yes' }), 400, 'useFiltering'],
    [
      'with a huge value for the switch',
      pictureForm({ useFiltering: 'true'.repeat(1000) }),
      400,
      'useFiltering',
    ],
    ['with an invalid id', pictureForm({ extractionId: '../../etc' }), 400, 'extractionId'],
    ['with two files', twoFiles(), 400, 'one image at a time'],
  ])('%s is rejected with an explanation and costs nothing', async (_case, form, status, words) => {
    const engine = new MemoryEngine();
    const { app } = await start({ engine });
    const visitor = createVisitor(app);
    const response = await visitor.upload(form);
    expect([response.statusCode, response.json().error]).toEqual([status, expect.stringContaining(words)]);
    expect((await visitor.usage()).imageCount).toBe(0);
    expect(engine.started).toBe(0);
  });

  it.each([
    ['JSON', 'application/json', '{"file":"x"}', 400],
    ['no boundary', 'multipart/form-data', 'x', 400],
    ['broken multipart', 'multipart/form-data; boundary=x', '--x\r\nContent-Disp', 400],
    ['no body at all', 'multipart/form-data; boundary=x', '', 400],
  ])('but %s is rejected as JSON', async (_case, type, payload, status) => {
    const { app } = await start();
    const response = await createVisitor(app).send({
      method: 'POST',
      url: '/api/extract-text',
      payload,
      headers: { 'content-type': type },
    });
    expect(response.statusCode).toBe(status);
    expect(Object.keys(response.json())).toEqual(['error', 'code']);
  });

  function twoFiles(): FormData {
    const form = pictureForm();
    form.append('file', new Blob(['second']), 'second.png');
    return form;
  }
});

it('a reservation that failed while the database was unavailable is released when it is back', async () => {
  let tries = 0;
  let isAway = true;
  const engine = new MemoryEngine(async () => {
    throw new OcrError(OCR_ERRORS.crashed, 'died');
  });
  const { app } = await start({
    engine,
    onStatement(sql) {
      if (!sql.startsWith('delete from "quota_entries"')) return;
      tries++;
      if (isAway) throw new Error('the database is away');
    },
  });
  const visitor = createVisitor(app);
  expect((await visitor.upload()).statusCode).toBe(500);
  expect((await visitor.usage()).imageCount).toBe(1);
  // The first attempt to repeat it fails too.
  await expect.poll(() => tries).toBeGreaterThan(1);
  isAway = false;
  await expect.poll(async () => (await visitor.usage()).imageCount).toBe(0);
});

it('a user is not rejected while a refund is pending', async () => {
  let failing = true;
  let isAway = false;
  const engine = new MemoryEngine(async () => {
    if (failing) throw new OcrError(OCR_ERRORS.crashed, 'died');
    return recognitionOf('read');
  });
  const { app } = await start({
    engine,
    env: { FREE_DAILY_LIMIT: '1' },
    onStatement(sql) {
      if (isAway && sql.startsWith('delete from "quota_entries"')) throw new Error('the database is away');
    },
  });
  const visitor = createVisitor(app);
  await visitor.usage();
  isAway = true;
  expect((await visitor.upload()).statusCode).toBe(500);
  isAway = false;
  failing = false;
  expect((await visitor.upload()).statusCode).toBe(200);
  expect((await visitor.usage()).imageCount).toBe(1);
});

describe('a repeated upload', () => {
  const key = { 'idempotency-key': 'one-and-the-same' };

  it('with the same key gets the first result and costs nothing', async () => {
    const engine = new MemoryEngine();
    const { app } = await start({ engine });
    const visitor = createVisitor(app);
    await visitor.usage();
    const answers = await Promise.all(Array.from({ length: 5 }, () => visitor.upload(pictureForm(), key)));
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200, 200]);
    expect((await visitor.upload(pictureForm(), key)).json()).toEqual(answers[0]?.json());
    expect(engine.started).toBe(1);
    expect((await visitor.usage()).imageCount).toBe(1);
  });

  it('needs no second place in a full queue', async () => {
    const engine = new MemoryEngine();
    const { app } = await start({ engine });
    const visitor = createVisitor(app);
    await visitor.usage();
    const first = await visitor.upload(pictureForm(), key);
    engine.waiting = 1_000;
    expect((await visitor.upload(pictureForm(), key)).json()).toEqual(first.json());
    const other = await visitor.upload(pictureForm(), { 'idempotency-key': 'another' });
    expect(other.json().code).toBe('recognition.queue_full');
    expect(engine.started).toBe(1);
  });

  it('is a new extraction after thirty seconds, for another visitor and after a failure', async () => {
    const clock = createTestClock();
    const engine = new MemoryEngine();
    const { app } = await start({ engine, clock });
    const visitor = createVisitor(app);
    const read = engine.read;
    engine.read = async () => {
      throw new OcrError(OCR_ERRORS.crashed, 'died');
    };
    expect((await visitor.upload(pictureForm(), key)).statusCode).toBe(500);
    engine.read = read;
    expect((await visitor.upload(pictureForm(), key)).statusCode).toBe(200);
    clock.advance(30_000);
    await visitor.upload(pictureForm(), key);
    await createVisitor(app).upload(pictureForm(), key);
    expect(engine.started).toBe(4);
  });

  it('that comes to a restarted server is read again and costs nothing more', async () => {
    const testDatabase = await createTestDatabase('sqlite');
    const before = await startTestServer({ testDatabase, env: { FREE_DAILY_LIMIT: '1' } });
    const visitor = createVisitor(before.app, '203.0.113.7');
    await visitor.usage();
    expect((await visitor.upload(pictureForm(), key)).statusCode).toBe(200);
    await before.close();
    const after = await startTestServer({ testDatabase, env: { FREE_DAILY_LIMIT: '1' } });
    const again = createVisitor(after.app, '203.0.113.7');
    for (const [name, value] of visitor.cookies) again.cookies.set(name, value);
    expect((await again.upload(pictureForm(), key)).statusCode).toBe(200);
    expect((await again.usage()).imageCount).toBe(1);
    expect((await again.upload()).statusCode).toBe(429);
    await after.close();
    await testDatabase.remove();
  });

  it('takes over the reservation of a server that died, even with an exhausted quota', async () => {
    const testDatabase = await createTestDatabase('sqlite');
    const env = { FREE_DAILY_LIMIT: '1' };
    let release = () => {};
    const never = new Promise<void>((resolve) => {
      release = resolve;
    });
    const engine = new MemoryEngine(async () => {
      await never;
      throw new OcrError(OCR_ERRORS.crashed, 'died');
    });
    const dead = await startTestServer({ testDatabase, env, engine });
    const alive = await startTestServer({ testDatabase, env });
    const [there, here] = [dead, alive].map(({ app }) => createVisitor(app, '203.0.113.7')) as [
      Visitor,
      Visitor,
    ];
    await there.usage();
    for (const [name, value] of there.cookies) here.cookies.set(name, value);
    const lost = there.upload(pictureForm(), key);
    await expect.poll(async () => (await here.usage()).imageCount).toBe(1);
    expect((await here.upload(pictureForm(), key)).statusCode).toBe(200);
    release();
    await lost;
    expect((await here.usage()).imageCount).toBe(1);
    await dead.close();
    await alive.close();
    await testDatabase.remove();
  });

  it('with the key of another image is rejected', async () => {
    const { app } = await start();
    const visitor = createVisitor(app);
    await visitor.upload(pictureForm(), key);
    const response = await visitor.upload(pictureForm({}, new Uint8Array([9, 9])), key);
    expect(response.statusCode).toBe(422);
  });
});

describe('a preview', () => {
  async function preview(visitor: ReturnType<typeof createVisitor>) {
    const { type, body } = await encodeForm(pictureForm());
    return visitor.send({
      method: 'POST',
      url: '/api/preview',
      payload: body,
      headers: { 'content-type': type },
    });
  }

  it('returns an image, is not counted and is not stored', async () => {
    const { app } = await start();
    const visitor = createVisitor(app);
    const response = await preview(visitor);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'no-store' });
    expect(response.rawPayload).toEqual(Buffer.from([1, 2, 3]));
    expect((await visitor.usage()).imageCount).toBe(0);
  });

  it.each(BOTH_DATABASES)(
    'counts its time up to a limit per visitor and address, and pictures can still be read (%s)',
    async (database) => {
      const engine = new MemoryEngine();
      engine.draw = async (picture, { onWorked }) => {
        onWorked?.(1_000);
        return picture;
      };
      const { app } = await start({ database, engine, env: { FAILED_WORK_SECONDS: '10' } });
      const statuses: number[] = [];
      const busy = createVisitor(app);
      await busy.usage();
      for (let count = 0; count < 3; count++) statuses.push((await preview(busy)).statusCode);
      for (let count = 0; count < 4; count++) statuses.push((await preview(createVisitor(app))).statusCode);
      expect(statuses).toEqual([200, 200, 429, 200, 200, 200, 429]);
      const refused = await preview(busy);
      expect(refused.json()).toEqual({
        code: 'recognition.previews_used_up',
        error:
          'No more previews can be made for you or your network today. Your picture can be read without one',
      });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect((await preview(createVisitor(app, '203.0.113.8'))).statusCode).toBe(200);
      expect((await busy.upload()).statusCode).toBe(200);
    },
  );

  it('counts its time when it fails, too', async () => {
    const engine = new MemoryEngine();
    engine.draw = async (_picture, { onWorked }) => {
      onWorked?.(2_000);
      throw new OcrError(OCR_ERRORS.timedOut, 'the picture took too long');
    };
    const { app } = await start({ engine, env: { FAILED_WORK_SECONDS: '10' } });
    const visitor = createVisitor(app);
    await visitor.usage();
    expect((await preview(visitor)).statusCode).toBe(504);
    expect((await preview(visitor)).statusCode).toBe(429);
  });
});
