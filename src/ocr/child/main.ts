/** Entry of the recognition process. It talks to its parent only, and ends with it. */

import { OCR_ERRORS, OcrError, toFailure } from '../errors.ts';
import type { FromProcess, PictureResult, PictureTask, ProcessSettings, ToProcess } from './messages.ts';
import { PictureReader } from './reader.ts';
import { createStageClock, type StageClock } from './stage-clock.ts';

const running = new Map<number, AbortController>();
let reader: PictureReader | undefined;

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

// Without its parent the process has no purpose; this also covers a parent that was killed.
process.on('disconnect', () => process.exit(0));

// The server decides when this process ends: a Ctrl-C in the terminal reaches both, and pictures may be in progress.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

async function start(settings: ProcessSettings): Promise<void> {
  try {
    reader = await PictureReader.start(settings, (reason) => send({ type: 'thread-died', reason }));
    send({ type: 'ready' });
  } catch (error) {
    send({ type: 'start-failed', failure: toFailure(error) });
  }
}

async function handle(id: number, bytes: Uint8Array, task: PictureTask): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  const clock = createStageClock();
  try {
    const result = await perform(id, bytes, task, controller.signal, clock);
    send({ type: 'done', id, result, stages: clock.times() });
  } catch (error) {
    send({ type: 'failed', id, failure: toFailure(error), stages: clock.times() });
  } finally {
    running.delete(id);
  }
}

async function perform(
  id: number,
  bytes: Uint8Array,
  task: PictureTask,
  signal: AbortSignal,
  clock: StageClock,
): Promise<PictureResult> {
  if (reader === undefined) throw new OcrError(OCR_ERRORS.internal, 'a picture came before the start');
  if (task.kind === 'preview') return reader.preview(bytes, { ...task, signal });
  if (task.kind === 'pages') return reader.pages(bytes, signal);
  return reader.read(bytes, {
    ...task,
    signal,
    onStage(stage) {
      clock.enter(stage);
      send({ type: 'stage', id, stage });
    },
  });
}

function send(message: FromProcess): void {
  // The channel may close between two pictures; the disconnect handler ends the process then.
  if (process.connected) process.send?.(message);
}
