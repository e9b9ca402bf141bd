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

/** A picture as its web process knows it: until its answer, and on until it is known what it cost. Answers once. */
export class PendingTask {
  /** Another one each time that it is handed over. */
  id: string = randomUUID();
  readonly answer: Promise<TaskResult>;
  stored = false;
  queued = false;
  started = false;
  readonly #arrivedAt = performance.now();
  #begunAt: number | undefined;
  fetching = false;
  settled = false;
  workReported: boolean;
  /** Until it is handed over for the last time that it may be. */
  #task: Task | undefined;
  readonly #listeners: TaskListeners;
  readonly #onSettled: (picture: PendingTask) => void;
  #timer: NodeJS.Timeout | undefined;
  #say: (answer: TaskResult | OcrError) => void = () => {};

  constructor(task: Task, listeners: TaskListeners, onSettled: (picture: PendingTask) => void) {
    this.#task = task;
    this.#listeners = listeners;
    this.#onSettled = onSettled;
    this.workReported = listeners.onWorked === undefined;
    this.answer = new Promise((resolve, reject) => {
      this.#say = (answer) => (answer instanceof OcrError ? reject(answer) : resolve(answer));
    });
  }

  get canResend(): boolean {
    return this.#task !== undefined && !this.settled;
  }

  /** For a second time under a new name, so that events of the first cannot be mistaken for it. */
  resend(): Task {
    const task = this.#task;
    if (!task) throw new Error('a picture goes to the workers twice at most');
    this.#task = undefined;
    this.id = randomUUID();
    this.stored = this.queued = this.started = false;
    return { ...task, scheduling: { ...task.scheduling, again: true } };
  }

  within(milliseconds: number, onRunOut: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(onRunOut, milliseconds);
  }

  begin(): void {
    this.started = true;
    this.#begunAt = performance.now();
    this.stopClock();
  }

  stopClock(): void {
    clearTimeout(this.#timer);
  }

  tell(stage: Stage): void {
    if (this.settled) return;
    try {
      this.#listeners.onStage?.(stage);
    } catch {
      // Progress is a courtesy.
    }
  }

  reportWorked(milliseconds: number): void {
    if (this.workReported) return;
    this.workReported = true;
    try {
      this.#listeners.onWorked?.(milliseconds);
    } catch {
      // Whoever keeps accounts answers for them.
    }
  }

  open({ outcome, workedMs }: Envelope): void {
    this.reportWorked(workedMs);
    if ('failure' in outcome) this.settle(new OcrError(outcome.failure.code, outcome.failure.message));
    else if ('text' in outcome) this.settle(outcome.text);
    else this.settle('pages' in outcome ? outcome.pages : outcome.drawing);
  }

  /** The worker reports on its side how long it took. */
  #report(): void {
    const waitedMs = this.#begunAt === undefined ? undefined : this.#begunAt - this.#arrivedAt;
    try {
      this.#listeners.onReport?.({ waitedMs, workedMs: undefined, stages: {}, pid: undefined });
    } catch {
      // Who watches harms nobody.
    }
  }

  settle(answer: TaskResult | OcrError): void {
    if (this.settled) return;
    this.settled = true;
    this.#task = undefined;
    this.stopClock();
    this.#report();
    this.#say(answer);
    this.#onSettled(this);
  }
}
