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

/** By task name. Published networks are rewritten by `leanModel` first. */
export type NamedNetworks = Readonly<Record<string, { model: Uint8Array; published: boolean }>>;

/** Opens networks by their names. */
export const openNamed =
  (open: OpenModel, networks: NamedNetworks): OpenModel =>
  (name, threads) => {
    const network = networks[String(name)];
    if (!network) throw new Error(`there is no network ${name}`);
    return open(network.published ? leanModel(network.model) : network.model, threads);
  };

/** @returns opens networks, after this thread has loaded the runtime */
export function startRuntime({ wasm, script, threads }: WasmRuntime): OpenModel {
  env.logLevel = 'error';
  env.wasm.proxy = false;
  env.wasm.numThreads = threads;
  env.wasm.wasmPaths = { mjs: script };
  env.wasm.wasmBinary = wasm.buffer;
  return async (model) => {
    if (typeof model === 'string') throw new Error(`a browser opens no file ${model}`);
    const session = await InferenceSession.create(model, {
      executionProviders: ['wasm'],
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      // An arena grows to powers of two, and WebAssembly returns no memory to the system.
      enableCpuMemArena: false,
      // Pictures differ in size, so a memory plan would be remade each time.
      enableMemPattern: false,
    });
    return networkOf(session, (data, dims) => new Tensor('float32', data, [...dims]));
  };
}
