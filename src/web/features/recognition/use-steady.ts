import { useCallback, useLayoutEffect, useRef } from 'react';

/** The very same function every time, which does what the latest one would: for events alone, never while rendering. */
export function useSteady<Arguments extends unknown[], Result>(
  act: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  return useCallback((...given) => latest.current(...given), []);
}

/** The very same list for as long as there is the same in it. */
export function useSteadyList(list: readonly number[]): readonly number[] {
  const last = useRef(list);
  const isSame = list.length === last.current.length && list.every((value, at) => value === last.current[at]);
  const steady = isSame ? last.current : list;
  useLayoutEffect(() => {
    last.current = steady;
  });
  return steady;
}
