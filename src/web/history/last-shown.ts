import { useEffect, useRef, useState } from 'react';
import { useEventCallback } from '../ui/basics/events.ts';
import type { RecognitionResult } from '../workspace/reading.ts';
import { open, type RecentResult } from './recent-results-store.ts';

const KEY = 'last-shown-result';

/**
 * The ID is stored for the tab. An installed app also stores it in localStorage, because opening it again is a new
 * session.
 */
const storages = (): readonly Storage[] =>
  window.matchMedia('(display-mode: standalone)').matches ? [sessionStorage, localStorage] : [sessionStorage];

/** The ID of the result that was shown when the page was left; null without one. */
function lastShown(): string | null {
  try {
    return storages().reduce<string | null>((found, place) => found ?? place.getItem(KEY), null);
  } catch {
    return null;
  }
}

function storeShown(id: string | null): void {
  try {
    for (const place of storages()) {
      if (id === null) place.removeItem(KEY);
      else place.setItem(KEY, id);
    }
  } catch {
    // Storage is unavailable.
  }
}

interface LastShownOptions {
  /** The ID of the shown result; null without one. */
  shown: string | null;
  /** Whether no picture is chosen or shown. */
  isIdle: boolean;
  onOpen: (reading: RecognitionResult) => void;
}

/**
 * Shows the last result again after a reload, and when an installed app is opened. Call the returned
 * function whenever the list of the user's stored results changes: right after a reload, the last result may still be
 * missing.
 */
export function useLastShown({ shown, isIdle, onOpen }: LastShownOptions) {
  const [initialId] = useState(lastShown);
  const pendingId = useRef(initialId);
  const wasShown = useRef(false);
  useEffect(() => {
    if (shown === null && !wasShown.current) return;
    wasShown.current = shown !== null;
    storeShown(shown);
  }, [shown]);
  const show = useEventCallback((reading: RecognitionResult | null) => {
    if (reading && pendingId.current !== null && isIdle) onOpen(reading);
    pendingId.current = null;
  });
  return useEventCallback(async (results: readonly RecentResult[]) => {
    if (!isIdle) pendingId.current = null;
    const id = pendingId.current;
    const known = results.find((result) => result.id === id);
    if (known) show(await open(known.id).catch(() => null));
  });
}
