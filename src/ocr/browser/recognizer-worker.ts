/** One further recognizer: a worker of the engine's own worker. */
import { NetworkTasks } from '../threads/network-tasks.ts';
import { openNamed, startRuntime } from './onnxruntime.ts';
import {
  type RecognizerAnswer,
  type RecognizerSettings,
  type RecognizerTask,
  resultOf,
} from './recognizer-tasks.ts';

let tasks: NetworkTasks;

addEventListener('message', ({ data }: MessageEvent<RecognizerSettings | RecognizerTask>) => {
  if ('runtime' in data) tasks = new NetworkTasks(openNamed(startRuntime(data.runtime), data.networks));
  else void resultOf(tasks, data.task).then((result) => postMessage({ result } satisfies RecognizerAnswer));
});
