/** A cache of expensive values: the latest ones are kept, each until enough others were requested. */
export class Recent<Value extends NonNullable<unknown>> {
  /** Most recently used last. */
  readonly #kept = new Map<string, Value>();
  readonly #limit: number;
  readonly #onDrop: ((value: Value) => void) | undefined;

  constructor(limit: number, onDrop?: (value: Value) => void) {
    this.#limit = limit;
    this.#onDrop = onDrop;
  }

  /** Errors of `make` are not cached. */
  get(key: string, make: () => Value): Value {
    const value = this.#kept.get(key) ?? make();
    this.#kept.delete(key);
    this.#kept.set(key, value);
    for (const [oldest, dropped] of this.#kept) {
      if (this.#kept.size <= this.#limit) break;
      this.#kept.delete(oldest);
      this.#onDrop?.(dropped);
    }
    return value;
  }

  forget(key: string): void {
    this.#kept.delete(key);
  }
}
