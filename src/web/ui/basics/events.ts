import { useCallback, useLayoutEffect, useRef } from 'react';

/*
 * Event handling: callbacks with a stable identity, work after the next paint, and focus after a control disappears.
 */

/**
 * A function with a stable identity that runs the latest `callback`. For event handlers; never call it while rendering.
 */
export function useEventCallback<Arguments extends unknown[], Result>(
  callback: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  const latest = useRef(callback);
  useLayoutEffect(() => {
    latest.current = callback;
  });
  return useCallback((...given) => latest.current(...given), []);
}

/** Timeout for a hidden page, which is not painted. */
const HIDDEN_PAGE_MS = 100;

/** Resolves once pending changes are painted, so that work after a press does not delay its visual feedback. */
export const afterPaint = () =>
  new Promise<void>((resolve) => {
    const hiddenPageTimer = setTimeout(resolve, HIDDEN_PAGE_MS);
    requestAnimationFrame(() => {
      clearTimeout(hiddenPageTimer);
      setTimeout(resolve);
    });
  });

/**
 * Moves the focus from a pressed control that disappears to the element that `find` returns, or to the page. Waits for the
 * next frame, when the successor is rendered and enabled. Keeps a focus that has moved by then, because the user may be
 * typing there.
 */
export function focusInstead(find: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() => {
    const { activeElement: active } = document;
    if (active && active !== document.body && !active.matches(':disabled')) return;
    (find() ?? document.querySelector('main'))?.focus();
  });
}
