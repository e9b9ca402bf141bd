import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { OCR_ERRORS, OcrError, type Stage } from '#ocr';
import { MemoryEngine, recognitionOf, untilAborted } from '../../../../tests/support/server-engine.ts';
import { type ChannelEnd, ipcEngine, lendEngine } from './ipc-engine.ts';

/** Two ends of a channel that clones messages, like Node's IPC channel. */
function connect(): [ChannelEnd, ChannelEnd] {
  const [here, there] = [new EventEmitter(), new EventEmitter()];
  const end = (own: EventEmitter, other: EventEmitter): ChannelEnd => ({
    send: (message) => {
      const copy = structuredClone(message);
      setImmediate(() => other.emit('message', copy));
      return true;
    },
    on: (event, listener) => own.on(event, listener),
  });
  return [end(here, there), end(there, here)];
}

function lend(engine: MemoryEngine) {
  const [host, guest] = connect();
  const engineThere = ipcEngine(guest);
  return { engineThere, takeBack: lendEngine(engine, host), connectAgain: () => lend(engine) };
}

const PICTURE = new Uint8Array([1, 2, 3]);

it('reads a picture in the other process, and reports its stages', async () => {
  let seen: Uint8Array | undefined;
  const { engineThere, takeBack } = lend(
    new MemoryEngine(async (picture) => {
      seen = picture;
      return recognitionOf('Hello world');
    }),
  );
  const stages: Stage['name'][] = [];
  const { text } = await engineThere.recognize(PICTURE, { onStage: ({ name }) => stages.push(name) });
  expect(text).toBe('Hello world');
  expect(seen).toEqual(PICTURE);
  expect(stages).toEqual(['queued', 'decoding']);
  takeBack();
});

it('passes on a failure with the engine’s error code', async () => {
  const { engineThere, takeBack } = lend(
    new MemoryEngine(async () => {
      throw new OcrError(OCR_ERRORS.damaged, 'the picture ends in the middle');
    }),
  );
  const failure = await engineThere.recognize(PICTURE).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(OcrError);
  expect(failure).toMatchObject({ code: OCR_ERRORS.damaged, message: 'the picture ends in the middle' });
  takeBack();
});

it('aborts recognition when its caller aborts', async () => {
  const aborted = () => new OcrError(OCR_ERRORS.aborted, 'given up');
  const { engineThere, takeBack } = lend(
    new MemoryEngine((_picture, { signal }) => untilAborted(signal, aborted)),
  );
  const caller = new AbortController();
  const reading = engineThere.recognize(PICTURE, { signal: caller.signal, onStage: () => caller.abort() });
  await expect(reading).rejects.toMatchObject({ code: OCR_ERRORS.aborted });
  takeBack();
});

it('returns the cost of a preview, and the languages', async () => {
  const engine = new MemoryEngine();
  engine.draw = async (picture, { onWorked }) => {
    onWorked?.(12);
    return picture;
  };
  const { engineThere, takeBack } = lend(engine);
  const worked: number[] = [];
  const drawn = await engineThere.preview(PICTURE, 100, {
    onWorked: (milliseconds) => worked.push(milliseconds),
  });
  expect(drawn).toEqual(PICTURE);
  expect(worked).toEqual([12]);
  expect((await engineThere.languages()).map(({ code }) => code)).toEqual(['eng']);
  takeBack();
});

it('cancels the calls of a process that ends, and serves the next one', async () => {
  const aborted = () => new OcrError(OCR_ERRORS.aborted, 'given up');
  const engine = new MemoryEngine((_picture, { signal }) => untilAborted(signal, aborted));
  const { engineThere, takeBack, connectAgain } = lend(engine);
  const started = new Promise<void>((resolve) => {
    engineThere.recognize(PICTURE, { onStage: () => resolve() }).catch(() => {});
  });
  await started;
  await engineThere.close();
  await expect(engineThere.recognize(PICTURE)).rejects.toMatchObject({ code: OCR_ERRORS.stopping });
  takeBack();

  engine.read = async () => recognitionOf('Still here');
  const next = connectAgain();
  expect((await next.engineThere.recognize(PICTURE)).text).toBe('Still here');
  expect(next.engineThere.status().state).toBe('ready');
  next.takeBack();
});
