/**
 * The only import of onnxruntime. The library sends telemetry, and stores an identifier, a database and a debug log for it,
 * unless this variable is set when the library loads.
 */
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import type * as Onnxruntime from 'onnxruntime-node';

const SILENCE = 'ORT_DISABLE_TELEMETRY';

// The library reads the process's own variables. A thread has only a copy of them.
if (isMainThread) process.env[SILENCE] = '1';
if (process.env[SILENCE] !== '1') throw new Error(`${SILENCE} must be 1 before a thread loads onnxruntime`);

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

// An import statement would run before the lines above.
const { InferenceSession, Tensor } = load();

export { InferenceSession, Tensor };
