import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { deleteRecentResults, storageState } from '../session/browser-data.ts';
import { useEventCallback } from '../ui/basics/events.ts';
import { toast } from '../ui/toast/toast-store.ts';
import { isOwnFile, type Preview, type RecognitionResult } from '../workspace/reading.ts';
import type { Workbench } from '../workspace/workbench.ts';
import { findUnfinished, type UnfinishedSummary } from './batch-store.ts';
import { useLastShown } from './last-shown.ts';
import * as store from './recent-results-store.ts';
import { ignoreStorageErrors, type StoredReading, storeReading } from './store-reading.ts';
import { thumbnailOf } from './thumbnail.ts';

export interface RecentResultsOptions {
  /** A username; empty while signed out. */
  person: string;
  /** The shown reading, which is stored; null without one. */
  reading: RecognitionResult | null;
  /** The preview of its picture. */
  preview: Preview;
  workbench: Workbench;
  /** Whether no picture is chosen or shown. */
  isIdle: boolean;
  onOpen: (reading: RecognitionResult) => void;
}

interface ResultList {
  owner: string;
  results: readonly store.RecentResult[];
  /** Unfinished batch of an earlier visit; null without one. */
  unfinished: UnfinishedSummary | null;
}

const EMPTY_LIST: ResultList = { owner: '', results: [], unfinished: null };

/** IndexedDB returns a new object for the same thumbnail, which would load again. Keeps the previous object. */
const withSameThumbnail = (result: store.RecentResult, before: readonly store.RecentResult[]) => {
  const thumbnail = before.find(({ id }) => id === result.id)?.thumbnail;
  return result.thumbnail && thumbnail ? { ...result, thumbnail } : result;
};

const isEmpty = ({ extraction: { lines, hidden } }: RecognitionResult) => lines.length + hidden.length === 0;

async function findAll(owner: string) {
  const [found, unfinished] = await Promise.all([store.list(owner), findUnfinished(owner)]);
  return { owner, found, unfinished };
}

/** Stores the shown reading and its edits in this browser, and lists the user's stored results. */
export function useRecentResults(options: RecentResultsOptions) {
  const { person, reading, preview, isIdle, onOpen } = options;
  const [listed, setListed] = useState<ResultList>(EMPTY_LIST);
  const [isOn, setOn] = useState(() => storageState() !== 'off');
  const shown = reading?.attempt.extractionId ?? null;
  const storedReading = useRef<StoredReading>(null);
  const showLast = useLastShown({ shown, isIdle, onOpen });
  const current = useEventCallback(() => options);

  const show = useEventCallback(({ owner, found, unfinished }: Awaited<ReturnType<typeof findAll>>) => {
    const on = storageState() !== 'off';
    if (on) store.rememberStorageState(found.ids.length > 0 || found.hasWaiting ? 'some' : null);
    // Results of a user whose session has ended stay stored, but are not listed.
    if (storedReading.current && !found.ids.includes(storedReading.current.id))
      storedReading.current.stopWriting();
    if (owner !== person) return;
    setOn(on);
    setListed((before) => ({
      owner,
      results: found.results.map((result) => withSameThumbnail(result, before.results)),
      unfinished,
    }));
    // An unfinished list has priority: `UnfinishedBatchNotice` offers it.
    if (unfinished?.isPicture !== false) void showLast(found.results);
  });
  const refresh = useCallback(() => findAll(current().person).then(show), [current, show]);

  useEffect(() => ignoreStorageErrors(findAll(person).then(show)), [person, show]);

  useStoreEvents({
    onChanged: () => ignoreStorageErrors(refresh()),
    onDeletedAll() {
      storedReading.current?.stopWriting();
      setListed(EMPTY_LIST);
    },
    onLeave: () => storedReading.current?.flush(),
  });

  const isWritten = useStoredReading(storedReading, { ...options, isOn, onStored: refresh });

  // Empty if the user has changed since the list was read.
  const { results, unfinished } = listed.owner === person ? listed : EMPTY_LIST;
  useThumbnail({
    id: results.some(({ id, thumbnail }) => id === shown && !thumbnail) ? shown : null,
    preview,
    file: isOwnFile(preview) ? reading?.picture.file : undefined,
    onSaved: refresh,
  });

  const open = async (id: string) => {
    const found = await store.open(id).catch(() => null);
    if (found) return onOpen(found);
    toast({
      title: 'Not kept any more',
      description: 'This result was removed, perhaps in another tab.',
      variant: 'destructive',
    });
    ignoreStorageErrors(refresh());
  };

  const remove = async ({ id, name }: store.RecentResult) => {
    const restore = await store.remove(id);
    await refresh();
    toast({
      title: 'Removed',
      description: `“${name}” is not kept in this browser any more.`,
      ...(restore && {
        onUndo: () => ignoreStorageErrors(restore().then(() => refresh())),
      }),
    });
  };

  const removeAll = async () => {
    storedReading.current?.stopWriting();
    await store.removeAllOfOwner(person);
    await refresh();
    toast({ title: 'Removed', description: 'No results are kept in this browser any more.' });
  };

  const setStoring = (on: boolean) => {
    storedReading.current?.stopWriting();
    store.rememberStorageState(on ? null : 'off');
    if (!on) deleteRecentResults();
    setListed(EMPTY_LIST);
    setOn(on);
  };

  return {
    results,
    unfinished,
    hideUnfinished: () => setListed((before) => ({ ...before, unfinished: null })),
    shown,
    isOn,
    isWritten,
    open,
    remove,
    removeAll,
    setStoring,
  };
}

