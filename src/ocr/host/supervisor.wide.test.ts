import { afterEach, describe, expect, it, vi } from 'vitest';
import { FIXTURE_TEXT } from '../../../tests/support/pictures.ts';
import {
  BASIC_ENGINE,
  IMPOSSIBLE_CONCURRENCY,
  namesOf,
  outcomeOf,
  picturesBySpeed,
  realEngines,
  startReading,
} from '../../../tests/support/real-engines.ts';
import { createEngine } from '../engine.ts';
import { OCR_ERRORS } from '../errors.ts';
import { type Engine, type EngineStatus, PRIORITY } from '../types.ts';

/** A time limit that the quick picture keeps in a new process on a busy machine. */
const GENEROUS_MS = 6_000;
/** For tests with repeated process starts. */
const MANY_STARTS_MS = 120_000;

// Saved before the fake timers: closing the engines takes real time.
const realTimeout = globalThis.setTimeout;
const pictures = picturesBySpeed();
const { quick } = pictures;
const engines = realEngines();
const { events } = engines;
afterEach(() => void vi.useRealTimers());

/** A preview has no text to compare. */
function textless(preview: Promise<Uint8Array>): Promise<{ text: string }> {
  return preview.then(() => ({ text: 'drawn' }));
}

/** Waits for real processes, without advancing the supervisor's clock. */
async function stateOf(engine: Engine, state: EngineStatus['state']): Promise<void> {
  for (let looks = 0; engine.status().state !== state && looks < 2_000; looks++) {
    await new Promise((resolve) => realTimeout(resolve, 10));
  }
  expect(engine.status().state).toBe(state);
}

