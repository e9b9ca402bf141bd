import { setTimeout } from 'node:timers/promises';
import type { Logger } from './logger.ts';

/** Runs background tasks one after the other, and none after `stop`. */
export interface Background {
  /** Whether long tasks should finish early. */
  readonly stopping: boolean;
  /** Queues a task. Resolves when it has ended. A failure is logged and does not affect later tasks. */
  run(work: () => Promise<void>): Promise<void>;
  /** Repeats the task until `stop`. */
  every(milliseconds: number, work: () => Promise<void>): void;
  /** Waits for the current task, with a timeout, because the task may hang on another system. */
  stop(): Promise<void>;
}

interface BackgroundOptions {
  logger: Logger;
  failure: string;
  timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 5_000;

export function createBackground({ logger, failure, timeoutMs = TIMEOUT_MS }: BackgroundOptions): Background {
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  function run(work: () => Promise<void>): Promise<void> {
    running = running
      .then(() => (stopping ? undefined : work()))
      .catch((error) => {
        // During a stop a task may fail because the database is closed.
        if (!stopping) logger.error({ err: error }, failure);
      });
    return running;
  }

  return {
    get stopping() {
      return stopping;
    },
    run,
    every(milliseconds, work) {
      timer = setInterval(() => void run(work), milliseconds).unref();
    },
    async stop() {
      stopping = true;
      clearInterval(timer);
      const timeout = new AbortController();
      const timedOut = setTimeout(timeoutMs, undefined, { signal: timeout.signal }).catch(() => {});
      await Promise.race([running, timedOut]);
      timeout.abort();
    },
  };
}
