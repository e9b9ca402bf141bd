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
