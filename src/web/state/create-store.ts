/** A value with subscribers, for `useSyncExternalStore`. */
export interface Store<Value> {
  get: () => Value;
  set: (next: Value) => void;
  /** Returns an unsubscribe function. */
  subscribe: (listener: (value: Value) => void) => () => void;
  /** As `subscribe`, after a first call with the present value: nothing is missed between a rendering and its effect. */
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
