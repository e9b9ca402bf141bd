/** A value with subscribers, for `useSyncExternalStore`. */
export interface Store<Value> {
  get: () => Value;
  set: (next: Value) => void;
  /** Returns an unsubscribe function. */
  subscribe: (listener: (value: Value) => void) => () => void;
  /**
   * Calls `listener` with the current value and subscribes it, so that it misses no change between a render and its
   * effect.
   */
  observe: (listener: (value: Value) => void) => () => void;
}

export function createStore<Value>(value: Value): Store<Value> {
  let current = value;
  const listeners = new Set<(value: Value) => void>();
  const subscribe: Store<Value>['subscribe'] = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    get: () => current,
    set(next) {
      current = next;
      for (const listener of listeners) listener(next);
    },
    subscribe,
    observe(listener) {
      listener(current);
      return subscribe(listener);
    },
  };
}
