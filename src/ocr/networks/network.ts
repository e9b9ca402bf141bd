/** Interfaces of neural networks and of their runtime. Node and browsers each have an adapter. */

import { firstOf, required } from '../checked.ts';

/** `features`: the secondary recognizer's, without its last layer. */
export type NetworkName = 'detection' | 'direction' | 'features';

/** A network with one input and one output, both of 32-bit floats. */
export interface Network {
  /** `dims` of the input. Blocks the calling thread. */
  run(input: Float32Array, dims: readonly number[]): Promise<{ data: Float32Array; dims: readonly number[] }>;
  release(): Promise<void>;
}

/** What the runtimes of Node and of browsers have in common. */
interface Session<Value> {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, Value>>): Promise<Readonly<Record<string, Output>>>;
  release(): Promise<void>;
}

interface Output {
  readonly data: unknown;
  readonly dims: readonly number[];
}

/** A runtime's session as a network. */
export function networkOf<Value>(
  session: Session<Value>,
  tensorOf: (data: Float32Array, dims: readonly number[]) => Value,
): Network {
  const inputName = firstOf(session.inputNames);
  const outputName = firstOf(session.outputNames);
  return {
    async run(input, dims) {
      const outputs = await session.run({ [inputName]: tensorOf(input, dims) });
      const output = required(outputs[outputName]);
      return { data: output.data as Float32Array, dims: output.dims };
    },
    release: () => session.release(),
  };
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

/** The bytes of a text in Base64; Node and browsers share this way of decoding it. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
