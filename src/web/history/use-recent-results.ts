import { useCallback, useEffect, useRef, useState } from 'react';
import { deleteRecentResults, storageState } from '../session/browser-data.ts';
import { useEventCallback } from '../ui/basics/use-event-callback.ts';
import { toast } from '../ui/toast/toast-store.ts';
import { isOwnFile, type Preview, type Reading } from '../workspace/reading.ts';
import type { TextWork } from '../workspace/text/text-history.ts';
import type { Workbench } from '../workspace/workbench.ts';
import { findUnfinished, type Unfinished } from './batch-store.ts';
import * as store from './recent-results-store.ts';
import { thumbnailOf } from './thumbnail.ts';

/** How long a letter that was typed waits for others before all of them are written. */
const SETTLING_MS = 400;

export interface RecentResultsOptions {
  /** A username; empty while signed out. */
  person: string;
  /** The text on the screen, which is to be kept; null where there is none. */
  reading: Reading | null;
  /** Of the text's picture. */
  preview: Preview;
  workbench: Workbench;
  onOpen: (reading: Reading) => void;
}

/** If nothing can be stored, the page goes on without. */
const ifStorable = (done: Promise<unknown>) => void done.catch(() => {});

interface Listed {
  owner: string;
  results: readonly store.RecentResult[];
  /** What an earlier visit left; null where there is nothing. */
  unfinished: Unfinished | null;
}

const NOTHING: Listed = { owner: '', results: [], unfinished: null };

/** Each query returns another object for the same thumbnail, which would be loaded again each time. */
const withSameThumbnail = (result: store.RecentResult, before: readonly store.RecentResult[]) => {
  const thumbnail = before.find(({ id }) => id === result.id)?.thumbnail;
  return result.thumbnail && thumbnail ? { ...result, thumbnail } : result;
};

const isEmpty = ({ extraction: { lines, hidden } }: Reading) => lines.length + hidden.length === 0;

/**
 * Stores the text on the screen and its edits in this browser, and lists what else is stored of this person. One closure,
 * because storing, listing and removing share which text is stored.
 */
