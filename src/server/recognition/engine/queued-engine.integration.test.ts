import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OCR_ERRORS, PRIORITY, type Stage } from '#ocr';
import { eventually } from '../../../../tests/support/eventually.ts';
import { codeOf, pictureQueue, SECRET } from '../../../../tests/support/picture-queue.ts';
import { MemoryEngine, recognitionOf } from '../../../../tests/support/server-engine.ts';
import { HELD, startWorker, type TestWorker, WORKED_MS } from '../../../../tests/support/workers.ts';
import { createLogger } from '../../platform/logger.ts';
import { openRedis } from '../../platform/redis.ts';
import { startPictureWorker } from '../redis/queue-worker.ts';

/** For killed or hanging workers and a long outage of Redis, see queued-engine.wide.test.ts. */

const queue = pictureQueue();
const { webProcess, worker, waitingPictures } = queue;
/** Keys of pictures and answers in Redis. */
const bytesLeft = async () => (await queue.server.keys()).filter((key) => /picture:|answer:/.test(key));

describe('a worker', () => {
  it('uses thorough recognition only if requested', async () => {
    const { read } = await webProcess();
    const logger = createLogger('silent');
    const link = await openRedis(queue.server.url, logger);
    const engine = new MemoryEngine(async (_picture, { thorough }) => recognitionOf(`thorough: ${thorough}`));
    const alone = startPictureWorker({ link, engine, concurrency: 1, logger });
    expect(await read('a', { thorough: true })).toBe('thorough: true');
    expect(await read('b')).toBe('thorough: false');
    await alone.close();
    await link.close();
  });

  it('with one place reads other images while one waits for a language', async () => {
    const { read } = await webProcess();
    const logger = createLogger('silent');
    const link = await openRedis(queue.server.url, logger);
    let fetched = () => {};
    const whole = new Promise<void>((resolve) => {
      fetched = resolve;
    });
    const waitsForLanguage = new MemoryEngine(async (picture, { languages, onStage }) => {
      if (languages?.includes('tha')) {
        onStage?.({ name: 'fetching-language', language: 'tha', received: 1, of: 2 });
        await whole;
        onStage?.({ name: 'reading', line: 1, of: 1 });
      }
      return recognitionOf(Buffer.from(picture).toString());
    });
    const alone = startPictureWorker({ link, engine: waitsForLanguage, concurrency: 1, logger });
    const stages: Stage[] = [];
    const thai = read('Thai', { languages: ['tha'], onStage: (stage) => stages.push(stage) });
    await eventually(async () => stages.some(({ name }) => name === 'fetching-language'));
    expect(await Promise.all([read('English'), read('more English')])).toEqual(['English', 'more English']);
    fetched();
    expect(await thai).toBe('Thai');
    expect(stages).toContainEqual({ name: 'fetching-language', language: 'tha', received: 1, of: 2 });
    await alone.close();
    await link.close();
  });

  it('that is stopped finishes its images and leaves waiting ones to other workers', async () => {
    const { read } = await webProcess();
    const first = await worker();
    const inWork = read(`${HELD}first`);
    await first.waitUntilStarted(`${HELD}first`);
    const waiting = read('second');
    await waitingPictures(1);
    const closed = first.close();
    first.release(`${HELD}first`);
    await closed;
    expect(await inWork).toBe(`${HELD}first`);
    await worker();
    expect(await waiting).toBe('second');
    expect(first.started).not.toContain('second');
  });

  it('that starts late reads images that were sent before', async () => {
    const { read, engine } = await webProcess();
    const answer = read('patience');
    expect(engine.status().state).toBe('idle');
    await worker();
    expect(await answer).toBe('patience');
    await eventually(() => engine.status().state === 'ready');
  });
});

describe('without any worker', () => {
  it('an image waits for a while, and then fails as unavailable', async () => {
    const { read } = await webProcess({ aloneMs: 1 });
    expect(await codeOf(read('waits'))).toBe(OCR_ERRORS.unavailable);
    await waitingPictures(0);
    expect(await bytesLeft()).toEqual([]);
  });

  it('later images fail at once, until a worker starts', async () => {
    const { engine, read } = await webProcess({ aloneMs: 1 });
    await codeOf(read('waits'));
    expect(await codeOf(read('comes late'))).toBe(OCR_ERRORS.unavailable);
    await worker();
    await eventually(() => engine.status().state === 'ready');
    expect(await read('comes later')).toBe('comes later');
  });
});

