import { randomUUID } from 'node:crypto';
import { OcrError, type Recognition, type Stage } from '#ocr';
import type { Parcel } from './parcel.ts';

export type Answer = Recognition | Uint8Array;

export interface Listeners {
  signal?: AbortSignal | undefined;
  onStage?: ((stage: Stage) => void) | undefined;
  onWorked?: ((milliseconds: number) => void) | undefined;
}

/** A picture as its web process knows it: until its answer, and on until it is known what it cost. Answers once. */
export class HandedOver {
  readonly id = randomUUID();
  readonly answer: Promise<Answer>;
  /** It lies in Redis. */
  admitted = false;
  /** BullMQ has its job. */
  queued = false;
  /** A worker has it. */
  begun = false;
  /** Its answer is on the way. */
  fetching = false;
  settled = false;
  toldOfWork: boolean;
  readonly #listeners: Listeners;
  readonly #onSettled: (picture: HandedOver) => void;
  #timer: NodeJS.Timeout | undefined;
  #say: (answer: Answer | OcrError) => void = () => {};

  constructor(listeners: Listeners, onSettled: (picture: HandedOver) => void) {
    this.#listeners = listeners;
    this.#onSettled = onSettled;
    this.toldOfWork = listeners.onWorked === undefined;
    this.answer = new Promise((resolve, reject) => {
      this.#say = (answer) => (answer instanceof OcrError ? reject(answer) : resolve(answer));
    });
  }

  within(milliseconds: number, onRunOut: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(onRunOut, milliseconds);
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

  tellWorked(milliseconds: number): void {
    if (this.toldOfWork) return;
    this.toldOfWork = true;
    try {
      this.#listeners.onWorked?.(milliseconds);
    } catch {
      // Whoever keeps accounts answers for them.
    }
  }

  open({ outcome, workedMs }: Parcel): void {
    this.tellWorked(workedMs);
    if ('failure' in outcome) this.settle(new OcrError(outcome.failure.code, outcome.failure.message));
    else this.settle('text' in outcome ? outcome.text : outcome.drawing);
  }

  settle(answer: Answer | OcrError): void {
    if (this.settled) return;
    this.settled = true;
    this.stopClock();
    this.#say(answer);
    this.#onSettled(this);
  }
}
