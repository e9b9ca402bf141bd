import { useCallback, useLayoutEffect, useRef } from 'react';

/*
 * Handling an event: a handler with one identity, feedback before the work, and the focus of a control that goes away.
 */

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

/** A hidden page paints nothing. */
const AT_MOST_MS = 100;

/** Resolves once pending changes are painted: for work after a press that need not delay its feedback. */
export const afterPaint = () =>
  new Promise<void>((resolve) => {
    const unseen = setTimeout(resolve, AT_MOST_MS);
    requestAnimationFrame(() => {
      clearTimeout(unseen);
      setTimeout(resolve);
    });
  });

/**
 * Gives the focus of a pressed control that disappears to what `find` returns, or to the page. It waits for the next frame,
 * when the successor is rendered and enabled, and leaves a focus alone that has moved on by then: text typed in the meantime
 * must not go elsewhere.
 */
export function focusInstead(find: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() => {
    const { activeElement: active } = document;
    if (active && active !== document.body && !active.matches(':disabled')) return;
    (find() ?? document.querySelector('main'))?.focus();
  });
}
