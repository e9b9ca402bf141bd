import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OCR_ERRORS, type Stage } from '#ocr';
import { eventually } from '../../../../tests/support/eventually.ts';
import { codeOf, pictureQueue, SECRET } from '../../../../tests/support/picture-queue.ts';
import { HELD, startWorker, type TestWorker } from '../../../../tests/support/workers.ts';

const queue = pictureQueue();
const { webProcess, worker } = queue;

describe('worker', () => {
  it('killed during recognition: another worker reads the image within the same request', async () => {
    const { read } = await webProcess();
    const [first, second] = await Promise.all([worker(), worker()]);
    const stages: Stage['name'][] = [];
    const picture = `${HELD}${SECRET}`;
    const answer = read(picture, { onStage: ({ name }) => stages.push(name) });
    await Promise.race([first.waitUntilStarted(picture), second.waitUntilStarted(picture)]);
    const [killedWorker, successor] = first.started.length > 0 ? [first, second] : [second, first];
    await killedWorker.kill();
    await successor.waitUntilStarted(picture);
    expect((await queue.server.contents()).includes(SECRET)).toBe(true);
    successor.release(picture);
    expect(await answer).toBe(picture);
    expect(stages.filter((stage) => stage === 'queued')).toHaveLength(2);
    expect((await queue.server.contents()).includes(SECRET)).toBe(false);
  });

  it('that hangs: another worker reads its image, and its late answer is ignored', async () => {
    const { read } = await webProcess();
    const [first, second] = await Promise.all([worker(), worker()]);
    const picture = `${HELD}${SECRET}`;
    const answer = read(picture);
    await Promise.race([first.waitUntilStarted(picture), second.waitUntilStarted(picture)]);
    const [suspendedWorker, successor] = first.started.length > 0 ? [first, second] : [second, first];
    suspendedWorker.pause();
    await successor.waitUntilStarted(picture);
    // The cancellation arrives while the worker is suspended, so its own answer comes too late.
    suspendedWorker.release(picture);
    successor.release(picture);
    expect(await answer).toBe(picture);
    suspendedWorker.resume();
    await suspendedWorker.waitUntilAllReported();
    const next = read(`${HELD}next`);
    await Promise.race([
      suspendedWorker.waitUntilStarted(`${HELD}next`),
      successor.waitUntilStarted(`${HELD}next`),
    ]);
    for (const each of [suspendedWorker, successor]) each.release(`${HELD}next`);
    expect(await next).toBe(`${HELD}next`);
    await Promise.all([suspendedWorker, successor].map((each) => each.waitUntilAllReported()));
    expect([...suspendedWorker.started, ...successor.started].sort()).toEqual(
      [picture, picture, `${HELD}next`].sort(),
    );
    expect((await queue.server.keys()).filter((key) => /picture:|answer:/.test(key))).toEqual([]);
    expect((await queue.server.contents()).includes(SECRET)).toBe(false);
  });

  it('of another protocol version takes only images of its own version', async () => {
    const [before, now] = await Promise.all([webProcess({ protocol: 0 }), webProcess()]);
    const ofNow = now.read('of now');
    const older = await worker({ protocol: 0 });
    expect(await before.read('of before')).toBe('of before');
    await eventually(() => before.engine.status().state === 'ready');
    expect(now.engine.status().state).toBe('idle');
    const newer = await worker();
    expect(await ofNow).toBe('of now');
    await Promise.all([older.waitUntilAllReported(), newer.waitUntilAllReported()]);
    expect([older.started, newer.started]).toEqual([['of before'], ['of now']]);
    await Promise.all([older.kill(), newer.kill()]);
    for (const { engine } of queue.webProcesses) await engine.close();
    // An unused protocol version leaves no keys behind.
    const ends = await Promise.all(
      (await queue.server.keys()).map(async (key) => [key, await queue.redis.pttl(key)]),
    );
    expect(ends.length).toBeGreaterThan(0);
    expect(ends.filter(([, end]) => Number(end) < 0)).toEqual([]);
  });
});

describe('without Redis, with one worker:', () => {
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

  it('a web process and a worker can be closed', async () => {
    const [{ engine }, idle] = await Promise.all([webProcess(), worker()]);
    await queue.server.kill();
    await eventually(() => engine.status().state === 'pausing');
    await Promise.all([engine.close(), idle.close()]);
    expect(engine.status().state).toBe('closing');
    await queue.server.restart();
  });

  it('an image that is lost a second time fails as unavailable', async () => {
    const { read, engine } = await webProcess();
    const lost = codeOf(read(`${HELD}lost twice`));
    for (const times of [1, 2]) {
      await eventually(() => reader.started.length === times);
      await queue.server.kill();
      await eventually(() => engine.status().state === 'pausing');
      await queue.server.restart();
    }
    expect(await lost).toBe(OCR_ERRORS.unavailable);
  });

  it('Redis that accepts connections without answering: new images fail, waiting ones are read when it responds again', async () => {
    const { read, engine } = await webProcess();
    const kept = read(`${HELD}kept`);
    await reader.waitUntilStarted(`${HELD}kept`);
    queue.server.pause();
    await eventually(() => engine.status().state === 'pausing');
    expect(await codeOf(read('refused'))).toBe(OCR_ERRORS.unavailable);
    reader.release(`${HELD}kept`);
    queue.server.goOn();
    expect(await kept).toBe(`${HELD}kept`);
  });
});
