import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { deleteRecentResults, storageState } from '../session/browser-data.ts';
import { useEventCallback } from '../ui/basics/events.ts';
import { toast } from '../ui/toast/toast-store.ts';
import { isOwnFile, type Preview, type Reading } from '../workspace/reading.ts';
import type { Workbench } from '../workspace/workbench.ts';
import { findUnfinished, type Unfinished } from './batch-store.ts';
import { ifStorable, type StoredReading, storeReading } from './keep-reading.ts';
import { useLastShown } from './last-shown.ts';
import * as store from './recent-results-store.ts';
import { thumbnailOf } from './thumbnail.ts';

export interface RecentResultsOptions {
  /** A username; empty while signed out. */
  person: string;
  /** The shown text, which is to be stored; null without one. */
  reading: Reading | null;
  /** Of the text's picture. */
  preview: Preview;
  workbench: Workbench;
  /** No picture is chosen or shown. */
  isIdle: boolean;
  onOpen: (reading: Reading) => void;
}

interface Listed {
  owner: string;
  results: readonly store.RecentResult[];
  /** Unfinished batch of an earlier visit; null without one. */
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
  const { person, reading, preview, isIdle, onOpen } = options;
  const [listed, setListed] = useState<Listed>(NOTHING);
  const [isOn, setOn] = useState(() => storageState() !== 'off');
  const shown = reading?.attempt.extractionId ?? null;
  const keeping = useRef<StoredReading>(null);
  const showLast = useLastShown({ shown, isIdle, onOpen });
  const current = useEventCallback(() => options);

  const show = useEventCallback(({ owner, found, unfinished }: Awaited<ReturnType<typeof find>>) => {
    const on = storageState() !== 'off';
    if (on) store.rememberStorageState(found.ids.length > 0 || found.somethingWaits ? 'some' : null);
    // Results of a user whose session has ended are kept, but not listed.
    if (keeping.current && !found.ids.includes(keeping.current.id)) keeping.current.forget();
    if (owner !== person) return;
    setOn(on);
    setListed((before) => ({
      owner,
      results: found.results.map((result) => withSameThumbnail(result, before.results)),
      unfinished,
    }));
    // A list that was left is offered instead.
    if (unfinished?.isPicture !== false) void showLast(found.results);
  });
  const refresh = useCallback(() => find(current().person).then(show), [current, show]);

  useEffect(() => ifStorable(find(person).then(show)), [person, show]);

  useStoreEvents({
    onChanged: () => ifStorable(refresh()),
    onCleared() {
      keeping.current?.forget();
      setListed(NOTHING);
    },
    onLeave: () => keeping.current?.flush(),
  });

  const isWritten = useKeptReading(keeping, { ...options, isOn, onStored: refresh });

  // The user has changed.
  const { results, unfinished } = listed.owner === person ? listed : NOTHING;
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

interface KeptReadingOptions extends RecentResultsOptions {
  isOn: boolean;
  onStored: () => Promise<void>;
}

/** Keeps the text on the screen. Returns whether all that was done to it is on the disk. */
function useKeptReading(keepingRef: RefObject<StoredReading | null>, options: KeptReadingOptions): boolean {
  const { person, reading, workbench, isOn, onStored } = options;
  const [isWritten, onWritten] = useState(true);
  const shown = reading?.attempt.extractionId ?? null;
  const begin = useEffectEvent(() =>
    reading && !isEmpty(reading)
      ? storeReading({ reading, owner: person, workbench, onWritten, onStored })
      : null,
  );
  useEffect(() => {
    if (!isOn || shown === null) return;
    keepingRef.current = begin();
    return keepingRef.current?.stop;
  }, [shown, isOn, keepingRef]);

  // A text that was read while signed out belongs to the user who signs in while it is on the screen.
  useEffect(() => {
    if (person && shown) ifStorable(store.assignOwner(shown, person).then(onStored));
  }, [person, shown, onStored]);
  return isWritten;
}

interface StoreEvents {
  /** Called after changes in another tab. */
  onChanged: () => void;
  onCleared: () => void;
  /** Called while the page is unloaded. */
  onLeave: () => void;
}

function useStoreEvents(events: StoreEvents): void {
  const onChanged = useEffectEvent(events.onChanged);
  const onCleared = useEffectEvent(events.onCleared);
  const onLeave = useEffectEvent(events.onLeave);
  useEffect(() => {
    // Another tab may have kept, removed or forgotten some.
    const onVisibility = () => {
      if (document.visibilityState === 'visible') onChanged();
    };
    const leave = () => {
      onLeave();
      store.disconnect();
    };
    const stops = [
      store.subscribeCleared(() => onCleared()),
      store.subscribeSavedInBackground(() => onChanged()),
    ];
    document.addEventListener('visibilitychange', onVisibility);
    window.addEventListener('pagehide', leave);
    return () => {
      for (const stop of stops) stop();
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('pagehide', leave);
    };
  }, []);
}

interface ThumbnailOptions {
  /** Creates the thumbnail of a stored text without one; null if that fails. */
  id: string | null;
  /** Of its picture. */
  preview: Preview;
  /** The picture's own, where the preview shows that. */
  file: File | undefined;
  onSaved: () => Promise<void>;
}

function useThumbnail({ id, preview, file, onSaved }: ThumbnailOptions): void {
  const url = preview.status === 'ready' ? preview.url : null;
  useEffect(() => {
    if (!url || !id) return;
    ifStorable(
      thumbnailOf(file ?? url)
        .then((thumbnail) => store.saveThumbnail(id, thumbnail))
        .then(onSaved),
    );
  }, [url, file, id, onSaved]);
}
