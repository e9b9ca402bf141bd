import { randomUUID } from 'node:crypto';
import { OcrError, type PageList, type PictureReport, type Recognition, type Stage } from '#ocr';
import type { Envelope } from './envelope.ts';
import type { QueueMessage } from './queue-protocol.ts';
import type { Scheduling } from './redis-task-store.ts';

export type TaskResult = Recognition | Uint8Array | PageList;

export interface Task {
  bytes: Uint8Array;
  message: QueueMessage;
  scheduling: Scheduling;
}

export interface TaskListeners {
  signal?: AbortSignal | undefined;
  onStage?: ((stage: Stage) => void) | undefined;
  onWorked?: ((milliseconds: number) => void) | undefined;
  onReport?: ((report: PictureReport) => void) | undefined;
}

/** An image in its web process, until its result and its cost are known. Settles once. */
export class PendingTask {
  /** A new id for each attempt to send the image. */
  id: string = randomUUID();
  readonly answer: Promise<TaskResult>;
  stored = false;
  queued = false;
  started = false;
  readonly #arrivedAt = performance.now();
  #startedAt: number | undefined;
  fetching = false;
  settled = false;
  workReported: boolean;
  /** Undefined once the image must not be sent again. */
  #task: Task | undefined;
  readonly #listeners: TaskListeners;
  readonly #onSettled: (picture: PendingTask) => void;
  #timer: NodeJS.Timeout | undefined;
  #resolveAnswer: (answer: TaskResult | OcrError) => void = () => {};

  constructor(task: Task, listeners: TaskListeners, onSettled: (picture: PendingTask) => void) {
    this.#task = task;
    this.#listeners = listeners;
    this.#onSettled = onSettled;
    this.workReported = listeners.onWorked === undefined;
    this.answer = new Promise((resolve, reject) => {
      this.#resolveAnswer = (answer) => (answer instanceof OcrError ? reject(answer) : resolve(answer));
    });
  }

  get canResend(): boolean {
    return this.#task !== undefined && !this.settled;
  }

  /** Returns the task with a new id, so that late events of the earlier attempt are ignored. */
  resend(): Task {
    const task = this.#task;
    if (!task) throw new Error('a picture is sent to the workers twice at most');
    this.#task = undefined;
    this.id = randomUUID();
    this.stored = this.queued = this.started = false;
    return { ...task, scheduling: { ...task.scheduling, isResent: true } };
  }

  startTimer(milliseconds: number, onTimeout: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(onTimeout, milliseconds);
  }

  markStarted(): void {
    this.started = true;
    this.#startedAt = performance.now();
    this.stopTimer();
  }

  stopTimer(): void {
    clearTimeout(this.#timer);
  }

  reportStage(stage: Stage): void {
    if (this.settled) return;
    try {
      this.#listeners.onStage?.(stage);
    } catch {
      // A failing progress listener must not fail the task.
    }
  }

  reportWorked(milliseconds: number): void {
    if (this.workReported) return;
    this.workReported = true;
    try {
      this.#listeners.onWorked?.(milliseconds);
    } catch {
      // The listener handles failures of accounting.
    }
  }

  settleWith({ outcome, workedMs }: Envelope): void {
    this.reportWorked(workedMs);
    if ('failure' in outcome) this.settle(new OcrError(outcome.failure.code, outcome.failure.message));
    else if ('text' in outcome) this.settle(outcome.text);
    else this.settle('pages' in outcome ? outcome.pages : outcome.drawing);
  }

  /** Reports the waiting time. The worker reports the recognition time. */
  #report(): void {
    const waitedMs = this.#startedAt === undefined ? undefined : this.#startedAt - this.#arrivedAt;
    try {
      this.#listeners.onReport?.({ waitedMs, workedMs: undefined, stages: {}, pid: undefined });
    } catch {
      // A failing listener must not affect the task.
    }
  }

  settle(answer: TaskResult | OcrError): void {
    if (this.settled) return;
    this.settled = true;
    this.#task = undefined;
    this.stopTimer();
    this.#report();
    this.#resolveAnswer(answer);
    this.#onSettled(this);
  }
}
