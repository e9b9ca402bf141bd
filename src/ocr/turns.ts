/** Long work on the conductor's one thread, done so that it hears when a picture is given up. */
import { setImmediate } from 'node:timers/promises';
import { OCR_ERRORS, OcrError } from './errors.ts';

/** @throws {OcrError} `aborted` */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new OcrError(OCR_ERRORS.aborted, 'the picture was given up');
}

/**
 * Works step by step and lets everything else have its turn in between: that a picture was given up is a message, which
 * a thread that never pauses does not read.
 * @throws {OcrError} `aborted`
 */
export async function inTurns<Result>(steps: Generator<void, Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    throwIfAborted(signal);
    const { done, value } = steps.next();
    if (done) return value;
    await setImmediate();
  }
}
