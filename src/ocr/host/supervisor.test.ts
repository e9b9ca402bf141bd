import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { twinOf } from '../../../tests/support/compiled-twin.ts';
import { FIXTURE_TEXT, fixture, sheet } from '../../../tests/support/pictures.ts';
import { createEngine, type EngineOptions } from '../engine.ts';
import { OCR_ERRORS } from '../errors.ts';
import { type Engine, type EngineStatus, PRIORITY, type RecogniseOptions } from '../types.ts';
import type { EngineEvent } from './supervisor.ts';

/** A time limit that the small picture keeps in a process just started on a busy machine. */
const GENEROUS_MS = 6_000;
/** One that the endless picture never keeps, and the small one does in a warm process. */
const TIGHT_MS = 3_000;
/** For tests that see a process start again and again. */
const MANY_STARTS_MS = 120_000;

/** A pool of threads cannot be made of this. */
const IMPOSSIBLE = -1;

const BASIC: EngineOptions = {
  maxPixels: 100_000_000,
  concurrency: 1,
  queueLimit: 10,
  premiumReserve: 0,
  timeoutMs: 30_000,
  languageDirs: [],
  onEvent: (event) => events.push(event),
};

let slow: Buffer;
let endless: Buffer;
let quick: Buffer;
const engines: Engine[] = [];
let events: EngineEvent[] = [];

beforeAll(async () => {
  slow = await sheet(16);
  endless = await sheet(240);
  quick = fixture('harbour-lights.png');
});

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
  events = [];
});

async function engineWith(options: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = createEngine({ ...BASIC, ...options });
  engines.push(engine);
  await engine.ready();
  return engine;
}

/** A picture that is in work when this resolves; `outcome` is its text or the code of its failure. */
async function begin(
  engine: Engine,
  picture: Buffer,
  options: RecogniseOptions = {},
): Promise<{ outcome: Promise<string> }> {
  let outcome: Promise<string> | undefined;
  await new Promise<void>((inWork) => {
    outcome = outcomeOf(
      engine.recognise(picture, {
        ...options,
        onStage: (stage) => {
          if (stage.name === 'finding-lines') inWork();
        },
      }),
    );
  });
  return { outcome: outcome! };
}

function outcomeOf(recognition: Promise<{ text: string }>): Promise<string> {
  return recognition.then(
    ({ text }) => text,
    (error: { code: string }) => error.code,
  );
}

/** A preview has no text to tell it by. */
function textless(preview: Promise<Uint8Array>): Promise<{ text: string }> {
  return preview.then(() => ({ text: 'drawn' }));
}

/** A process that has ended may stay listed, as a zombie, until its parent asks for its exit code. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    // Where there is no /proc, the signal alone has to tell.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux';
  }
}

const realTimeout = globalThis.setTimeout;

/** Waits for real processes, and leaves the supervisor's clock alone. */
async function stateOf(engine: Engine, state: EngineStatus['state']): Promise<void> {
  for (let looks = 0; engine.status().state !== state && looks < 2_000; looks++) {
    await new Promise((resolve) => realTimeout(resolve, 10));
  }
  expect(engine.status().state).toBe(state);
}

