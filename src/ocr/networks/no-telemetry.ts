import { isMainThread } from 'node:worker_threads';

/**
 * onnxruntime-node sends telemetry, and stores an identifier, a database and a debug log for it, unless this variable is set
 * when the library loads. The library reads the process's own variables; a thread has only a copy of them, so the main thread
 * imports this before it starts one.
 */
const SILENCE = 'ORT_DISABLE_TELEMETRY';

if (isMainThread) process.env[SILENCE] = '1';

/** @throws {Error} in a thread that was started without this module */
export function requireNoTelemetry(): void {
  if (process.env[SILENCE] !== '1') throw new Error(`${SILENCE} must be 1 before a thread loads onnxruntime`);
}
