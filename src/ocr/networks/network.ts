/** Neural networks, and the runtime that a platform gives them. Pure: Node and browsers each have an adapter. */

/** `features`: the secondary recognizer's, without its last layer. */
export type NetworkName = 'detection' | 'direction' | 'features';

/** A network with one input and one output, both of 32-bit floats. */
export interface Network {
  /** `dims` of the input. Blocks the calling thread. */
  run(input: Float32Array, dims: readonly number[]): Promise<{ data: Float32Array; dims: readonly number[] }>;
  release(): Promise<void>;
}

/**
 * Opens a network.
 * @param model ONNX, ready to run: its bytes, or on a platform with files the path of one, which needs no copy in JavaScript
 * @param threads threads inside one run: worth having where a run takes long
 */
export type OpenModel = (model: Uint8Array | string, threads: number) => Promise<Network>;

/** Networks on one platform. Opening rejects with `OcrError` when a file is not the pinned one. */
export interface NetworkRuntime {
  openModel: OpenModel;
  openNetwork(name: NetworkName, threads: number): Promise<Network>;
  /** The secondary recognizer's last layer, as its JSON. */
  readLastLayer(): Promise<string>;
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
