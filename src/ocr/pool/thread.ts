import { workerData } from 'node:worker_threads';
import type { Posteriors } from '../engines/ctc.ts';
import { type Network, openModel } from '../engines/network.ts';
import { featuresOf } from '../engines/paddle-recogniser.ts';
import { Recent } from '../engines/recent.ts';
import { Tesseract } from '../engines/tesseract.ts';
import { posteriorsOf } from '../engines/tesseract-network.ts';
import { OCR_ERRORS, OcrError, toFailure } from '../errors.ts';
import type { SharedNetwork, ThreadAnswers, ThreadResult, ThreadTask } from './messages.ts';

/** What the pool hands to each of its threads. */
export interface ThreadSettings {
  languageDirs: readonly string[];
  /** Batches of line crops after which the recogniser's memory is given back. */
  recycleAfter: number;
}

const { languageDirs, recycleAfter } = workerData as ThreadSettings;

// A line is too little work to be shared out among cores, and a run blocks its thread: so each thread has its own.
let secondOpening: Promise<Network> | undefined;

/** Networks of languages that are kept open. */
const OPEN_NETWORKS = 3;
const firstNetworks = new Recent<Promise<Network>>(OPEN_NETWORKS, (opening) => {
  opening.then(
    (network) => network.release(),
    () => {},
  );
});

let warm: Promise<Tesseract> | undefined;
let tasksDone = 0;

/** The thread's one task handler; piscina calls it with one task at a time. */
export async function work(task: ThreadTask): Promise<ThreadResult<ThreadAnswers[ThreadTask['kind']]>> {
  let tesseract: Tesseract | undefined;
  try {
    if (task.kind === 'features') {
      const network = await secondNetwork(task.second);
      throwIfStopped(task.stop);
      return { ok: true, answer: await featuresOf(network, task.crop) };
    }
    if (task.kind === 'posteriors') return { ok: true, answer: await allPosteriors(task) };
    if (task.kind === 'prepare') {
      await secondNetwork(task.second);
      if (task.network) {
        await firstNetwork(task.network);
        return { ok: true, answer: null };
      }
    }
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

function secondNetwork(model: Uint8Array): Promise<Network> {
  secondOpening ??= openModel(model.slice(), 1).catch((error: unknown) => {
    secondOpening = undefined;
    throw error;
  });
  return secondOpening;
}

function firstNetwork({ language, model }: SharedNetwork): Promise<Network> {
  return firstNetworks.get(language, async () => {
    try {
      // A network is not read from shared memory.
      return await openModel(model.slice(), 1);
    } catch (error) {
      firstNetworks.forget(language);
      throw error;
    }
  });
}

async function allPosteriors({
  crops,
  network,
  stop,
}: Extract<ThreadTask, { kind: 'posteriors' }>): Promise<Posteriors[]> {
  const opened = await firstNetwork(network);
  const all: Posteriors[] = [];
  for (const crop of crops) {
    throwIfStopped(stop);
    all.push(await posteriorsOf(opened, crop));
  }
  return all;
}

function throwIfStopped(stop: Int32Array): void {
  if (Atomics.load(stop, 0) !== 0) throw new OcrError(OCR_ERRORS.aborted, 'the picture was given up');
}

type TesseractTask = Exclude<ThreadTask, { kind: 'features' | 'posteriors' }>;

function perform(tesseract: Tesseract, task: TesseractTask): ThreadAnswers[TesseractTask['kind']] {
  switch (task.kind) {
    case 'prepare':
      tesseract.prepare(task.languages);
      return null;
    case 'read-lines':
      return task.crops.map((crop) => tesseract.readLine(crop, task.languages));
  }
}

function discardRecogniser(): void {
  warm = undefined;
  tasksDone = 0;
}
