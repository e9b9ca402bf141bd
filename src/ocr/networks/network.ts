/** Neural networks, run by onnxruntime. */
import { InferenceSession, Tensor } from './onnxruntime.ts';
import { type NetworkName, networkFile } from './ready-networks.ts';

/** A network with one input and one output, both of 32-bit floats. */
export interface Network {
  /** `dims` of the input. Blocks the calling thread. */
  run(input: Float32Array, dims: readonly number[]): Promise<{ data: Float32Array; dims: readonly number[] }>;
  release(): Promise<void>;
}

/**
 * Opens a network. Rejects with `OcrError` when its file is not the pinned one.
 * @param threads threads inside one run: worth having where a run takes long
 */
export async function openNetwork(name: NetworkName, threads: number): Promise<Network> {
  return openModel(await networkFile(name), threads);
}

/** @param model ONNX, ready to run: its bytes, or the path of a file, which needs no copy in JavaScript */
export async function openModel(model: Uint8Array | string, threads: number): Promise<Network> {
  const options = {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    // Without the arena a run spends a fifth of its time on new pages from the kernel. Its size is bounded by the largest
    // detection window. Pictures differ in size, so a memory plan would be remade each time.
    enableCpuMemArena: true,
    enableMemPattern: false,
    // Spinning threads would take the cores from the other recognizer.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
    logSeverityLevel: 3,
  } as const;
  const session = await (typeof model === 'string'
    ? InferenceSession.create(model, options)
    : InferenceSession.create(model, options));
  const inputName = session.inputNames[0]!;
  const outputName = session.outputNames[0]!;
  return {
    async run(input, dims) {
      const tensor = new Tensor('float32', input, [...dims]);
      const answer = (await session.run({ [inputName]: tensor }))[outputName]!;
      return { data: answer.data as Float32Array, dims: answer.dims };
    },
    release: () => session.release(),
  };
}

/** A copy of the model in shared memory, which threads read without a transfer. */
export function inSharedMemory(model: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(model.length));
  shared.set(model);
  return shared;
}

/** Opens at most once for concurrent callers; a failure is not kept, so that the next caller tries again. */
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