/** Waits until the supervisor has done everything that needs no message from a process. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('recognition process', () => {
  it('killed while idle: a new one starts before the next picture', async () => {
    const engine = await engines.start();
    process.kill(engine.status().pid!, 'SIGKILL');
    await expect
      .poll(() => namesOf(events), { timeout: 10_000 })
      .toEqual(['confinement', 'process-started', 'process-died', 'process-started']);
  });

  it(
    'killed before its first answer: restarts after growing pauses, and at once after it has answered',
    async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const engine = await engines.start();
      for (const pause of [200, 400, 800]) {
        process.kill(engine.status().pid!, 'SIGKILL');
        await stateOf(engine, 'pausing');
        expect(events.at(-1)).toMatchObject({ name: 'process-died', retryInMs: pause });
        vi.advanceTimersByTime(pause - 1);
        await settled();
        expect(engine.status().state).toBe('pausing');
        vi.advanceTimersByTime(1);
        await stateOf(engine, 'ready');
      }
      expect(await outcomeOf(engine.recognize(quick))).toBe(FIXTURE_TEXT);
      process.kill(engine.status().pid!, 'SIGKILL');
      await stateOf(engine, 'starting');
      expect(events.at(-1)).toMatchObject({ name: 'process-died', retryInMs: 0 });
      await stateOf(engine, 'ready');
    },
    MANY_STARTS_MS,
  );

  it(
    'that cannot start: retries after growing pauses, and requests in between do not shorten them',
    async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const engine = engines.create({ concurrency: IMPOSSIBLE_CONCURRENCY });
      await expect(engine.ready()).rejects.toMatchObject({ name: 'OcrError' });
      for (const pause of [200, 400, 800, 1_600, 3_200, 6_400, 12_800, 15_000]) {
        await stateOf(engine, 'pausing');
        expect(events.at(-1)).toMatchObject({ name: 'process-start-failed', retryInMs: pause });
        const asked = [outcomeOf(engine.recognize(quick)), engine.ready().then(String, String)];
        vi.advanceTimersByTime(pause - 1);
        await settled();
        expect(engine.status().state).toBe('pausing');
        const failuresBefore = events.length;
        vi.advanceTimersByTime(1);
        await asked[1];
        expect(events.length).toBe(failuresBefore + 1);
      }
    },
    MANY_STARTS_MS,
  );

  it('during a pause before its next start: close() ends at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const engine = createEngine({ ...BASIC_ENGINE, concurrency: IMPOSSIBLE_CONCURRENCY });
    await expect(engine.ready()).rejects.toMatchObject({ name: 'OcrError' });
    await stateOf(engine, 'pausing');
    const waiting = engine.ready().catch((error: { code: string }) => error.code);
    await engine.close();
    expect(await waiting).toBe(OCR_ERRORS.stopping);
    expect(engine.status().state).toBe('closing');
  });

  it('that hangs: replaced after the time limit, and the waiting pictures are read', async () => {
    const engine = await engines.start({ timeoutMs: GENEROUS_MS, graceMs: 100 });
    const pid = engine.status().pid!;
    process.kill(pid, 'SIGSTOP');
    const stuck = outcomeOf(engine.recognize(quick));
    const behind = outcomeOf(engine.recognize(quick));
    expect(await stuck).toBe(OCR_ERRORS.timedOut);
    expect(await behind).toBe(FIXTURE_TEXT);
    expect(events).toContainEqual({ name: 'process-unyielding', pid, cause: 'timed_out' });
  });

  it('after recycleAfter pictures: replaced by a new one without losing any', async () => {
    const engine = await engines.start({ recycleAfter: 3 });
    const pid = engine.status().pid;
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(engine.recognize(quick))));
    expect(new Set(outcomes)).toEqual(new Set([FIXTURE_TEXT]));
    await expect.poll(() => namesOf(events)).toContain('process-recycled');
    expect(engine.status().pid).not.toBe(pid);
  });
});

describe('engine queue', () => {
  it('when full refuses at once, and keeps its last places for premium', async () => {
    const engine = await engines.start({ queueLimit: 2, premiumReserve: 1 });
    const { outcome } = await startReading(engine, pictures.slow);
    const free = outcomeOf(engine.recognize(quick));
    expect(await outcomeOf(engine.recognize(quick))).toBe(OCR_ERRORS.queueFull);
    const premium = outcomeOf(engine.recognize(quick, { priority: PRIORITY.premium }));
    expect(await outcomeOf(engine.recognize(quick, { priority: PRIORITY.premium }))).toBe(
      OCR_ERRORS.queueFull,
    );
    expect(await outcome).toContain('Harbour lights');
    expect(await Promise.all([free, premium])).toEqual([FIXTURE_TEXT, FIXTURE_TEXT]);
  });

  it('refuses a picture as busy after waitMs in the queue', async () => {
    const engine = await engines.start({ waitMs: 200 });
    const controller = new AbortController();
    const { outcome } = await startReading(engine, pictures.endless, { signal: controller.signal });
    expect(await outcomeOf(engine.recognize(quick))).toBe(OCR_ERRORS.queueFull);
    expect(engine.status().waiting).toBe(0);
    controller.abort();
    await outcome;
  });
});

describe('preview', () => {
  it('leaves half of the places in progress and in the queue to pictures to be read', async () => {
    const engine = await engines.start({ concurrency: 2, queueLimit: 4, previewTimeoutMs: 20_000 });
    process.kill(engine.status().pid!, 'SIGSTOP');
    const previews = Array.from({ length: 4 }, () => outcomeOf(textless(engine.preview(quick, 100))));
    // One is in progress and two wait; the fourth is refused while a picture to be read starts at once.
    expect(await previews[3]).toBe(OCR_ERRORS.queueFull);
    expect(engine.status().waiting).toBe(2);
    const read = outcomeOf(engine.recognize(quick));
    expect(engine.status().waiting).toBe(2);
    process.kill(engine.status().pid!, 'SIGCONT');
    expect(await read).toBe(FIXTURE_TEXT);
    expect(await Promise.all(previews.slice(0, 3))).toEqual(['drawn', 'drawn', 'drawn']);
  });

  it('that takes too long fails alone, and reports its working time', async () => {
    const engine = await engines.start({ concurrency: 2, previewTimeoutMs: 200, graceMs: 50 });
    const pid = engine.status().pid!;
    process.kill(pid, 'SIGSTOP');
    const read = outcomeOf(engine.recognize(quick));
    const worked: number[] = [];
    const onWorked = (milliseconds: number) => worked.push(milliseconds);
    expect(await outcomeOf(textless(engine.preview(quick, 100, { onWorked })))).toBe(OCR_ERRORS.timedOut);
    expect(await read).toBe(FIXTURE_TEXT);
    expect(events).toContainEqual({ name: 'process-unyielding', pid, cause: 'timed_out' });
    expect(worked).toEqual([expect.any(Number)]);
    expect(worked[0]).toBeGreaterThan(200);
  });

  it('whose caller aborts keeps the process until its own time limit', async () => {
    const engine = await engines.start({ concurrency: 2, previewTimeoutMs: 20_000, graceMs: 50 });
    const pid = engine.status().pid!;
    process.kill(pid, 'SIGSTOP');
    const controller = new AbortController();
    const worked = new Promise<number>((onWorked) => {
      outcomeOf(textless(engine.preview(quick, 100, { signal: controller.signal, onWorked })));
    });
    controller.abort();
    await new Promise((resolve) => setTimeout(resolve, 200));
    process.kill(pid, 'SIGCONT');
    expect(await worked).toBeGreaterThan(200);
    expect(await outcomeOf(engine.recognize(quick))).toBe(FIXTURE_TEXT);
    expect(engine.status().pid).toBe(pid);
  });
});