/** What the supervisor does of itself, without news from a process, it has done by now. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function namesOf(all: readonly EngineEvent[]): string[] {
  return all.map((event) => event.name);
}

describe('a recognising process', () => {
  it('that is killed in mid-picture costs that picture, and the next one is read by a new process', async () => {
    const engine = await engineWith();
    const pid = engine.status().pid!;
    const { outcome } = await begin(engine, endless);
    process.kill(pid, 'SIGKILL');
    expect(await outcome).toBe(OCR_ERRORS.crashed);
    expect(await outcomeOf(engine.recognise(quick))).toBe(FIXTURE_TEXT);
    expect(engine.status().pid).not.toBe(pid);
    expect(events).toContainEqual({
      name: 'process-died',
      pid,
      reason: 'SIGKILL',
      picturesLost: 1,
      retryInMs: 200,
    });
  });

  it('that is killed while idle is replaced before anybody asks', async () => {
    const engine = await engineWith();
    const pid = engine.status().pid!;
    process.kill(pid, 'SIGKILL');
    await expect
      .poll(() => namesOf(events), { timeout: 10_000 })
      .toEqual(['confinement', 'process-started', 'process-died', 'process-started']);
  });

  it(
    'that dies before it answered anything is started again after growing pauses',
    async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const engine = await engineWith();
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
      expect(await outcomeOf(engine.recognise(quick))).toBe(FIXTURE_TEXT);
      // Now that it has answered, there is nothing to be careful about.
      process.kill(engine.status().pid!, 'SIGKILL');
      await stateOf(engine, 'starting');
      expect(events.at(-1)).toMatchObject({ name: 'process-died', retryInMs: 0 });
      await stateOf(engine, 'ready');
    },
    MANY_STARTS_MS,
  );

  it(
    'that cannot come up is started again after growing pauses, whoever asks in between',
    async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const engine = createEngine({ ...BASIC, concurrency: IMPOSSIBLE });
      engines.push(engine);
      await expect(engine.ready()).rejects.toMatchObject({ name: 'OcrError' });
      for (const pause of [200, 400, 800, 1_600, 3_200, 6_400, 12_800, 15_000]) {
        await stateOf(engine, 'pausing');
        expect(events.at(-1)).toMatchObject({ name: 'process-start-failed', retryInMs: pause });
        const asked = [outcomeOf(engine.recognise(quick)), engine.ready().then(String, String)];
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

  it('that is resting after a failure can be closed at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const engine = createEngine({ ...BASIC, concurrency: IMPOSSIBLE });
    await expect(engine.ready()).rejects.toMatchObject({ name: 'OcrError' });
    await stateOf(engine, 'pausing');
    const waiting = engine.ready().catch((error: { code: string }) => error.code);
    await engine.close();
    expect(await waiting).toBe(OCR_ERRORS.stopping);
    expect(engine.status().state).toBe('closing');
  });

  it('that cannot come up is an error for whoever waits, not a hang', async () => {
    const engine = createEngine({ ...BASIC, concurrency: IMPOSSIBLE });
    engines.push(engine);
    await expect(engine.ready()).rejects.toMatchObject({ name: 'OcrError' });
    expect(['internal', 'crashed']).toContain(await outcomeOf(engine.recognise(quick)));
    expect(namesOf(events)).toContain('process-start-failed');
  });

  it('that hangs is replaced after the time limit, and the pictures that wait are read', async () => {
    const engine = await engineWith({ timeoutMs: GENEROUS_MS, graceMs: 100 });
    const pid = engine.status().pid!;
    process.kill(pid, 'SIGSTOP');
    const stuck = outcomeOf(engine.recognise(quick));
    const behind = outcomeOf(engine.recognise(quick));
    expect(await stuck).toBe(OCR_ERRORS.timedOut);
    expect(await behind).toBe(FIXTURE_TEXT);
    expect(events).toContainEqual({ name: 'process-unyielding', pid, cause: 'timed_out' });
  });

  it('that had to go for one picture does not cost the others', async () => {
    const engine = await engineWith({ concurrency: 2, graceMs: 50 });
    const pid = engine.status().pid!;
    process.kill(pid, 'SIGSTOP');
    const controller = new AbortController();
    const given = outcomeOf(engine.recognise(quick, { signal: controller.signal }));
    const other = outcomeOf(engine.recognise(quick));
    controller.abort();
    expect(await given).toBe(OCR_ERRORS.aborted);
    expect(await other).toBe(FIXTURE_TEXT);
  });

  it('is replaced by a fresh one after its share of pictures without losing any', async () => {
    const engine = await engineWith({ recycleAfter: 3 });
    const pid = engine.status().pid;
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(engine.recognise(quick))));
    expect(new Set(outcomes)).toEqual(new Set([FIXTURE_TEXT]));
    await expect.poll(() => namesOf(events), { timeout: 10_000 }).toContain('process-recycled');
    expect(engine.status().pid).not.toBe(pid);
  });

  it('ends by itself when the process it works for is killed', async () => {
    const script = `
      import { createEngine } from '${twinOf('src/ocr/index.ts')}';
      const engine = createEngine({ maxPixels: 1e8, concurrency: 1, queueLimit: 1, premiumReserve: 0,
        timeoutMs: 1000, languageDirs: [] });
      await engine.ready();
      console.log(engine.status().pid);`;
    const flags = ['--input-type=module', '-e', script];
    const parent = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [output] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(output.toString());
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  });
});

describe('the queue', () => {
  it('refuses at once when it is full, and keeps its last places for premium', async () => {
    const engine = await engineWith({ queueLimit: 2, premiumReserve: 1 });
    const { outcome } = await begin(engine, slow);
    const free = outcomeOf(engine.recognise(quick));
    expect(await outcomeOf(engine.recognise(quick))).toBe(OCR_ERRORS.queueFull);
    const premium = outcomeOf(engine.recognise(quick, { priority: PRIORITY.premium }));
    expect(await outcomeOf(engine.recognise(quick, { priority: PRIORITY.premium }))).toBe(
      OCR_ERRORS.queueFull,
    );
    expect(await outcome).toContain('Harbour lights');
    expect(await Promise.all([free, premium])).toEqual([FIXTURE_TEXT, FIXTURE_TEXT]);
  });

  it('puts a premium picture ahead of every waiting free one and keeps the order of arrival otherwise', async () => {
    const engine = await engineWith();
    const { outcome } = await begin(engine, slow);
    const order: string[] = [];
    const submit = async (name: string, priority: number) => {
      await engine.recognise(quick, { priority });
      order.push(name);
    };
    await Promise.all([
      submit('free 1', PRIORITY.free),
      submit('free 2', PRIORITY.free),
      submit('premium 1', PRIORITY.premium),
      submit('premium 2', PRIORITY.premium),
      outcome,
    ]);
    expect(order).toEqual(['premium 1', 'premium 2', 'free 1', 'free 2']);
  });

  it('lets a waiting picture go when it is given up', async () => {
    const engine = await engineWith();
    const { outcome } = await begin(engine, slow);
    const controller = new AbortController();
    const waiting = outcomeOf(engine.recognise(quick, { signal: controller.signal }));
    expect(engine.status().waiting).toBe(1);
    controller.abort();
    expect(await waiting).toBe(OCR_ERRORS.aborted);
    expect(engine.status().waiting).toBe(0);
    expect(await outcome).toContain('Harbour lights');
  });

  it('asks a picture that has waited long enough to come back', async () => {
    const engine = await engineWith({ waitMs: 200 });
    const controller = new AbortController();
    const { outcome } = await begin(engine, endless, { signal: controller.signal });
    expect(await outcomeOf(engine.recognise(quick))).toBe(OCR_ERRORS.queueFull);
    expect(engine.status().waiting).toBe(0);
    controller.abort();
    await outcome;
  });

  it('takes nothing that was given up before it came', async () => {
    const engine = await engineWith();
    expect(await outcomeOf(engine.recognise(quick, { signal: AbortSignal.abort() }))).toBe(
      OCR_ERRORS.aborted,
    );
  });
});

describe('a preview', () => {
  it('comes after every picture that waits to be read', async () => {
    const engine = await engineWith();
    const { outcome } = await begin(engine, slow);
    const order: string[] = [];
    await Promise.all([
      engine.preview(quick, 100).then(() => order.push('preview')),
      engine.recognise(quick).then(() => order.push('free')),
      outcome,
    ]);
    expect(order).toEqual(['free', 'preview']);
  });

  it('leaves half of the places in work and in the queue to pictures that are to be read', async () => {
    const engine = await engineWith({ concurrency: 2, queueLimit: 4, previewTimeoutMs: 20_000 });
    process.kill(engine.status().pid!, 'SIGSTOP');
    const previews = Array.from({ length: 4 }, () => outcomeOf(textless(engine.preview(quick, 100))));
    // One is in work and two wait; the fourth is refused while a picture to be read begins at once.
    expect(await previews[3]).toBe(OCR_ERRORS.queueFull);
    expect(engine.status().waiting).toBe(2);
    const read = outcomeOf(engine.recognise(quick));
    expect(engine.status().waiting).toBe(2);
    process.kill(engine.status().pid!, 'SIGCONT');
    expect(await read).toBe(FIXTURE_TEXT);
    expect(await Promise.all(previews.slice(0, 3))).toEqual(['drawn', 'drawn', 'drawn']);
  });

  it('that takes too long costs nobody else a picture, and is told what it cost', async () => {
    const engine = await engineWith({ concurrency: 2, previewTimeoutMs: 200, graceMs: 50 });
    const pid = engine.status().pid!;
    process.kill(pid, 'SIGSTOP');
    const read = outcomeOf(engine.recognise(quick));
    const worked: number[] = [];
    const onWorked = (milliseconds: number) => worked.push(milliseconds);
    expect(await outcomeOf(textless(engine.preview(quick, 100, { onWorked })))).toBe(OCR_ERRORS.timedOut);
    expect(await read).toBe(FIXTURE_TEXT);
    expect(events).toContainEqual({ name: 'process-unyielding', pid, cause: 'timed_out' });
    expect(worked).toEqual([expect.any(Number)]);
    expect(worked[0]).toBeGreaterThan(200);
  });

  it('that is given up ends no process before its own time is over', async () => {
    const engine = await engineWith({ concurrency: 2, previewTimeoutMs: 20_000, graceMs: 50 });
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
    expect(await outcomeOf(engine.recognise(quick))).toBe(FIXTURE_TEXT);
    expect(engine.status().pid).toBe(pid);
  });
});

describe('a picture in work', () => {
  it('that is given up leaves the process as it is', async () => {
    const engine = await engineWith();
    const pid = engine.status().pid;
    const controller = new AbortController();
    const { outcome } = await begin(engine, endless, { signal: controller.signal });
    controller.abort();
    expect(await outcome).toBe(OCR_ERRORS.aborted);
    expect(await outcomeOf(engine.recognise(quick))).toBe(FIXTURE_TEXT);
    expect(engine.status().pid).toBe(pid);
  });

  it('that takes too long is ended, and waiting does not count as work', async () => {
    const engine = await engineWith({ timeoutMs: TIGHT_MS });
    const pid = engine.status().pid;
    const { outcome } = await begin(engine, endless);
    // It waits for the whole limit and is read all the same.
    const next = outcomeOf(engine.recognise(quick));
    expect(await outcome).toBe(OCR_ERRORS.timedOut);
    expect(await next).toBe(FIXTURE_TEXT);
    expect(engine.status().pid).toBe(pid);
  });
});

describe('closing', () => {
  it('finishes what is in work, refuses what waits and what comes, and ends the process', async () => {
    const engine = await engineWith();
    const pid = engine.status().pid!;
    const { outcome } = await begin(engine, slow);
    const waiting = outcomeOf(engine.recognise(quick));
    const closed = engine.close();
    expect(await waiting).toBe(OCR_ERRORS.stopping);
    expect(await outcomeOf(engine.recognise(quick))).toBe(OCR_ERRORS.stopping);
    expect(await outcome).toContain('Harbour lights');
    await closed;
    expect(isAlive(pid)).toBe(false);
  });
});
