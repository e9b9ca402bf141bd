import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../tests/support/eventually.ts';
import { jobForm, jobsOf, keyOf } from '../../../tests/support/jobs.ts';
import { createMember } from '../../../tests/support/people.ts';
import { createTestClock, startTestServer, type TestServer } from '../../../tests/support/server-app.ts';
import {
  BOTH_DATABASES,
  createMigratedDatabase,
  type TestDatabase,
} from '../../../tests/support/server-databases.ts';
import { MemoryEngine, recognitionOf, textOn, untilAborted } from '../../../tests/support/server-engine.ts';

const MINUTE_MS = 60_000;

/** Reads the text in the file, but never finishes the second page of a document with "held". */
const engine = () =>
  new MemoryEngine(async (bytes, { page, signal }) => {
    const text = textOn(bytes, page);
    if (text.endsWith('held page 2')) {
      return untilAborted(signal, () => new Error('given up'));
    }
    return recognitionOf(text);
  });

describe.each(BOTH_DATABASES)('texts of jobs over a restart (%s)', (kind) => {
  let testDatabase: TestDatabase;
  let clock: ReturnType<typeof createTestClock>;
  let server: TestServer;
  const start = async () => {
    const env = { RATE_LIMIT_PER_MINUTE: '100000', JOB_PAGES_AT_ONCE: '1' };
    server = await startTestServer({ testDatabase, clock, engine: engine(), env });
  };
  const restart = async () => {
    await server.close();
    await start();
  };
  const rows = () => server.database.selectFrom('job_texts').selectAll().execute();
  /** A job whose first page was read when its server stopped. */
  async function interrupt(secret: string): Promise<string> {
    const jobs = jobsOf(server.app, secret);
    const { id } = (await jobs.send(jobForm(['pages: 3 Zebra held']))).json<{ id: string }>();
    await eventually(async () => (await jobs.state(id)).counts.done === 1);
    await restart();
    clock.advance(10_000);
    return id;
  }

  beforeEach(async () => {
    testDatabase = await createMigratedDatabase(kind);
    clock = createTestClock();
    await start();
  });
  afterEach(async () => {
    await server.close();
    await testDatabase.remove();
  });

  it('of a running job stay readable for an hour; its unread pages fail and are not charged', async () => {
    const secret = await keyOf(await createMember(server.app, 'owner'));
    const id = await interrupt(secret);
    const [left] = await rows();
    for (const part of ['Zebra', 'file-1.png']) expect(JSON.stringify(left)).not.toContain(part);
    await server.app.listen({ host: '127.0.0.1', port: 0 });
    const jobs = jobsOf(server.app, secret);
    const job = await jobs.ended(id);
    expect(job).toMatchObject({ state: 'done', counts: { done: 1, failed: 2 } });
    expect(job.pages.map(({ error }) => error)).toEqual([undefined, 'jobs.interrupted', 'jobs.interrupted']);
    expect((await jobs.result(id, '?format=text')).body).toBe('Zebra held page 1');
    expect((await jobs.result(id, '?format=hocr')).body).toContain('file-1.png');
    expect((await jobs.result(id, '?format=pdf')).json()).toMatchObject({
      code: 'jobs.result_gone',
      detail: expect.stringContaining('another format'),
    });
    expect(await jobs.usage()).toBe(1);
    expect(await rows()).toEqual([]);
    clock.advance(60 * MINUTE_MS);
    expect((await jobs.result(id)).json()).toMatchObject({ code: 'jobs.result_gone' });
  });

  it('of a finished job stay readable after two restarts, until its hour is over', async () => {
    const secret = await keyOf(await createMember(server.app, 'owner'));
    const { id } = (await jobsOf(server.app, secret).send(jobForm(['Zebra alone']))).json<{ id: string }>();
    await jobsOf(server.app, secret).ended(id);
    await restart();
    clock.advance(30 * MINUTE_MS);
    const results = await Promise.all([1, 2].map(() => jobsOf(server.app, secret).result(id)));
    expect(results.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    await restart();
    clock.advance(29 * MINUTE_MS);
    expect((await jobsOf(server.app, secret).result(id, '?format=text')).body).toBe('Zebra alone');
    await restart();
    clock.advance(MINUTE_MS);
    expect((await jobsOf(server.app, secret).result(id)).json()).toMatchObject({ code: 'jobs.result_gone' });
    await server.sweep();
    expect(await rows()).toEqual([]);
  });

  it('are deleted at once with their job, and with their account', async () => {
    const owner = await createMember(server.app, 'owner');
    const secret = await keyOf(owner);
    const jobs = () => jobsOf(server.app, secret);
    for (const text of ['one', 'two']) {
      const { id } = (await jobs().send(jobForm([text]))).json<{ id: string }>();
      await jobs().ended(id);
    }
    await restart();
    const [first] = (await jobs().get('/api/jobs')).json<{ jobs: { id: string }[] }>().jobs;
    await jobs().remove(first!.id);
    expect(await rows()).toHaveLength(1);
    const user = await server.services.accounts.findByLogin('owner');
    await server.database.deleteFrom('users').where('id', '=', user!.id).execute();
    expect(await rows()).toEqual([]);
  });
});
