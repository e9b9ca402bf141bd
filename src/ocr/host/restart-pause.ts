/** Pauses between starts: each failure in a row doubles the next one, so that what keeps dying costs little. */
const FIRST_MS = 200;
const LAST_MS = 15_000;
/** Failures in a row after which nobody is kept waiting any longer. */
const HOPELESS = 3;

export class RestartPause {
  #failures = 0;
  #milliseconds = 0;
  /** There while somebody rests. */
  #end: (() => void) | undefined;

  get resting(): boolean {
    return this.#end !== undefined;
  }

  get hopeless(): boolean {
    return this.#failures >= HOPELESS;
  }

  /** @returns milliseconds that the next start has to wait */
  lengthen(): number {
    this.#milliseconds = Math.min(LAST_MS, FIRST_MS * 2 ** this.#failures++);
    return this.#milliseconds;
  }

  /** Something was answered: whatever fails from now on is the first. */
  forget(): void {
    this.#failures = 0;
    this.#milliseconds = 0;
  }

  /** Resolves when the pause that was earned is over, at once where there is none. */
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

  /** Ends a pause that is being kept. */
  cutShort(): void {
    this.#end?.();
  }
}
