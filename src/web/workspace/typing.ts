import { type KeyboardEvent, useEffect, useEffectEvent } from 'react';
import { flushSync } from 'react-dom';

/** Ctrl+Z or ⌘Z. */
export const isUndoKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'z';

/** Takes what is being typed before the page, or its entry in the history, is left, and renders the change at once. */
export function useBeforeLeaving(take: () => void): void {
  const takeTyped = useEffectEvent(take);
  useEffect(() => {
    const listening = new AbortController();
    for (const end of ['pagehide', 'popstate'])
      window.addEventListener(end, () => flushSync(takeTyped), { capture: true, signal: listening.signal });
    return () => listening.abort();
  }, []);
}
