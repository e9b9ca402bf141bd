/** A value and those who follow it, as `useSyncExternalStore` takes them. */
export interface Store<Value> {
  get: () => Value;
  set: (next: Value) => void;
  /** Returns an unsubscribe function. */
  subscribe: (listener: (value: Value) => void) => () => void;
}

export function createStore<Value>(value: Value): Store<Value> {
  let current = value;
  const listeners = new Set<(value: Value) => void>();
  return {
    get: () => current,
    set(next) {
      current = next;
      for (const listener of listeners) listener(next);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
