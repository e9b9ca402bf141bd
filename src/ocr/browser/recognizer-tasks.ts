/** Messages to and from a recognizing worker, and how it answers a task. */
import { OCR_ERRORS, OcrError, toFailure } from '../errors.ts';
import type { NetworkTask, NetworkTasks } from '../threads/network-tasks.ts';
import type { ThreadAnswers, ThreadResult } from '../threads/tasks.ts';
import type { NamedNetworks, WasmRuntime } from './onnxruntime.ts';

/** The first message. */
export interface RecognizerSettings {
  runtime: WasmRuntime;
  networks: NamedNetworks;
}

export interface RecognizerTask {
  task: NetworkTask;
}

export interface RecognizerAnswer {
  result: ThreadResult<ThreadAnswers[NetworkTask['kind']]>;
}

/** Never rejects. */
export async function resultOf(tasks: NetworkTasks, task: NetworkTask): Promise<RecognizerAnswer['result']> {
  try {
    return { ok: true, answer: await tasks.perform(task) };
  } catch (error) {
    if (error instanceof OcrError) return { ok: false, failure: toFailure(error) };
    const message = `a recognizer failed (${error instanceof Error ? error.message : 'unknown'})`;
    return { ok: false, failure: { code: OCR_ERRORS.crashed, message } };
  }
}