interface StoredReadingOptions extends RecentResultsOptions {
  isOn: boolean;
  onStored: () => Promise<void>;
}

/** Stores the shown reading. Returns whether all edits of it are in the database. */
function useStoredReading(
  storedRef: RefObject<StoredReading | null>,
  options: StoredReadingOptions,
): boolean {
  const { person, reading, workbench, isOn, onStored } = options;
  const [isWritten, onWritten] = useState(true);
  const shown = reading?.attempt.extractionId ?? null;
  const start = useEffectEvent(() =>
    reading && !isEmpty(reading)
      ? storeReading({ reading, owner: person, workbench, onWritten, onStored })
      : null,
  );
  useEffect(() => {
    if (!isOn || shown === null) return;
    storedRef.current = start();
    return storedRef.current?.stop;
  }, [shown, isOn, storedRef]);

  // A text that was read while signed out is assigned to the user who signs in while it is shown.
  useEffect(() => {
    if (person && shown) ignoreStorageErrors(store.assignOwner(shown, person).then(onStored));
  }, [person, shown, onStored]);
  return isWritten;
}

interface StoreEvents {
  /** Called after changes in another tab. */
  onChanged: () => void;
  onDeletedAll: () => void;
  /** Called while the page is unloaded. */
  onLeave: () => void;
}

function useStoreEvents(events: StoreEvents): void {
  const onChanged = useEffectEvent(events.onChanged);
  const onDeletedAll = useEffectEvent(events.onDeletedAll);
  const onLeave = useEffectEvent(events.onLeave);
  useEffect(() => {
    // Another tab may have stored or removed results.
    const onVisibility = () => {
      if (document.visibilityState === 'visible') onChanged();
    };
    const leave = () => {
      onLeave();
      store.disconnect();
    };
    const unsubscribers = [
      store.subscribeDeletedAll(() => onDeletedAll()),
      store.subscribeSavedInBackground(() => onChanged()),
    ];
    document.addEventListener('visibilitychange', onVisibility);
    window.addEventListener('pagehide', leave);
    return () => {
      for (const stop of unsubscribers) stop();
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('pagehide', leave);
    };
  }, []);
}

interface ThumbnailOptions {
  /** The ID of a stored result that needs a thumbnail; null if none does. */
  id: string | null;
  /** The preview of its picture. */
  preview: Preview;
  /** The picture's file, if the preview shows that file unchanged. */
  file: File | undefined;
  onSaved: () => Promise<void>;
}

function useThumbnail({ id, preview, file, onSaved }: ThumbnailOptions): void {
  const url = preview.status === 'ready' ? preview.url : null;
  useEffect(() => {
    if (!url || !id) return;
    ignoreStorageErrors(
      thumbnailOf(file ?? url)
        .then((thumbnail) => store.saveThumbnail(id, thumbnail))
        .then(onSaved),
    );
  }, [url, file, id, onSaved]);
}
