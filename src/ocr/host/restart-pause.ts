/** Pauses between starts: each consecutive failure doubles the next one, so that a crash loop costs little. */
const FIRST_MS = 200;
const LAST_MS = 15_000;
/** Consecutive failures after which callers no longer wait. */
const FAILURES_BEFORE_ERROR = 3;

export class RestartPause {
  #failures = 0;
  #milliseconds = 0;
  /** Set while a pause is running. */
  #end: (() => void) | undefined;

  get isPausing(): boolean {
    return this.#end !== undefined;
  }

  get givesUp(): boolean {
    return this.#failures >= FAILURES_BEFORE_ERROR;
  }

  /** @returns milliseconds until the next start */
  lengthen(): number {
    this.#milliseconds = Math.min(LAST_MS, FIRST_MS * 2 ** this.#failures++);
    return this.#milliseconds;
  }

  /** Resets the pause after an answer: the next failure counts as the first. */
  forget(): void {
    this.#failures = 0;
    this.#milliseconds = 0;
  }

  /** Resolves when the current pause is over, at once without one. */
  async rest(): Promise<void> {
    if (this.#milliseconds === 0) return;
    await new Promise<void>((over) => {
      const timer = setTimeout(over, this.#milliseconds);
      timer.unref();
      this.#end = () => {
        clearTimeout(timer);
        over();
      };
    });
    this.#end = undefined;
    this.#milliseconds = 0;
  }

  /** Ends a running pause. */
  cutShort(): void {
    this.#end?.();
  }
}
