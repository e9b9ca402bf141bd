import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { tmpdir } from 'node:os';
import { compiledFileOf } from './compiled-file.ts';

/** Prefix of images that fail with the given error. */
export const FAILS = 'fails as: ';
/** Prefix of images that block until the test releases them. */
export const HELD = 'held: ';

/** Processing time that a cancelled preview reports, in milliseconds. */
export const WORKED_MS = 1_234;

export type FromWorker =
  | { ready: true }
  | { started: string }
  | { aborted: string }
  | { reportedAll: true }
  | { closed: true };
export type ToWorker = { release: string } | { reportAll: true } | { close: true };

/** A worker process with a fake engine controlled by the test. */
export interface TestWorker {
  /** Started images, in order. */
  started: string[];
  aborted: string[];
  waitUntilStarted(picture: string): Promise<void>;
  waitUntilAborted(picture: string): Promise<void>;
  release(picture: string): void;
  /** Resolves when all earlier messages of the worker have arrived, because results use another channel. */
  waitUntilAllReported(): Promise<void>;
  kill(): Promise<void>;
  /** Suspends the process; its connections stay open. */
  pause(): void;
  resume(): void;
  /** Like SIGTERM. */
  close(): Promise<void>;
}

export async function startWorker(
  redisUrl: string,
  settings: { protocol?: number } = {},
): Promise<TestWorker> {
  const child: ChildProcess = fork(compiledFileOf('tests/support/killable-worker.ts'), [], {
    execArgv: [],
    env: {
      PATH: process.env.PATH,
      TMPDIR: tmpdir(),
      REDIS_URL: redisUrl,
      ...(settings.protocol !== undefined && { PROTOCOL: String(settings.protocol) }),
    },
  });
  const messages = new EventEmitter();
  const started: string[] = [];
  const aborted: string[] = [];
  let isReady = false;
  let reportedAll = 0;
  child.on('message', (message: FromWorker) => {
    if ('started' in message) started.push(message.started);
    if ('aborted' in message) aborted.push(message.aborted);
    if ('ready' in message) isReady = true;
    if ('reportedAll' in message) reportedAll++;
    messages.emit('message');
  });
  const until = async (holds: () => boolean) => {
    while (!holds()) await once(messages, 'message');
  };
  const send = (message: ToWorker) => child.send(message);
  await until(() => isReady);
  return {
    started,
    aborted,
    waitUntilStarted: (picture) => until(() => started.includes(picture)),
    waitUntilAborted: (picture) => until(() => aborted.includes(picture)),
    release: (picture) => send({ release: picture }),
    waitUntilAllReported() {
      const before = reportedAll;
      send({ reportAll: true });
      return until(() => reportedAll > before);
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async close() {
      const ended = once(child, 'exit');
      send({ close: true });
      await ended;
    },
  };
}
