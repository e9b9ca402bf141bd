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

export function createResultWriter(): ResultWriter {
  const { filename, execArgv } = moduleEntry('result-worker', import.meta.url);
  const pool = new Piscina({
    filename,
    name: 'work',
    execArgv,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    atomics: 'disabled',
    recordTiming: false,
  });
  // A thread that dies while idle has nothing to answer for; the next result gets a new one.
  pool.on('error', () => {});
  return {
    async write(task, signal) {
      const written: ArrayBuffer | Refusal | null = await pool.run(task, { signal });
      if (written && 'refused' in written) throw pdfRefused(written.refused);
      return written && new Uint8Array(written);
    },
    close: () => pool.destroy(),
  };
}
