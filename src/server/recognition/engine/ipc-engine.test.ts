import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { OCR_ERRORS, OcrError, type Stage } from '#ocr';
import { MemoryEngine, recognitionOf, untilAborted } from '../../../../tests/support/server-engine.ts';
import { type ChannelEnd, ipcEngine, serveEngine } from './ipc-engine.ts';

/** Two connected ends of a channel that clones messages, like Node's IPC channel. */
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

function serve(engine: MemoryEngine) {
  const [host, client] = connect();
  const remoteEngine = ipcEngine(client);
  return { remoteEngine, endService: serveEngine(engine, host), connectAgain: () => serve(engine) };
}

const PICTURE = new Uint8Array([1, 2, 3]);

it('reads a picture in the other process, and reports its stages', async () => {
  let seen: Uint8Array | undefined;
  const { remoteEngine, endService } = serve(
    new MemoryEngine(async (picture) => {
      seen = picture;
      return recognitionOf('Hello world');
    }),
  );
  const stages: Stage['name'][] = [];
  const { text } = await remoteEngine.recognize(PICTURE, { onStage: ({ name }) => stages.push(name) });
  expect(text).toBe('Hello world');
  expect(seen).toEqual(PICTURE);
  expect(stages).toEqual(['queued', 'decoding']);
  endService();
});

it('passes on a failure with the engine’s error code', async () => {
  const { remoteEngine, endService } = serve(
    new MemoryEngine(async () => {
      throw new OcrError(OCR_ERRORS.damaged, 'the picture ends in the middle');
    }),
  );
  const failure = await remoteEngine.recognize(PICTURE).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(OcrError);
  expect(failure).toMatchObject({ code: OCR_ERRORS.damaged, message: 'the picture ends in the middle' });
  endService();
});

it('aborts recognition when its caller aborts', async () => {
  const aborted = () => new OcrError(OCR_ERRORS.aborted, 'given up');
  const { remoteEngine, endService } = serve(
    new MemoryEngine((_picture, { signal }) => untilAborted(signal, aborted)),
  );
  const caller = new AbortController();
  const reading = remoteEngine.recognize(PICTURE, { signal: caller.signal, onStage: () => caller.abort() });
  await expect(reading).rejects.toMatchObject({ code: OCR_ERRORS.aborted });
  endService();
});

it('returns the cost of a preview, and the languages', async () => {
  const engine = new MemoryEngine();
  engine.draw = async (picture, { onWorked }) => {
    onWorked?.(12);
    return picture;
  };
  const { remoteEngine, endService } = serve(engine);
  const worked: number[] = [];
  const drawn = await remoteEngine.preview(PICTURE, 100, {
    onWorked: (milliseconds) => worked.push(milliseconds),
  });
  expect(drawn).toEqual(PICTURE);
  expect(worked).toEqual([12]);
  expect((await remoteEngine.languages()).map(({ code }) => code)).toEqual(['eng']);
  endService();
});

it('cancels the calls of a process that ends, and serves the next one', async () => {
  const aborted = () => new OcrError(OCR_ERRORS.aborted, 'given up');
  const engine = new MemoryEngine((_picture, { signal }) => untilAborted(signal, aborted));
  const { remoteEngine, endService, connectAgain } = serve(engine);
  const started = new Promise<void>((resolve) => {
    remoteEngine.recognize(PICTURE, { onStage: () => resolve() }).catch(() => {});
  });
  await started;
  await remoteEngine.close();
  await expect(remoteEngine.recognize(PICTURE)).rejects.toMatchObject({ code: OCR_ERRORS.stopping });
  endService();

  engine.read = async () => recognitionOf('Still here');
  const next = connectAgain();
  expect((await next.remoteEngine.recognize(PICTURE)).text).toBe('Still here');
  expect(next.remoteEngine.status().state).toBe('ready');
  next.endService();
});
