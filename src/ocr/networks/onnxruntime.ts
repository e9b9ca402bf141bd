/** Networks in Node. The only import of onnxruntime-node. */
import { createRequire } from 'node:module';
import type * as Onnxruntime from 'onnxruntime-node';
import { type Network, type NetworkRuntime, networkOf } from './network.ts';
import { requireNoTelemetry } from './no-telemetry.ts';
import { networkFile, readLastLayer } from './ready-networks.ts';

requireNoTelemetry();

const require = createRequire(import.meta.url);

/** The package for this system, as `npm run pack` brings it, or the one for all systems. */
function load(): typeof Onnxruntime {
  try {
    return require(`@glyphlift/onnxruntime-${process.platform}-${process.arch}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    return require('onnxruntime-node');
  }
}

// Loaded with require, because static imports run before `requireNoTelemetry()`.
const { InferenceSession, Tensor } = load();

export { InferenceSession, Tensor };

/** Opens a network. `model`: the bytes of ONNX, or the path of its file. */
export async function openModel(model: Uint8Array | string, threads: number): Promise<Network> {
  const options = {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    // The arena saves a fifth of a run's time, and its size is bounded by the largest detection window. Images differ in size,
    // so a memory plan would be remade each time.
    enableCpuMemArena: true,
    enableMemPattern: false,
    // No spinning: it would occupy cores that the other recognizer needs.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
    logSeverityLevel: 3,
  } as const;
  const session = await (typeof model === 'string'
    ? InferenceSession.create(model, options)
    : InferenceSession.create(model, options));
  return networkOf(session, (data, dims) => new Tensor('float32', data, [...dims]));
}

/** The pinned networks of this installation, run by onnxruntime. */
export const nodeRuntime: NetworkRuntime = {
  openModel,
  openNetwork: async (name, threads) => openModel(await networkFile(name), threads),
  readLastLayer,
};
