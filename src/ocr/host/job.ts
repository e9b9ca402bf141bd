/** A picture from its arrival to its answer, across worker processes. */

import type { PictureResult, PictureTask } from '../child/messages.ts';
import { OCR_ERRORS, OcrError } from '../errors.ts';
import type { Origin, PictureReport, Stage, StageTimes } from '../types.ts';

export interface PictureRequest {
  bytes: Uint8Array;
  task: PictureTask;
  priority: number;
  signal?: AbortSignal | undefined;
  onStage?: ((stage: Stage) => void) | undefined;
  /** See `PreviewOptions`. */
  onWorked?: ((milliseconds: number) => void) | undefined;
  origin?: Origin | undefined;
  /** See `RecognizeOptions`. */
  onReport?: ((report: PictureReport) => void) | undefined;
}

/** Settles its caller's promise once; later events change nothing. */
export class Job {
  readonly id: number;
  readonly request: PictureRequest;
  readonly result: Promise<PictureResult>;
  /** End of its longest waiting time, on the monotonic clock. */
  waitsUntil: number;
  readonly #arrivedAt = performance.now();
  /** When it was last started. */
  begunAt = this.#arrivedAt;
  /** The process that works on it, or did last. */
  pid: number | undefined;
  stages: StageTimes = {};
  #settled = false;
  #timer: NodeJS.Timeout | undefined;
  #answer: (outcome: PictureResult | OcrError) => void = () => {};

  /**
   * @param waitMs longest waiting time
   * @param onAbort called when the caller aborts
   */
  constructor(id: number, request: PictureRequest, waitMs: number, onAbort: (job: Job) => void) {
    this.id = id;
    this.request = request;
    this.waitsUntil = this.begunAt + waitMs;
    const hear = () => onAbort(this);
    request.signal?.addEventListener('abort', hear, { once: true });
    this.result = new Promise((resolve, reject) => {
      this.#answer = (outcome) => {
        request.signal?.removeEventListener('abort', hear);
        if (outcome instanceof OcrError) reject(outcome);
        else resolve(outcome);
      };
    });
  }

  get task(): PictureTask {
    return this.request.task;
  }

  get priority(): number {
    return this.request.priority;
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** Its only timer, which fires unless it is set again or stopped before. */
  within(milliseconds: number, onRunOut: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(onRunOut, milliseconds);
  }

  stopClock(): void {
    clearTimeout(this.#timer);
  }

  settle(outcome: PictureResult | OcrError): void {
    if (this.#settled) return;
    this.#settled = true;
    this.stopClock();
    this.#report();
    this.#answer(outcome);
  }

  /** Calls the progress listener; its errors must not harm the engine. */
  reportStage(stage: Stage): void {
    if (this.#settled) return;
    try {
      this.request.onStage?.(stage);
    } catch {
      // Progress is optional.
    }
  }

  #report(): void {
    const begun = this.begunAt > this.#arrivedAt;
    try {
      this.request.onReport?.({
        waitedMs: begun ? this.begunAt - this.#arrivedAt : undefined,
        workedMs: begun ? performance.now() - this.begunAt : undefined,
        stages: this.stages,
        pid: this.pid,
      });
    } catch {
      // Errors of an observer must not harm it either.
    }
  }

  reportWorkTime(): void {
    try {
      this.request.onWorked?.(performance.now() - this.begunAt);
    } catch {
      // Errors of the accounting callback are ignored.
    }
  }
}

export function stopping(): OcrError {
  return new OcrError(OCR_ERRORS.stopping, 'the engine is stopping');
}