describe('with one worker,', () => {
  let reader: TestWorker;
  beforeAll(async () => {
    reader = await startWorker(queue.server.url);
  });
  beforeEach(async () => {
    await reader.waitUntilAllReported();
    reader.started.length = 0;
    reader.aborted.length = 0;
  });
  afterAll(() => reader.kill());

  describe('a picture', () => {
    it('whose sender leaves is cancelled in the worker, and a waiting one never starts', async () => {
      const { read } = await webProcess();
      const [inWork, waiting] = [new AbortController(), new AbortController()];
      const first = codeOf(read(`${HELD}in work`, { signal: inWork.signal }));
      await reader.waitUntilStarted(`${HELD}in work`);
      const second = codeOf(read('waiting', { signal: waiting.signal }));
      await waitingPictures(1);
      waiting.abort();
      expect(await second).toBe(OCR_ERRORS.aborted);
      inWork.abort();
      expect(await first).toBe(OCR_ERRORS.aborted);
      await reader.waitUntilAborted(`${HELD}in work`);
      expect(await read('the next')).toBe('the next');
      await reader.waitUntilAllReported();
      expect(reader.started).toEqual([`${HELD}in work`, 'the next']);
    });

    it('that is cancelled during a preview still has its cost reported', async () => {
      const { engine } = await webProcess();
      const given = new AbortController();
      const cost = new Promise<number>((resolve) => {
        const picture = new Uint8Array(Buffer.from(`${HELD}a drawing`));
        engine.preview(picture, 100, { signal: given.signal, onWorked: resolve }).catch(() => {});
      });
      await reader.waitUntilStarted(`${HELD}a drawing`);
      given.abort();
      expect(await cost).toBe(WORKED_MS);
    });

    it('that crashes several workers fails as crashed, and is not retried for ever', async () => {
      const { read } = await webProcess();
      const lost = codeOf(read(`${HELD}deadly`));
      await reader.waitUntilStarted(`${HELD}deadly`);
      // Keys that BullMQ leaves of a failed job.
      const [message = ''] = await queue.redis.lrange('glyphlift:5:pictures:active', 0, -1);
      await queue.redis
        .multi()
        .lrem('glyphlift:5:pictures:active', 1, message)
        .del(`glyphlift:5:pictures:${message}`)
        .exec();
      expect(await lost).toBe(OCR_ERRORS.crashed);
      // The caller is answered before its bytes are deleted.
      await eventually(async () => (await bytesLeft()).length === 0);
    });

    it('whose web process died is cancelled when it is no longer polled', async () => {
      const dying = await webProcess();
      const lost = codeOf(dying.read(`${HELD}orphan`));
      await reader.waitUntilStarted(`${HELD}orphan`);
      await dying.link.close();
      // The polling timeout passes.
      for (const id of await queue.redis.zrange('glyphlift:5:room:held', 0, -1))
        await queue.redis.zadd('glyphlift:5:room:held', 1, id);
      await reader.waitUntilAborted(`${HELD}orphan`);
      const { read } = await webProcess();
      expect(await read('the next')).toBe('the next');
      expect(await lost).toBe(OCR_ERRORS.unavailable);
    });

    it('that waits too long fails as busy, and frees its place', async () => {
      const [patient, { read }] = await Promise.all([
        webProcess(),
        webProcess({ queueLimit: 1, waitMs: 300 }),
      ]);
      const busy = patient.read(`${HELD}busy`);
      await reader.waitUntilStarted(`${HELD}busy`);
      expect(await codeOf(read('one'))).toBe(OCR_ERRORS.queueFull);
      expect(await codeOf(read('two'))).toBe(OCR_ERRORS.queueFull);
      expect(await queue.redis.zcard('glyphlift:5:room:held')).toBe(1);
      reader.release(`${HELD}busy`);
      await busy;
      expect(
        await queue.redis.exists('glyphlift:5:room:held', 'glyphlift:5:room:bytes', 'glyphlift:5:room:about'),
      ).toBe(0);
    });

    it('fails as busy while the memory for images is full', async () => {
      const { read } = await webProcess({ memoryBytes: 1_000 });
      const large = `${HELD}${'x'.repeat(700)}`;
      const first = read(large);
      await reader.waitUntilStarted(large);
      expect(await codeOf(read('y'.repeat(700)))).toBe(OCR_ERRORS.queueFull);
      const small = read('y'.repeat(100));
      await waitingPictures(1);
      reader.release(large);
      expect(await first).toBe(large);
      await small;
      expect(await read('y'.repeat(700))).toHaveLength(700);
    });

    it('leaves neither bytes nor text in Redis, whatever its outcome', async () => {
      const { read } = await webProcess();
      await read(`${SECRET} answered`);
      expect((await queue.server.contents()).includes(SECRET)).toBe(false);
      const gone = new AbortController();
      const left = codeOf(read(`${HELD}${SECRET} left`, { signal: gone.signal }));
      await reader.waitUntilStarted(`${HELD}${SECRET} left`);
      const alsoLeft = codeOf(read(`${SECRET} waiting`, { signal: gone.signal }));
      await waitingPictures(1);
      expect((await queue.server.contents()).includes(SECRET)).toBe(true);
      gone.abort();
      await reader.waitUntilAborted(`${HELD}${SECRET} left`);
      expect([await left, await alsoLeft]).toEqual([OCR_ERRORS.aborted, OCR_ERRORS.aborted]);
      expect(await read('after them')).toBe('after them');
      expect((await queue.server.contents()).includes(SECRET)).toBe(false);
      expect(await bytesLeft()).toEqual([]);
    });
  });

  describe('senders', () => {
    it('alternate: fifty waiting images of one sender delay another’s by one image only', async () => {
      const [here, there] = await Promise.all([webProcess(), webProcess()]);
      const busy = here.read(`${HELD}busy`, { sender: 'anna' });
      await reader.waitUntilStarted(`${HELD}busy`);
      const many: Promise<string>[] = [];
      for (let at = 0; at < 50; at++) {
        many.push((at % 2 ? here : there).read(`anna ${at}`, { sender: 'anna' }));
        await waitingPictures(at + 1);
      }
      const others = ['bert', 'cleo'].map((sender) => there.read(sender, { sender }));
      await waitingPictures(52);
      reader.release(`${HELD}busy`);
      await Promise.all([busy, ...many, ...others]);
      await reader.waitUntilAllReported();
      const order = reader.started.slice(1);
      expect(order.slice(0, 4)).toEqual(['anna 0', 'bert', 'cleo', 'anna 1']);
      expect(order).toHaveLength(52);
    });

    it('that arrive continuously do not starve a sender with many waiting images', async () => {
      const { read } = await webProcess();
      const busy = read(`${HELD}busy`);
      await reader.waitUntilStarted(`${HELD}busy`);
      const answers = [
        busy,
        read(`${HELD}anna 1`, { sender: 'anna' }),
        read(`${HELD}anna 2`, { sender: 'anna' }),
      ];
      await waitingPictures(2);
      for (const newcomer of ['bert', 'cleo', 'dora']) {
        answers.push(read(`${HELD}${newcomer}`, { sender: newcomer }));
      }
      await waitingPictures(5);
      reader.release(`${HELD}busy`);
      await reader.waitUntilStarted(`${HELD}anna 1`);
      answers.push(read(`${HELD}late`, { sender: 'late' }));
      await waitingPictures(5);
      for (const next of ['anna 1', 'bert', 'cleo', 'dora', 'anna 2', 'late']) {
        await reader.waitUntilStarted(`${HELD}${next}`);
        reader.release(`${HELD}${next}`);
      }
      await Promise.all(answers);
    });

    it('with premium come before all others', async () => {
      const [here, there] = await Promise.all([webProcess(), webProcess()]);
      const busy = here.read(`${HELD}busy`);
      await reader.waitUntilStarted(`${HELD}busy`);
      const answers = [here.read('free', { sender: 'anna' })];
      await waitingPictures(1);
      for (const at of [1, 2]) {
        answers.push(there.read(`premium ${at}`, { sender: 'bert', priority: PRIORITY.premium }));
        await waitingPictures(1 + at);
      }
      reader.release(`${HELD}busy`);
      await Promise.all([busy, ...answers]);
      await reader.waitUntilAllReported();
      expect(reader.started.slice(1)).toEqual(['premium 1', 'premium 2', 'free']);
    });
  });

  describe('while Redis is unavailable', () => {
    it('new images fail at once, and lost ones are sent again within the same request when it is back', async () => {
      const { read, engine } = await webProcess({ queueLimit: 2 });
      const lost = `${HELD}lost`;
      const timesStarted = (times: number) =>
        eventually(() => reader.started.filter((text) => text === lost).length === times);
      const answers = [read(lost)];
      await timesStarted(1);
      answers.push(read('lost as well'), read('and lost'));
      await waitingPictures(2);
      await queue.server.kill();
      await eventually(() => engine.status().state === 'pausing');
      expect(await codeOf(read('refused'))).toBe(OCR_ERRORS.unavailable);
      await queue.server.restart();
      // All three regain their places, although only two may wait.
      await timesStarted(2);
      reader.release(lost);
      expect(await Promise.all(answers)).toEqual([lost, 'lost as well', 'and lost']);
      await eventually(() => engine.status().state === 'ready');
      expect(await read('back')).toBe('back');
      expect(await bytesLeft()).toEqual([]);
    });
  });
});
