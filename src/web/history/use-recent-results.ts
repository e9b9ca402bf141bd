import { useCallback, useEffect, useRef, useState } from 'react';
import { deleteRecentResults, storageState } from '../session/browser-data.ts';
import { useEventCallback } from '../ui/basics/use-event-callback.ts';
import { toast } from '../ui/toast/toast-store.ts';
import type { Preview, Reading } from '../workspace/reading.ts';
import type { Workbench } from '../workspace/workbench.ts';
import { findUnfinished, type Unfinished } from './batch-store.ts';
import { ifStorable, type Keeping, keepReading } from './keep-reading.ts';
import * as store from './recent-results-store.ts';
import { thumbnailOf } from './thumbnail.ts';

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

async function find(owner: string) {
  const [found, unfinished] = await Promise.all([store.list(owner), findUnfinished(owner)]);
  return { owner, found, unfinished };
}

/** Stores the text on the screen and its edits in this browser, and lists what else is stored of this person. */
export function useRecentResults(options: RecentResultsOptions) {
  const { person, reading, preview, workbench } = options;
  const [listed, setListed] = useState<Listed>(NOTHING);
  const [isOn, setOn] = useState(() => storageState() !== 'off');
  /** All that was done to the text on the screen is on the disk. */
  const [isWritten, setWritten] = useState(true);
  const shown = reading?.attempt.extractionId ?? null;
  const keeping = useRef<Keeping>(null);
  const current = useEventCallback(() => options);

  const show = useEventCallback(({ owner, found, unfinished }: Awaited<ReturnType<typeof find>>) => {
    const on = storageState() !== 'off';
    if (on) store.rememberStorageState(found.ids.length > 0 || found.somethingWaits ? 'some' : null);
    // Somebody's whose session has ended is kept all the same, and only not listed.
    if (keeping.current && !found.ids.includes(keeping.current.id)) keeping.current.forget();
    if (owner !== person) return;
    setOn(on);
    setListed((before) => ({
      owner,
      results: found.results.map((result) => withSameThumbnail(result, before.results)),
      unfinished,
    }));
  });
  const refresh = useCallback(() => find(current().person).then(show), [current, show]);

  useEffect(() => ifStorable(find(person).then(show)), [person, show]);

  useEffect(() => {
    // Another tab may have kept, removed or forgotten some.
    const onVisibility = () => {
      if (document.visibilityState === 'visible') ifStorable(refresh());
    };
    const leave = () => {
      keeping.current?.flush();
      store.disconnect();
    };
    const stop = store.subscribeCleared(() => {
      keeping.current?.forget();
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
    const { reading: fresh, person: owner } = current();
    if (!isOn || !fresh || shown === null || isEmpty(fresh)) return;
    const own = keepReading({ reading: fresh, owner, workbench, onWritten: setWritten, onStored: refresh });
    keeping.current = own;
    return own.stop;
  }, [shown, isOn, workbench, refresh, current]);

  // A text that was read while signed out belongs to the user who signs in while it is on the screen.
  useEffect(() => {
    if (person && shown) ifStorable(store.assignOwner(shown, person).then(() => refresh()));
  }, [person, shown, refresh]);

  // Another person has other results.
  const { results, unfinished } = listed.owner === person ? listed : NOTHING;
  const url = preview.status === 'ready' ? preview.url : null;
  const lacksThumbnail = results.some(({ id, thumbnail }) => id === shown && !thumbnail);
  useEffect(() => {
    if (!url || !shown || !lacksThumbnail) return;
    ifStorable(
      thumbnailOf(url)
        .then((thumbnail) => store.saveThumbnail(shown, thumbnail))
        .then(() => refresh()),
    );
  }, [url, shown, lacksThumbnail, refresh]);

  const open = async (id: string) => {
    const found = await store.open(id).catch(() => null);
    if (found) return options.onOpen(found);
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
    keeping.current?.forget();
    await store.removeAllOfOwner(person);
    await refresh();
    toast({ title: 'Removed', description: 'No results are kept in this browser any more.' });
  };

  const turn = (on: boolean) => {
    keeping.current?.forget();
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
