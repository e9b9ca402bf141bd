/** Networks as onnxruntime runs them. */
import { type ModelName, readModel } from './model-files.ts';
import { leanModel } from './model-graph.ts';
import { InferenceSession, Tensor } from './onnxruntime.ts';

/** A network with one input and one output, both of 32-bit floats. */
export interface Network {
  /** `dims` of the input. Blocks the thread that it is called on. */
  run(input: Float32Array, dims: readonly number[]): Promise<{ data: Float32Array; dims: readonly number[] }>;
  release(): Promise<void>;
}

/** What a network does that looks at a page, a window at a time, before it gives memory back; see `openModel`. */
const CALM_WINDOWS = 16;
/** The same for a network that reads lines: pages have long ones and short ones. */
const CALM_LINES = 256;

/**
 * Opens a pinned model. Rejects with `OcrError` when its file is not the pinned one.
 * @param threads threads inside one run: worth having where a run takes long
 */
export async function openNetwork(model: ModelName, threads: number): Promise<Network> {
  return openModel(leanModel(await readModel(model)), threads, CALM_WINDOWS);
}

/**
 * The runtime keeps the memory that the largest input so far needed, 160 MB for a whole page and 60 for a very long line.
 * The session is opened anew, and so gives it back, once many inputs in a row were less than half as large.
 * @param model ONNX, as it is to be run
 * @param calmRuns how many that are
 */
export async function openModel(
  model: Uint8Array,
  threads: number,
  calmRuns: number = CALM_LINES,
): Promise<Network> {
  let current = await openSession(model, threads);
  let isRenewed = false;

  async function renew(): Promise<void> {
    isRenewed = true;
    try {
      const outgrown = current;
      current = await openSession(model, threads);
      await outgrown.close();
    } finally {
      isRenewed = false;
    }
  }

  return {
    async run(input, dims) {
      const answer = await current.run(input, dims);
      if (current.calmRuns >= calmRuns && !isRenewed) await renew();
      return answer;
    },
    release: () => current.close(),
  };
}

/** One session of the runtime, with what tells whether it holds more than it needs. */
async function openSession(model: Uint8Array, threads: number) {
  // The runtime does not read shared memory.
  const bytes = model.buffer instanceof SharedArrayBuffer ? model.slice() : model;
  const session = await InferenceSession.create(bytes, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    // Without the arena a run spends a fifth of its time on pages fresh from the kernel.
    // Pictures differ in size, so a plan of its use would be remade each time.
    enableCpuMemArena: true,
    enableMemPattern: false,
    // Threads that spin while they wait would take the cores from the other recogniser.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
    logSeverityLevel: 3,
  });
  const inputName = session.inputNames[0]!;
  const outputName = session.outputNames[0]!;
  const running = new Set<Promise<unknown>>();
  let largest = 0;
  let calmRuns = 0;
  return {
    /** Runs in a row on inputs less than half as large as the largest one. */
    get calmRuns() {
      return calmRuns;
    },
    async run(input: Float32Array, dims: readonly number[]) {
      calmRuns = 2 * input.length < largest ? calmRuns + 1 : 0;
      largest = Math.max(largest, input.length);
      const work = session.run({ [inputName]: new Tensor('float32', input, [...dims]) });
      running.add(work);
      try {
        const answer = (await work)[outputName]!;
        return { data: answer.data as Float32Array, dims: answer.dims };
      } finally {
        running.delete(work);
      }
    },
    /** Waits for what runs. */
    async close() {
      await Promise.allSettled(running);
      await session.release();
    },
  };
}

/** A model that threads see where it lies, instead of each having it sent. */
export function inSharedMemory(model: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(model.length));
  shared.set(model);
  return shared;
}

/** Opens at most once, however many ask at the same time; a failure is forgotten, so that the next one tries again. */
export function singleFlight<T>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | undefined;
  return () => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
}
