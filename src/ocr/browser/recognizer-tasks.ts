/** Messages to and from a worker that runs networks, and how it answers a task. */
import { OCR_ERRORS, OcrError, toFailure } from '../errors.ts';
import type { Network } from '../networks/network.ts';
import type { NetworkTask, NetworkTasks } from '../threads/network-tasks.ts';
import type { ThreadAnswers, ThreadResult } from '../threads/tasks.ts';
import type { NamedNetwork, WasmRuntime } from './onnxruntime.ts';

export type ToRecognizer =
  /** Once, before all others. */
  | { runtime: WasmRuntime }
  /** Before the first task with it. */
  | { network: NamedNetwork }
  | { task: NetworkTask }
  /** One run of a network, by its name. */
  | { run: { name: string; input: Float32Array; dims: readonly number[] } };

export type RecognizerAnswer = ThreadResult<ThreadAnswers[NetworkTask['kind']]>;
export type RunAnswer = ThreadResult<Awaited<ReturnType<Network['run']>>>;

/** Never rejects. */
export const resultOf = (tasks: NetworkTasks, task: NetworkTask): Promise<RecognizerAnswer> =>
  answered(() => tasks.perform(task));

/** Never rejects. */
export async function answered<Answer>(run: () => Promise<Answer>): Promise<ThreadResult<Answer>> {
  try {
    return { ok: true, answer: await run() };
  } catch (error) {
    if (error instanceof OcrError) return { ok: false, failure: toFailure(error) };
    const message = `a network failed (${error instanceof Error ? error.message : 'unknown'})`;
    return { ok: false, failure: { code: OCR_ERRORS.crashed, message } };
  }
}
