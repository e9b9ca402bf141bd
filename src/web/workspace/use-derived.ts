import { useState } from 'react';

/** A value that is derived from an input and from the previous value, once for each input object. */
export function useDerivedState<Input extends object, Value>(
  input: Input,
  derive: (input: Input, before: Value | null) => Value,
): Value {
  const [now, setNow] = useState(() => ({ input, value: derive(input, null) }));
  if (now.input === input) return now.value;
  const next = { input, value: derive(input, now.value) };
  setNow(next);
  return next.value;
}

/** Keeps the identity of an array while its items are equal. `list` must be memoized. */
export const useStableList = (list: readonly number[]): readonly number[] =>
  useDerivedState<readonly number[], readonly number[]>(list, (now, before) =>
    before?.length === now.length && now.every((value, at) => value === before[at]) ? before : now,
  );
