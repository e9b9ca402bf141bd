import { workerData } from 'node:worker_threads';
import { OCR_ERRORS, OcrError, toFailure } from '../errors.ts';
import { Effort } from '../layout/order/line-fragments.ts';
import { type OrderedLine, orderLines } from '../layout/order/order.ts';
import { type Network, openModel } from '../networks/network.ts';
import { Recent } from '../recent.ts';
import type { Posteriors } from '../recognizers/ctc.ts';
import { featuresOf } from '../recognizers/paddle-features.ts';
import { Tesseract } from '../recognizers/tesseract.ts';
import { posteriorsOf } from '../recognizers/tesseract-network.ts';
import type { SharedNetwork, ThreadAnswers, ThreadResult, ThreadTask } from './tasks.ts';

/** Settings of each worker thread. */
export interface ThreadSettings {
  languageDirs: readonly string[];
  /** Batches of line crops after which the recognizer's memory is freed. */
  recycleAfter: number;
}

const { languageDirs, recycleAfter } = workerData as ThreadSettings;

/** Number of languages' networks that are kept open. */
const OPEN_NETWORKS = 3;
const primaryNetworks = openNetworks(OPEN_NETWORKS);
const secondaryNetworks = openNetworks(1);

let warm: Promise<Tesseract> | undefined;
let tasksDone = 0;

/** The thread's one task handler; piscina calls it with one task at a time. */
export async function work(task: ThreadTask): Promise<ThreadResult<ThreadAnswers[ThreadTask['kind']]>> {
  let tesseract: Tesseract | undefined;
  try {
    if (task.kind === 'features') {
      const network = await opened(secondaryNetworks, task.second);
      throwIfStopped(task.stop);
      return { ok: true, answer: await featuresOf(network, task.crop) };
    }
    if (task.kind === 'order') return { ok: true, answer: ordered(task) };
    if (task.kind === 'posteriors') return { ok: true, answer: await allPosteriors(task) };
    if (task.kind === 'prepare') {
      await opened(secondaryNetworks, task.second);
      if (task.network) {
        await opened(primaryNetworks, task.network);
        return { ok: true, answer: null };
      }
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

function openNetworks(limit: number): Recent<Promise<Network>> {
  return new Recent(limit, (opening) => {
    opening.then(
      (network) => network.release(),
      () => {},
    );
  });
}

/** A line is too little work for several cores, and a run blocks its thread: so each thread has its own session. */
function opened(networks: Recent<Promise<Network>>, { name, model }: SharedNetwork): Promise<Network> {
  return networks.get(name, () =>
    // The runtime does not read shared memory.
    openModel(typeof model === 'string' ? model : model.slice(), 1).catch((error: unknown) => {
      networks.forget(name);
      throw error;
    }),
  );
}

async function allPosteriors({
  crops,
  network,
  stop,
}: Extract<ThreadTask, { kind: 'posteriors' }>): Promise<Posteriors[]> {
  const reader = await opened(primaryNetworks, network);
  const all: Posteriors[] = [];
  for (const crop of crops) {
    throwIfStopped(stop);
    all.push(await posteriorsOf(reader, crop));
  }
  return all;
}

function ordered({ boxes, options, stop }: Extract<ThreadTask, { kind: 'order' }>): OrderedLine[] {
  return orderLines(boxes, options, new Effort(() => throwIfStopped(stop)));
}

function throwIfStopped(stop: Int32Array): void {
  if (Atomics.load(stop, 0) !== 0) throw new OcrError(OCR_ERRORS.aborted, 'the picture was given up');
}

type TesseractTask = Exclude<ThreadTask, { kind: 'features' | 'posteriors' | 'order' }>;

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
