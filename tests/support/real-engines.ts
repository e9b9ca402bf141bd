import { afterEach, beforeAll } from 'vitest';
import { createEngine, type EngineOptions } from '../../src/ocr/engine.ts';
import type { EngineEvent } from '../../src/ocr/host/supervisor.ts';
import type { Engine, RecognizeOptions } from '../../src/ocr/types.ts';
import { fixture, longPage, sheet } from './pictures.ts';

/** One recognition process that reads English, one picture at a time. */
export const BASIC_ENGINE: EngineOptions = {
  maxPixels: 100_000_000,
  concurrency: 1,
  queueLimit: 10,
  premiumReserve: 0,
  timeoutMs: 30_000,
  languageDirs: [],
};

/** An invalid pool size: a recognition process with this setting cannot start. */
export const IMPOSSIBLE_CONCURRENCY = -1;

interface RealEngines {
  /** Events of every engine of the running test, oldest first. */
  events: EngineEvent[];
  /** An engine that is closed after the test. */
  create(options?: Partial<EngineOptions>): Engine;
  /** Creates an engine and waits until it is ready. */
  start(options?: Partial<EngineOptions>): Promise<Engine>;
}

/** Creates engines with separate recognition processes, for the tests of one file. */
export function realEngines(): RealEngines {
  const engines: Engine[] = [];
  const events: EngineEvent[] = [];
  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
    events.length = 0;
  });
  const create = (options: Partial<EngineOptions> = {}) => {
    const engine = createEngine({ ...BASIC_ENGINE, onEvent: (event) => events.push(event), ...options });
    engines.push(engine);
    return engine;
  };
  return {
    events,
    create,
    async start(options) {
      const engine = create(options);
      await engine.ready();
      return engine;
    },
  };
}

interface PicturesBySpeed {
  quick: Buffer;
  slow: Buffer;
  endless: Buffer;
}

/** Pictures by how long they take: `slow` about a second, `endless` longer than any test waits. */
export function picturesBySpeed(): PicturesBySpeed {
  const pictures: PicturesBySpeed = {
    quick: fixture('harbour-lights.png'),
    slow: Buffer.alloc(0),
    endless: Buffer.alloc(0),
  };
  beforeAll(async () => {
    [pictures.slow, pictures.endless] = await Promise.all([sheet(16), longPage()]);
  });
  return pictures;
}

/** Resolves when the picture is being read. `outcome`: its text or the code of its failure. */
export async function startReading(
  engine: Engine,
  picture: Buffer,
  options: RecognizeOptions = {},
): Promise<{ outcome: Promise<string> }> {
  let outcome: Promise<string> | undefined;
  await new Promise<void>((inWork) => {
    outcome = outcomeOf(
      engine.recognize(picture, {
        ...options,
        onStage: (stage) => {
          if (stage.name === 'finding-lines') inWork();
        },
      }),
    );
  });
  return { outcome: outcome! };
}

export function outcomeOf(recognition: Promise<{ text: string }>): Promise<string> {
  return recognition.then(
    ({ text }) => text,
    (error: { code: string }) => error.code,
  );
}

export const namesOf = (events: readonly EngineEvent[]): string[] => events.map(({ name }) => name);
