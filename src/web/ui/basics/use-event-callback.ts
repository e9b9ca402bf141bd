import { useCallback, useLayoutEffect, useRef } from 'react';

/** A function with a stable identity that runs its latest version. For event handlers; never call it while rendering. */
export function useEventCallback<Arguments extends unknown[], Result>(
  callback: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...given) => latest.current(...given), []);
}
