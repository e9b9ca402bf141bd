/** Networks in a browser: onnxruntime as WebAssembly. Each worker has its own instance. */
import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm';
import { leanModel } from '../networks/lean-model.ts';
import { networkOf, type OpenModel } from '../networks/network.ts';

export interface WasmRuntime {
  /** WebAssembly of onnxruntime. */
  wasm: Uint8Array<ArrayBuffer>;
  /** Address of the script that starts it. */
  script: string;
  /** Threads per run; more than one only on a cross-origin isolated page. */
  threads: number;
}

/** A network in the ONNX format. */
export interface NamedNetwork {
  name: string;
  model: Uint8Array;
  /** It is the published file, which `leanModel` optimizes before it is opened. */
  published: boolean;
}

/**
 * Opens networks by their names. Each run releases the memory of its input: otherwise the inputs of some hundred lines would
 * wait for the garbage collector.
 */
export const openNamed =
  (open: OpenModel, networks: ReadonlyMap<string, NamedNetwork>): OpenModel =>
  async (name, threads) => {
    const named = networks.get(String(name));
    if (!named) throw new Error(`there is no network ${name}`);
    const network = await open(named.published ? leanModel(named.model) : named.model, threads);
    return {
      async run(input, dims) {
        const output = await network.run(input, dims);
        free(input);
        return output;
      },
      release: () => network.release(),
    };
  };

/** @returns opens networks; the first one loads the runtime */
export function startRuntime({ wasm, script, threads }: WasmRuntime): OpenModel {
  env.logLevel = 'error';
  env.wasm.proxy = false;
  env.wasm.numThreads = threads;
  env.wasm.wasmPaths = { mjs: script };
  env.wasm.wasmBinary = wasm.buffer;
  return async (model) => {
    if (typeof model === 'string') throw new Error(`a browser cannot open the file ${model}`);
    const session = await InferenceSession.create(model, {
      executionProviders: ['wasm'],
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      // An arena grows to powers of two, and WebAssembly returns no memory to the system.
      enableCpuMemArena: false,
      // Pictures differ in size, so a memory plan would be remade each time.
      enableMemPattern: false,
      // A thread that waits for another one by spinning takes the core from it on a busy device.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    });
    return networkOf(session, (data, dims) => new Tensor('float32', data, [...dims]));
  };
}

/** Releases the memory of an array at once; a second call does nothing. */
export function free({ buffer }: { buffer: ArrayBufferLike }): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > 0) structuredClone(buffer, { transfer: [buffer] });
}
