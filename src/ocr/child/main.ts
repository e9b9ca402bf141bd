/** Entry of the recognising process. It talks to its parent only, and ends when the parent does. */

import { OCR_ERRORS, OcrError, toFailure } from '../errors.ts';
import { Lexicons } from '../languages/lexicon.ts';
import { type DecodeContext, decodePicture, renderPreview, restrictDecoder } from '../picture/decode.ts';
import { readPicture } from '../pipeline.ts';
import { PaddleModels } from '../recognisers/paddle.ts';
import { RawDecoder } from '../threads/decoder-pool.ts';
import { RecogniserThreads } from '../threads/recogniser-pool.ts';
import type { FromProcess, PictureResult, PictureTask, ProcessSettings, ToProcess } from './messages.ts';

interface Machinery {
  settings: ProcessSettings;
  recognisers: RecogniserThreads;
  models: PaddleModels;
  lexicons: Lexicons;
  rawDecoder: RawDecoder;
}

const running = new Map<number, AbortController>();
let machinery: Machinery | undefined;

process.on('message', (message: ToProcess) => {
  switch (message.type) {
    case 'start':
      void start(message.settings);
      break;
    case 'picture':
      void handle(message.id, message.bytes, message.task);
      break;
    case 'abort':
      running.get(message.id)?.abort();
      break;
    case 'stop':
      process.exit(0);
  }
});

// Without its parent there is nobody to answer; this also covers a parent that was killed.
process.on('disconnect', () => process.exit(0));

// The server decides when this process ends: a Ctrl-C in the terminal reaches both, and pictures may be in flight.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

async function start(settings: ProcessSettings): Promise<void> {
  try {
    restrictDecoder(settings.threads);
    const recognisers = new RecogniserThreads({
      threads: settings.threads,
      languageDirs: settings.languageDirs,
      onThreadDied: (reason) => send({ type: 'thread-died', reason }),
    });
    const models = new PaddleModels(settings.threads, (crop, signal) => recognisers.featuresOf(crop, signal));
    const lexicons = new Lexicons(settings.languageDirs);
    await Promise.all([recognisers.prepare(['eng']), models.warm()]);
    lexicons.of(['eng']);
    machinery = { settings, recognisers, models, lexicons, rawDecoder: new RawDecoder() };
    send({ type: 'ready' });
  } catch (error) {
    send({ type: 'start-failed', failure: toFailure(error) });
  }
}

async function handle(id: number, bytes: Uint8Array, task: PictureTask): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const result = await perform(id, bytes, task, controller.signal);
    send({ type: 'done', id, result });
  } catch (error) {
    send({ type: 'failed', id, failure: toFailure(error) });
  } finally {
    running.delete(id);
  }
}

async function perform(
  id: number,
  bytes: Uint8Array,
  task: PictureTask,
  signal: AbortSignal,
): Promise<PictureResult> {
  if (machinery === undefined) throw new OcrError(OCR_ERRORS.internal, 'a picture came before the start');
  const { settings, recognisers, models, lexicons, rawDecoder } = machinery;
  const decoding: DecodeContext = {
    maxPixels: settings.maxPixels,
    decodeRaw: (format, encoded, workingPixels) =>
      rawDecoder.decode({ format, bytes: encoded, workingPixels }, signal),
  };
  if (task.kind === 'preview') return renderPreview(bytes, task.maxSide, decoding);
  return readPicture(bytes, task, {
    decode: (encoded) => decodePicture(encoded, decoding),
    recognisers,
    models,
    lexiconOf: (languages) => lexicons.of(languages),
    signal,
    onStage: (stage) => send({ type: 'stage', id, stage }),
  });
}

function send(message: FromProcess): void {
  // The channel may close between two pictures; the disconnect handler ends the process then.
  if (process.connected) process.send?.(message);
}
