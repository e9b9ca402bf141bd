import { beforeAll, describe, expect, it } from 'vitest';
import { jobResultSchema } from '#contract/job';
import { type JobProgram, jobForm, jobsOf, keyOf } from '../../../tests/support/jobs.ts';
import { createMember } from '../../../tests/support/people.ts';
import { createTestClock, sharedServer } from '../../../tests/support/server-app.ts';
import { MemoryEngine, recognitionOf } from '../../../tests/support/server-engine.ts';

describe('the result of a large job', () => {
  const PAGES = 200;
  const words = Array.from({ length: 600 }, (_, at) => `word${at}`);
  const box = { x: 0, y: 0, width: 100, height: 20 };
  /** Sixty lines of ten words. */
  const page = (number: number) => {
    const lines = Array.from({ length: 60 }, (_, at) => {
      const text = words.slice(at * 10, at * 10 + 10).join(' ');
      const items = text.split(' ').map((word) => ({ text: word, confidence: 0.954, box }));
      return { text, confidence: 0.954, box, paragraph: at, words: items };
    });
    return recognitionOf(`page ${number}`, { text: lines.map(({ text }) => text).join('\n'), lines });
  };
  const server = sharedServer({
    clock: createTestClock(),
    engine: new MemoryEngine(async (_bytes, options) => page(options.page ?? 1)),
    env: { RATE_LIMIT_PER_MINUTE: '100000', JOB_PAGES_AT_ONCE: '8', JOB_MEMORY_MB: '400' },
  });
  let jobs: JobProgram;
  let id: string;
  beforeAll(async () => {
    jobs = jobsOf(server.app, await keyOf(await createMember(server.app, 'owner')));
    const sent = await jobs.send(jobForm([`pages: ${PAGES} text`]));
    ({ id } = sent.json<{ id: string }>());
    await jobs.ended(id);
  });

  /** The longest block of the event loop, and the total time. Milliseconds. */
  async function longestBlockOf<T>(work: () => Promise<T>) {
    let [last, longest, isOver] = [performance.now(), 0, false];
    const started = last;
    const watching = (async () => {
      while (!isOver) {
        await new Promise((resolve) => setImmediate(resolve));
        const now = performance.now();
        [longest, last] = [Math.max(longest, now - last), now];
      }
    })();
    const result = await work();
    isOver = true;
    await watching;
    return { result, longest, all: performance.now() - started };
  }

  it.each(['markdown', 'hocr', 'alto', 'docx'])(
    'writing %s of 200 pages does not block other requests',
    async (format) => {
      const { result, longest, all } = await longestBlockOf(() => jobs.result(id, `?format=${format}`));
      expect(result.statusCode, result.body.slice(0, 300)).toBe(200);
      // On this thread, writing would block the event loop for nearly the total time, whatever the load of the machine.
      expect(longest).toBeLessThan(all / 3);
    },
  );

  it('JSON of 200 pages blocks the event loop for less time than parsing it would', async () => {
    const { result, longest } = await longestBlockOf(() => jobs.result(id));
    const started = performance.now();
    JSON.stringify(JSON.parse(result.body));
    expect(longest).toBeLessThan(performance.now() - started);
    expect(jobResultSchema.parse(result.json()).pages).toHaveLength(PAGES);
  });

  it('parallel requests for one result write it once, and more than nine are refused', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => jobs.result(id, '?format=text')));
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(9);
    const refused = answers.find(({ statusCode }) => statusCode === 429);
    expect(refused?.json()).toMatchObject({ code: 'jobs.too_many_results' });
    expect(refused?.headers['retry-after']).toBe('5');
    const again = await Promise.all(Array.from({ length: 30 }, () => jobs.result(id, '?format=text')));
    expect(new Set(again.map(({ statusCode }) => statusCode)), 'kept for a minute').toEqual(new Set([200]));
    expect(new Set(again.map(({ body }) => body))).toEqual(new Set([answers[0]!.body]));
    await jobs.remove(id);
    expect((await jobs.result(id, '?format=text')).statusCode).toBe(404);
  });
});
