/** Networks as onnxruntime runs them. */
import { InferenceSession, Tensor } from './onnxruntime.ts';
import { type NetworkName, readNetwork } from './ready-networks.ts';

/** A network with one input and one output, both of 32-bit floats. */
export interface Network {
  /** `dims` of the input. Blocks the thread that it is called on. */
  run(input: Float32Array, dims: readonly number[]): Promise<{ data: Float32Array; dims: readonly number[] }>;
  release(): Promise<void>;
}

/**
 * Opens a network. Rejects with `OcrError` when its file is not the pinned one.
 * @param threads threads inside one run: worth having where a run takes long
 */
export async function openNetwork(name: NetworkName, threads: number): Promise<Network> {
  return openModel(await readNetwork(name), threads);
}

/** @param model ONNX, as it is to be run */
export async function openModel(model: Uint8Array, threads: number): Promise<Network> {
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    // Without the arena a run spends a fifth of its time on pages fresh from the kernel. What it keeps is bounded by the
    // largest window that detection looks at. Pictures differ in size, so a plan of its use would be remade each time.
    enableCpuMemArena: true,
    enableMemPattern: false,
    // Threads that spin while they wait would take the cores from the other recogniser.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
    logSeverityLevel: 3,
  });
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
