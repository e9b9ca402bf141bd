import { Piscina } from 'piscina';
import { moduleEntry } from '../platform/module-entry.ts';
import type { Refusal, ResultTask } from './job-result.ts';
import { pdfRefused } from './jobs.errors.ts';

/** Writes results on a worker thread: a result of two hundred pages takes a second, which would block the event loop. */
export interface ResultWriter {
  /** Null for a table format without a table. @throws {AppError} if a PDF cannot be changed, on failure and cancellation */
  write(task: ResultTask, signal: AbortSignal): Promise<Uint8Array | null>;
  close(): Promise<void>;
}

/** Idle time after which the thread ends. Milliseconds. */
const IDLE_MS = 10_000;

export function createResultWriter(entry = moduleEntry('result-worker', import.meta.url)): ResultWriter {
  const pool = new Piscina({
    ...entry,
    name: 'work',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    atomics: 'disabled',
    recordTiming: false,
  });
  // If the thread died while idle, the next result gets a new one. If it died before it was ready, the pool would
  // never settle the tasks that wait for it.
  let waiting = new AbortController();
  pool.on('error', (error) => {
    waiting.abort(error);
    waiting = new AbortController();
  });
  return {
    async write(task, signal) {
      const written: ArrayBuffer | Refusal | null = await pool.run(task, {
        signal: AbortSignal.any([signal, waiting.signal]),
      });
      if (written && 'refused' in written) throw pdfRefused(written.refused);
      return written && new Uint8Array(written);
    },
    close: () => pool.destroy(),
  };
}