export function useRecentResults(options: RecentResultsOptions) {
  const { person, reading, preview, workbench } = options;
  const [listed, setListed] = useState<Listed>(NOTHING);
  const [isOn, setOn] = useState(() => storageState() !== 'off');
  /** All that was done to the text on the screen is on the disk. */
  const [isWritten, setWritten] = useState(true);
  const shown = reading?.attempt.extractionId ?? null;
  /** The text on the screen, from when its keeping begins until it is removed or another is shown. */
  const kept = useRef<string | null>(null);
  /** Writes at once what waits to be written. */
  const flush = useRef(() => {});
  const onOpen = useEventCallback(options.onOpen);
  const current = useEventCallback(() => options);

  const refresh = useCallback(
    async (owner = current().person) => {
      const [found, unfinished] = await Promise.all([store.list(owner), findUnfinished(owner)]);
      const on = storageState() !== 'off';
      if (on) store.rememberStorageState(found.ids.length > 0 || found.somethingWaits ? 'some' : null);
      // Somebody's whose session has ended is kept all the same, and only not listed.
      if (kept.current !== null && !found.ids.includes(kept.current)) kept.current = null;
      if (owner !== current().person) return;
      setOn(on);
      setListed((before) => ({
        owner,
        results: found.results.map((result) => withSameThumbnail(result, before.results)),
        unfinished,
      }));
    },
    [current],
  );

  useEffect(() => ifStorable(refresh(person)), [refresh, person]);

  useEffect(() => {
    // Another tab may have kept, removed or forgotten some.
    const onVisibility = () => {
      if (document.visibilityState === 'visible') ifStorable(refresh());
    };
    const leave = () => {
      flush.current();
      store.disconnect();
    };
    const stop = store.subscribeCleared(() => {
      kept.current = null;
      setListed(NOTHING);
    });
    const stopHearing = store.subscribeSavedInBackground(() => ifStorable(refresh()));
    document.addEventListener('visibilitychange', onVisibility);
    window.addEventListener('pagehide', leave);
    return () => {
      stop();
      stopHearing();
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('pagehide', leave);
    };
  }, [refresh]);

  useEffect(() => {
    const { reading: fresh } = current();
    if (!isOn || !fresh || shown === null || isEmpty(fresh)) return;
    const write = async (work: TextWork) => {
      await store.saveWork(shown, work);
      if (workbench.withEdits(fresh).work === work) setWritten(true);
      await refresh();
    };
    const writing = gather((work: TextWork) => {
      if (kept.current === shown) ifStorable(write(work));
    });
    const stop = workbench.subscribe((id, work) => {
      if (id !== shown) return;
      setWritten(false);
      writing.add(work);
    });
    const keep = async () => {
      const keeping = store.save(fresh, current().person);
      // Edits are written right after it, so that both are there even if the user leaves now.
      kept.current = shown;
      store.rememberStorageState('some');
      try {
        await keeping;
        if (current().reading?.attempt.extractionId === shown) kept.current = shown;
      } catch (error) {
        if (kept.current === shown) kept.current = null;
        throw error;
      }
      setWritten(true);
      const before = workbench.withEdits(fresh).work;
      if (before) await write(before);
      else await refresh();
    };
    ifStorable(keep());
    flush.current = writing.now;
    return () => {
      stop();
      writing.now();
      kept.current = null;
    };
  }, [shown, isOn, workbench, refresh, current]);

  // A text that was read while signed out belongs to the user who signs in while it is on the screen.
  useEffect(() => {
    if (person && shown) ifStorable(store.assignOwner(shown, person).then(() => refresh()));
  }, [person, shown, refresh]);

  // Another person has other results.
  const { results, unfinished } = listed.owner === person ? listed : NOTHING;
  const url = preview.status === 'ready' ? preview.url : null;
  const ownFile = isOwnFile(preview) ? reading?.picture.file : undefined;
  const lacksThumbnail = results.some(({ id, thumbnail }) => id === shown && !thumbnail);
  useEffect(() => {
    if (!url || !shown || !lacksThumbnail) return;
    ifStorable(
      thumbnailOf(ownFile ?? url)
        .then((thumbnail) => store.saveThumbnail(shown, thumbnail))
        .then(() => refresh()),
    );
  }, [url, ownFile, shown, lacksThumbnail, refresh]);

  const open = async (id: string) => {
    const found = await store.open(id).catch(() => null);
    if (found) return onOpen(found);
    toast({
      title: 'Not kept any more',
      description: 'This result was removed, perhaps in another tab.',
      variant: 'destructive',
    });
    ifStorable(refresh());
  };

  const remove = async ({ id, name }: store.RecentResult) => {
    const bringBack = await store.remove(id);
    await refresh();
    toast({
      title: 'Removed',
      description: `“${name}” is not kept in this browser any more.`,
      ...(bringBack && {
        onUndo: () => ifStorable(bringBack().then(() => refresh())),
      }),
    });
  };

  const removeAll = async () => {
    kept.current = null;
    await store.removeAllOfOwner(person);
    await refresh();
    toast({ title: 'Removed', description: 'No results are kept in this browser any more.' });
  };

  const turn = (on: boolean) => {
    kept.current = null;
    store.rememberStorageState(on ? null : 'off');
    if (!on) deleteRecentResults();
    setListed(NOTHING);
    setOn(on);
  };

  return {
    results,
    unfinished,
    forgetUnfinished: () => setListed((before) => ({ ...before, unfinished: null })),
    shown,
    isOn,
    isWritten,
    open,
    remove,
    removeAll,
    turn,
  };
}

/** Passes on the last of several values, a moment after the first of them or at once on demand. */
function gather<T>(hand: (value: T) => void) {
  let waiting: { value: T; timer: ReturnType<typeof setTimeout> } | null = null;
  const now = () => {
    if (!waiting) return;
    const { value, timer } = waiting;
    clearTimeout(timer);
    waiting = null;
    hand(value);
  };
  return {
    now,
    add(value: T) {
      waiting = { value, timer: waiting?.timer ?? setTimeout(now, SETTLING_MS) };
    },
  };
}
