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

// An import statement would run before the line above.
const { InferenceSession, Tensor } = createRequire(import.meta.url)('onnxruntime-node') as typeof Onnxruntime;

export { InferenceSession, Tensor };
