import { describe, expect, it } from 'vitest';
import { createMember } from '../../../tests/support/people.ts';
import {
  createTestClock,
  createVisitor,
  serversOfEachTest,
  type Visitor,
} from '../../../tests/support/server-app.ts';
import { BOTH_DATABASES } from '../../../tests/support/server-databases.ts';
import { MemoryEngine } from '../../../tests/support/server-engine.ts';

const start = serversOfEachTest();

const URL = '/api/extractions/on-device';
const count = (visitor: Pick<Visitor, 'send'>, key: string) =>
  visitor.send({ method: 'POST', url: URL, headers: { 'idempotency-key': key } });

describe.each(BOTH_DATABASES)('reporting an on-device extraction (%s)', (database) => {
  it('charges one extraction per key, returns the usage, and rejects the fourth of a day', async () => {
    const engine = new MemoryEngine();
    const { app } = await start({ database, engine });
    const visitor = createVisitor(app);
    await visitor.upload();
    const answers = [];
    for (const key of ['a', 'a', 'b']) answers.push(await count(visitor, key));
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200]);
    expect(answers.map((answer) => answer.json().imageCount)).toEqual([2, 2, 3]);
    const refused = await count(visitor, 'c');
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ code: 'recognition.quota_used_up', limitExceeded: true });
    // A repeated report succeeds, and a further image on the server is over the limit.
    expect((await count(visitor, 'b')).statusCode).toBe(200);
    expect((await visitor.upload()).statusCode).toBe(429);
    expect(engine.started).toBe(1);
  });

  it('counts one key once for parallel calls', async () => {
    const { app } = await start({ database });
    const visitor = createVisitor(app);
    await visitor.get('/api/usage');
    const answers = await Promise.all(Array.from({ length: 4 }, () => count(visitor, 'one')));
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200]);
    expect((await visitor.usage()).imageCount).toBe(1);
  });

  it('recognizes a repeated key for a day, of the same visitor only', async () => {
    const clock = createTestClock('2026-05-04T12:00:00.000Z');
    const { app } = await start({ database, clock });
    const [visitor, other] = [createVisitor(app), createVisitor(app, '203.0.113.8')];
    await count(visitor, 'mine');
    expect((await count(other, 'mine')).json().imageCount).toBe(1);
    clock.advance(6 * 60 * 60_000);
    expect((await count(visitor, 'mine')).json().imageCount).toBe(1);
  });

  it('counts against the monthly quota of a premium user', async () => {
    const { app } = await start({ database });
    const ida = await createMember(app, 'ida');
    expect((await count(ida, 'a')).json()).toMatchObject({ imageCount: 1, period: 'month' });
  });
});

it('reporting an on-device extraction: requires an Idempotency-Key', async () => {
  const { app } = await start();
  const visitor = createVisitor(app);
  const answers = [await visitor.send({ method: 'POST', url: URL }), await count(visitor, 'with space')];
  for (const answer of answers) {
    expect(answer.statusCode).toBe(400);
    expect(answer.json().code).toBe('recognition.bad_idempotency_key');
  }
  expect((await visitor.usage()).imageCount).toBe(0);
});

it('reporting an on-device extraction: is rejected if on-device recognition is switched off', async () => {
  const { app } = await start({ env: { ON_DEVICE_READING: 'off' } });
  const answer = await count(createVisitor(app), 'a');
  expect(answer.statusCode).toBe(403);
  expect(answer.json().code).toBe('recognition.on_device_off');
});
