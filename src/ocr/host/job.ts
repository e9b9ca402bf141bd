/** A picture from the moment it is handed in to its answer, whoever works on it meanwhile. */

import type { PictureResult, PictureTask } from '../child/messages.ts';
import { OCR_ERRORS, OcrError } from '../errors.ts';
import type { Origin, PictureReport, Stage, StageTimes } from '../types.ts';

export interface PictureRequest {
  bytes: Uint8Array;
  task: PictureTask;
  priority: number;
  signal?: AbortSignal | undefined;
  onStage?: ((stage: Stage) => void) | undefined;
  /** As `PreviewOptions` has it. */
  onWorked?: ((milliseconds: number) => void) | undefined;
  origin?: Origin | undefined;
  /** As `RecogniseOptions` has it. */
  onReport?: ((report: PictureReport) => void) | undefined;
}

/** Answers its caller once; what it hears or is told after that changes nothing. */
export class Job {
  readonly id: number;
  readonly request: PictureRequest;
  readonly result: Promise<PictureResult>;
  /** The moment at which it has waited long enough, on the process' own clock. */
  waitsUntil: number;
  readonly #arrivedAt = performance.now();
  /** When it was last taken up. */
  begunAt = this.#arrivedAt;
  /** Who works on it, or did last. */
  pid: number | undefined;
  stages: StageTimes = {};
  #settled = false;
  #timer: NodeJS.Timeout | undefined;
  #answer: (outcome: PictureResult | OcrError) => void = () => {};

  /**
   * @param waitMs how long it may wait
   * @param onAbort the caller gave it up
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

  /** Its one clock, which runs out unless it is set anew or stopped before. */
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

  /** A listener that throws must not harm the engine. */
  tell(stage: Stage): void {
    if (this.#settled) return;
    try {
      this.request.onStage?.(stage);
    } catch {
      // Progress is a courtesy.
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
      // Nor must one who only watches.
    }
  }

  tellWorked(): void {
    try {
      this.request.onWorked?.(performance.now() - this.begunAt);
    } catch {
      // Whoever keeps accounts answers for them.
    }
  }
}

export function stopping(): OcrError {
  return new OcrError(OCR_ERRORS.stopping, 'the engine is stopping');
}
