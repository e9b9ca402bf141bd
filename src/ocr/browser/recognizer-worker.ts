/** Runs networks for the engine's own worker: a further recognizer, or the detector. */
import type { Network, OpenModel } from '../networks/network.ts';
import type { GrayImage } from '../picture/pixels.ts';
import { type NetworkTask, NetworkTasks } from '../threads/network-tasks.ts';
import type { ThreadAnswers } from '../threads/tasks.ts';
import { free, type NamedNetwork, openNamed, startRuntime } from './onnxruntime.ts';
import {
  answered,
  type RecognizerAnswer,
  type RunAnswer,
  resultOf,
  type ToRecognizer,
} from './recognizer-tasks.ts';

const networks = new Map<string, NamedNetwork>();
const opened = new Map<string, Promise<Network>>();
let open: OpenModel;
let tasks: NetworkTasks;
/** The runtime runs one network after another. */
let last: Promise<void> = Promise.resolve();

addEventListener('message', ({ data }: MessageEvent<ToRecognizer>) => {
  if ('runtime' in data) start(data.runtime);
  else if ('network' in data) networks.set(data.network.name, data.network);
  else if ('task' in data) last = last.then(() => perform(data.task));
  else void run(data.run);
});

function start(runtime: Extract<ToRecognizer, { runtime: unknown }>['runtime']): void {
  const load = startRuntime(runtime);
  open = openNamed(async (model, threads) => {
    const network = await load(model, threads);
    // The runtime keeps the bytes, and needs them no more.
    free(runtime.wasm);
    return network;
  }, networks);
  tasks = new NetworkTasks(open);
}

async function perform(task: NetworkTask): Promise<void> {
  const result: RecognizerAnswer = await resultOf(tasks, task);
  for (const crop of cropsOf(task)) free(crop.gray);
  postMessage(result, { transfer: result.ok ? buffersOf(result.answer) : [] });
}

function cropsOf(task: NetworkTask): readonly GrayImage[] {
  if (task.kind === 'posteriors') return task.crops;
  return task.kind === 'features' ? [task.crop] : [];
}

function buffersOf(answer: ThreadAnswers[NetworkTask['kind']]): ArrayBufferLike[] {
  if (!Array.isArray(answer)) return [answer.data.buffer];
  return answer.flatMap((one) => ('logs' in one ? [one.logs.buffer] : []));
}

async function run({ name, input, dims }: Extract<ToRecognizer, { run: unknown }>['run']): Promise<void> {
  const result = await answered(async () => {
    const opening = opened.get(name) ?? open(name, 1);
    opened.set(name, opening);
    return (await opening).run(input, dims);
  });
  const transfer = result.ok ? [result.answer.data.buffer] : [];
  postMessage(result satisfies RunAnswer, { transfer });
}
