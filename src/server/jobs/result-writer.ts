import { Piscina } from 'piscina';
import { moduleEntry } from '../platform/module-entry.ts';
import type { Refusal, ResultTask } from './job-result.ts';
import { pdfRefused } from './jobs.errors.ts';

/** Writes results on a thread of its own: two hundred pages take a second, in which this one answers everybody else. */
export interface ResultWriter {
  /** Null for a format of tables without a table. @throws {AppError} where a PDF cannot be changed; and when it fails, or is cancelled */
  write(task: ResultTask, signal: AbortSignal): Promise<Uint8Array | null>;
  close(): Promise<void>;
}

/** The thread ends when it has had nothing to do for so long. Milliseconds. */
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
  // The thread died while idle, and the next result gets a new one; or before it was ready, and the pool would leave the
  // tasks that wait for it.
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
