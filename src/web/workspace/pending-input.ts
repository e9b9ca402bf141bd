import { type KeyboardEvent, useEffect, useEffectEvent } from 'react';
import { flushSync } from 'react-dom';

/** Ctrl+Z or ⌘Z. */
export const isUndoKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'z';

/** Commits pending input on `pagehide` and `popstate`, and renders the change synchronously. */
export function useCommitOnLeave(commit: () => void): void {
  const commitInput = useEffectEvent(commit);
  useEffect(() => {
    const listening = new AbortController();
    for (const end of ['pagehide', 'popstate'])
      window.addEventListener(end, () => flushSync(commitInput), { capture: true, signal: listening.signal });
    return () => listening.abort();
  }, []);
}
