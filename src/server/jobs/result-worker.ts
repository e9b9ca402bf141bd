import { move } from 'piscina';
import { type ResultTask, writeResult } from './job-result.ts';

/** The writing thread's one task handler: bytes, which are moved and not copied. */
export async function work(task: ResultTask): Promise<unknown> {
  const written = await writeResult(task);
  return written instanceof Uint8Array ? move(written.buffer) : written;
}
