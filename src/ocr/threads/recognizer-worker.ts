import { workerData } from 'node:worker_threads';
import { OCR_ERRORS, OcrError, toFailure } from '../errors.ts';
import { openModel } from '../networks/onnxruntime.ts';
import { Tesseract } from '../recognizers/tesseract.ts';
import { type NetworkTask, NetworkTasks } from './network-tasks.ts';
import type { ThreadAnswers, ThreadResult, ThreadTask } from './tasks.ts';

/** Settings of each worker thread. */
export interface ThreadSettings {
  languageDirs: readonly string[];
  /** Batches of line crops after which the recognizer's memory is freed. */
  recycleAfter: number;
}

const { languageDirs, recycleAfter } = workerData as ThreadSettings;

const networks = new NetworkTasks(openModel);

let warm: Promise<Tesseract> | undefined;
let tasksDone = 0;

/** The thread's one task handler; piscina calls it with one task at a time. */
export async function work(task: ThreadTask): Promise<ThreadResult<ThreadAnswers[ThreadTask['kind']]>> {
  let tesseract: Tesseract | undefined;
  try {
    if (isNetworkTask(task)) return { ok: true, answer: await networks.perform(task) };
    if (task.kind === 'prepare') {
      await networks.prepare(task.second, task.network);
      if (task.network) return { ok: true, answer: null };
    }
    if (tasksDone >= recycleAfter) discardRecognizer();
    warm ??= Tesseract.create(languageDirs);
    tesseract = await warm;
    const answer = perform(tesseract, task);
    tasksDone++;
    return { ok: true, answer };
  } catch (error) {
    if (tesseract?.broken) discardRecognizer();
    if (error instanceof OcrError) return { ok: false, failure: toFailure(error) };
    // A trap inside WebAssembly leaves its memory in an unknown state.
    discardRecognizer();
    const reason = error instanceof Error ? error.name : 'unknown';
    return {
      ok: false,
      failure: { code: OCR_ERRORS.crashed, message: `the recognizer trapped (${reason})` },
    };
  }
}

type TesseractTask = Exclude<ThreadTask, NetworkTask>;

const isNetworkTask = (task: ThreadTask): task is NetworkTask =>
  task.kind === 'features' || task.kind === 'posteriors' || task.kind === 'order';

function perform(tesseract: Tesseract, task: TesseractTask): ThreadAnswers[TesseractTask['kind']] {
  switch (task.kind) {
    case 'prepare':
      tesseract.prepare(task.languages);
      return null;
    case 'read-lines':
      return task.crops.map((crop) => tesseract.readLine(crop, task.languages));
  }
}

function discardRecognizer(): void {
  warm = undefined;
  tasksDone = 0;
}
