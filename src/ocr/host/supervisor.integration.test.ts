import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compiledFileOf } from '../../../tests/support/compiled-file.ts';
import { FIXTURE_TEXT, textLine } from '../../../tests/support/pictures.ts';
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
import { type Engine, PRIORITY } from '../types.ts';

/** Complete tests of restarts, time limits and previews: supervisor.wide.test.ts. */

/** A limit that the endless picture exceeds, and a single line keeps in a warm process, on a busy machine too. */
const TIGHT_MS = 3_000;
/** For tests of a process that stays: a busy machine may take seconds to stop a picture. */
const PATIENT_MS = 60_000;

const pictures = picturesBySpeed();
const { quick } = pictures;
const engines = realEngines();
const { events } = engines;

/** An ended process may stay listed, as a zombie, until its parent reads its exit code. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    // Without /proc, the signal alone decides.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux';
  }
}

describe('recognition process', () => {
  it('killed during a picture: that picture fails as crashed and a new process reads the next one', async () => {
    const engine = await engines.start();
    const pid = engine.status().pid!;
    const { outcome } = await startReading(engine, pictures.endless);
    process.kill(pid, 'SIGKILL');
    expect(await outcome).toBe(OCR_ERRORS.crashed);
    expect(await outcomeOf(engine.recognize(quick))).toBe(FIXTURE_TEXT);
    expect(engine.status().pid).not.toBe(pid);
    expect(events).toContainEqual({
      name: 'process-died',
      pid,
      reason: 'SIGKILL',
      picturesLost: 1,
      retryInMs: 200,
    });
  });

  it('that cannot start: ready() and recognize() fail instead of waiting', async () => {
    const engine = engines.create({ concurrency: IMPOSSIBLE_CONCURRENCY });
    await expect(engine.ready()).rejects.toMatchObject({ name: 'OcrError' });
    expect(['internal', 'crashed']).toContain(await outcomeOf(engine.recognize(quick)));
    expect(namesOf(events)).toContain('process-start-failed');
  });

  it('replaced because of one picture: the other picture in progress is read', async () => {
    const engine = await engines.start({ concurrency: 2, graceMs: 50 });
    const pid = engine.status().pid!;
    process.kill(pid, 'SIGSTOP');
    const controller = new AbortController();
    const given = outcomeOf(engine.recognize(quick, { signal: controller.signal }));
    const other = outcomeOf(engine.recognize(quick));
    controller.abort();
    expect(await given).toBe(OCR_ERRORS.aborted);
    expect(await other).toBe(FIXTURE_TEXT);
  });

  it('whose parent process is killed: ends by itself', async () => {
    const script = `
      import { createEngine } from '${compiledFileOf('src/ocr/index.ts')}';
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
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

describe('engine queue', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = createEngine({ ...BASIC_ENGINE, graceMs: PATIENT_MS });
    await engine.ready();
  });
  afterAll(() => engine.close());

  it('premium pictures are read before every waiting free one, otherwise in order of arrival', async () => {
    const { outcome } = await startReading(engine, pictures.slow);
    const order: string[] = [];
    const submit = async (name: string, priority: number) => {
      await engine.recognize(quick, { priority });
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

  it('a waiting picture whose caller aborts leaves the queue and does not disturb the one in progress', async () => {
    const { outcome } = await startReading(engine, pictures.slow);
    const controller = new AbortController();
    const waiting = outcomeOf(engine.recognize(quick, { signal: controller.signal }));
    expect(engine.status().waiting).toBe(1);
    controller.abort();
    expect(await waiting).toBe(OCR_ERRORS.aborted);
    expect(engine.status().waiting).toBe(0);
    expect(await outcome).toContain('Harbour lights');
  });

  it('a picture whose signal is aborted before the call fails as aborted', async () => {
    expect(await outcomeOf(engine.recognize(quick, { signal: AbortSignal.abort() }))).toBe(
      OCR_ERRORS.aborted,
    );
  });

  it('a preview runs after every picture that waits to be read', async () => {
    const { outcome } = await startReading(engine, pictures.slow);
    const order: string[] = [];
    await Promise.all([
      engine.preview(quick, 100).then(() => order.push('preview')),
      engine.recognize(quick).then(() => order.push('free')),
      outcome,
    ]);
    expect(order).toEqual(['free', 'preview']);
  });

  it('an aborted picture in progress is stopped and the process stays', async () => {
    const pid = engine.status().pid;
    const controller = new AbortController();
    const { outcome } = await startReading(engine, pictures.endless, { signal: controller.signal });
    controller.abort();
    expect(await outcome).toBe(OCR_ERRORS.aborted);
    expect(await outcomeOf(engine.recognize(quick))).toBe(FIXTURE_TEXT);
    expect(engine.status().pid).toBe(pid);
  });
});

describe('picture time limit', () => {
  it('ends a picture in progress, and does not count the time that the next one waited', async () => {
    const engine = await engines.start({ timeoutMs: TIGHT_MS, graceMs: PATIENT_MS });
    const pid = engine.status().pid;
    const { outcome } = await startReading(engine, pictures.endless);
    // It waits for the whole limit and is still read.
    const next = outcomeOf(engine.recognize(await textLine(36)));
    expect(await outcome).toBe(OCR_ERRORS.timedOut);
    expect(await next).toBe('Harbour lights');
    expect(engine.status().pid).toBe(pid);
  });
});

describe('close()', () => {
  it('finishes the picture in progress, refuses waiting and new ones, and ends the process', async () => {
    const engine = await engines.start();
    const pid = engine.status().pid!;
    const { outcome } = await startReading(engine, pictures.slow);
    const waiting = outcomeOf(engine.recognize(quick));
    const closed = engine.close();
    expect(await waiting).toBe(OCR_ERRORS.stopping);
    expect(await outcomeOf(engine.recognize(quick))).toBe(OCR_ERRORS.stopping);
    expect(await outcome).toContain('Harbour lights');
    await closed;
    expect(isAlive(pid)).toBe(false);
  });
});
