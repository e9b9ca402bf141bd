import { workerData } from 'node:worker_threads';
import { FEATURES_TENSOR, featuresOf } from '../engines/paddle-recogniser.ts';
import { openNetwork, singleFlight } from '../engines/paddle-session.ts';
import { Tesseract } from '../engines/tesseract.ts';
import { OCR_ERRORS, OcrError, toFailure } from '../errors.ts';
import type { ThreadAnswers, ThreadResult, ThreadTask } from './messages.ts';

/** What the pool hands to each of its threads. */
export interface ThreadSettings {
  languageDirs: readonly string[];
  /** Pictures, or batches of line crops, after which the recogniser's memory is given back. */
  recycleAfter: number;
}

const { languageDirs, recycleAfter } = workerData as ThreadSettings;

// A line is too little work to be shared out among cores, and a run blocks its thread: so each thread has its own.
const network = singleFlight(() => openNetwork('recognition', { threads: 1, output: FEATURES_TENSOR }));

let warm: Promise<Tesseract> | undefined;
let tasksDone = 0;

/** The thread's one task handler; piscina calls it with one task at a time. */
export async function work(task: ThreadTask): Promise<ThreadResult<ThreadAnswers[ThreadTask['kind']]>> {
  let tesseract: Tesseract | undefined;
  try {
    if (task.kind === 'features') return { ok: true, answer: await featuresOf(await network(), task.crop) };
    if (task.kind === 'prepare') await network();
    if (tasksDone >= recycleAfter) discardRecogniser();
    warm ??= Tesseract.create(languageDirs);
    tesseract = await warm;
    const answer = perform(tesseract, task);
    tasksDone++;
    return { ok: true, answer };
  } catch (error) {
    if (tesseract?.broken) discardRecogniser();
    if (error instanceof OcrError) return { ok: false, failure: toFailure(error) };
    // A trap inside WebAssembly leaves its memory in an unknown state.
    discardRecogniser();
    const reason = error instanceof Error ? error.name : 'unknown';
    return {
      ok: false,
      failure: { code: OCR_ERRORS.crashed, message: `the recogniser trapped (${reason})` },
    };
  }
}

type TesseractTask = Exclude<ThreadTask, { kind: 'features' }>;

function perform(tesseract: Tesseract, task: TesseractTask): ThreadAnswers[TesseractTask['kind']] {
  switch (task.kind) {
    case 'prepare':
      tesseract.prepare(task.languages);
      return null;
    case 'read-page':
      return tesseract.readPage(task.page, task.languages);
    case 'read-lines':
      return task.crops.map((crop) => tesseract.readLine(crop, task.languages));
  }
}

function discardRecogniser(): void {
  warm = undefined;
  tasksDone = 0;
}
