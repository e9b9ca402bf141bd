import { useEffect, useRef, useState } from 'react';
import { useEventCallback } from '../ui/basics/events.ts';
import type { Reading } from '../workspace/reading.ts';
import { open, type RecentResult } from './recent-results-store.ts';

const KEY = 'last-shown-result';

/** For the tab alone; of an installed app also for the next time that it is opened, which is another session. */
const places = (): readonly Storage[] =>
  window.matchMedia('(display-mode: standalone)').matches ? [sessionStorage, localStorage] : [sessionStorage];

/** The id of the result on the screen when the page was left; null without one. */
function lastShown(): string | null {
  try {
    return places().reduce<string | null>((found, place) => found ?? place.getItem(KEY), null);
  } catch {
    return null;
  }
}

function rememberShown(id: string | null): void {
  try {
    for (const place of places()) {
      if (id === null) place.removeItem(KEY);
      else place.setItem(KEY, id);
    }
  } catch {
    // A browser that stores nothing shows nothing again.
  }
}

interface LastShownOptions {
  /** The id of the result on the screen; null without one. */
  shown: string | null;
  /** No picture is chosen or shown. */
  isIdle: boolean;
  onOpen: (reading: Reading) => void;
}

/**
 * Shows the last result again after a reload, and in an installed app when it is opened. Returns what to call with each
 * list of the stored results of this person: a result may still be being written when the page is back.
 */
export function useLastShown({ shown, isIdle, onOpen }: LastShownOptions) {
  const [atStart] = useState(lastShown);
  const awaited = useRef(atStart);
  const wasShown = useRef(false);
  useEffect(() => {
    if (shown === null && !wasShown.current) return;
    wasShown.current = shown !== null;
    rememberShown(shown);
  }, [shown]);
  const show = useEventCallback((reading: Reading | null) => {
    if (reading && awaited.current !== null && isIdle) onOpen(reading);
    awaited.current = null;
  });
  return useEventCallback(async (results: readonly RecentResult[]) => {
    if (!isIdle) awaited.current = null;
    const id = awaited.current;
    const known = results.find((result) => result.id === id);
    if (known) show(await open(known.id).catch(() => null));
  });
}
