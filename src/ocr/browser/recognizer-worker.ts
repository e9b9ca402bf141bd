/** One thread of recognizers: a worker of the engine's own worker. Its first message is its settings. */
import { OCR_ERRORS, OcrError, toFailure } from '../errors.ts';
import { leanModel } from '../networks/lean-model.ts';
import { type NetworkTask, NetworkTasks } from '../threads/network-tasks.ts';
import type { ThreadAnswers, ThreadResult } from '../threads/tasks.ts';
import { startRuntime, type WasmRuntime } from './onnxruntime.ts';

export interface RecognizerSettings {
  runtime: WasmRuntime;
  /** By the name that tasks call them. The published ones become lean first. */
  networks: Readonly<Record<string, { model: Uint8Array; published: boolean }>>;
}

export interface RecognizerTask {
  id: number;
  task: NetworkTask;
}

export interface RecognizerAnswer {
  id: number;
  result: ThreadResult<ThreadAnswers[NetworkTask['kind']]>;
}

let tasks: NetworkTasks | undefined;

addEventListener('message', ({ data }: MessageEvent<RecognizerSettings | RecognizerTask>) => {
  if ('runtime' in data) start(data);
  else void perform(data).then((answer) => postMessage(answer));
});

function start({ runtime, networks }: RecognizerSettings): void {
  const open = startRuntime(runtime);
  tasks = new NetworkTasks((name, threads) => {
    const network = networks[String(name)];
    if (!network) throw new Error(`there is no network ${name}`);
    return open(network.published ? leanModel(network.model) : network.model, threads);
  });
}

async function perform({ id, task }: RecognizerTask): Promise<RecognizerAnswer> {
  try {
    if (!tasks) throw new Error('a task came before the settings');
    return { id, result: { ok: true, answer: await tasks.perform(task) } };
  } catch (error) {
    if (error instanceof OcrError) return { id, result: { ok: false, failure: toFailure(error) } };
    const message = `a recognizer failed (${error instanceof Error ? error.message : 'unknown'})`;
    return { id, result: { ok: false, failure: { code: OCR_ERRORS.crashed, message } } };
  }
}
