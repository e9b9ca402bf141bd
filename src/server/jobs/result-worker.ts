import { move } from 'piscina';
import { type ResultTask, writeResult } from './job-result.ts';

/** Task handler of the worker thread. The resulting bytes are transferred, not copied. */
export async function work(task: ResultTask): Promise<unknown> {
  const written = await writeResult(task);
  return written instanceof Uint8Array ? move(written.buffer) : written;
}
