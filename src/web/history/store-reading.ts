import type { RecognitionResult } from '../workspace/reading.ts';
import type { TextWork } from '../workspace/text/text-history.ts';
import type { Workbench } from '../workspace/workbench.ts';
import * as store from './recent-results-store.ts';

/** Delay between a keystroke and writing the text to the database. */
const WRITE_DELAY_MS = 400;

/** The page works without storage, so failed writes are ignored. */
export const ignoreStorageErrors = (done: Promise<unknown>) => void done.catch(() => {});

interface StoreOptions {
  reading: RecognitionResult;
  /** A username; empty while signed out. */
  owner: string;
  workbench: Workbench;
  /** Reports whether all edits of the text are in the database. */
  onWritten: (isWritten: boolean) => void;
  /** Called after each write. */
  onStored: () => Promise<unknown>;
}

export interface StoredReading {
  /** The ID of the result. */
  id: string;
  /** Stops writing edits, because the result was removed. */
  stopWriting: () => void;
  /** Writes pending edits immediately. */
  flush: () => void;
  /** Writes pending edits and unsubscribes, because another text is shown. */
  stop: () => void;
}

/** Stores the shown reading in this browser, and then each edit of it. */
export function storeReading({
  reading,
  owner,
  workbench,
  onWritten,
  onStored,
}: StoreOptions): StoredReading {
  const id = reading.attempt.extractionId;
  // True from the start: if the user leaves before the reading is stored, its edits are written right after it.
  let isStored = true;
  let isShown = true;
  const write = async (work: TextWork) => {
    await store.saveWork(id, work);
    if (workbench.withEdits(reading).work === work) onWritten(true);
    await onStored();
  };
  const writing = throttle((work: TextWork) => {
    if (isStored) ignoreStorageErrors(write(work));
  });
  const unsubscribe = workbench.subscribe((changed, work) => {
    if (changed !== id) return;
    onWritten(false);
    writing.add(work);
  });
  const stopWriting = () => {
    isStored = false;
  };
  const saveFirst = async () => {
    const saving = store.save(reading, owner);
    store.rememberStorageState('some');
    try {
      await saving;
      // A list that was read during the save did not have this result, and called `stopWriting`. It is stored now.
      isStored = isShown;
    } catch (error) {
      stopWriting();
      throw error;
    }
    onWritten(true);
    const workBeforeSave = workbench.withEdits(reading).work;
    if (workBeforeSave) await write(workBeforeSave);
    else await onStored();
  };
  ignoreStorageErrors(saveFirst());
  return {
    id,
    stopWriting,
    flush: writing.now,
    stop() {
      unsubscribe();
      writing.now();
      isShown = false;
      stopWriting();
    },
  };
}

/** Calls `onValue` with the latest value, `WRITE_DELAY_MS` after the first one or immediately on `now`. */
function throttle<T>(onValue: (value: T) => void) {
  let waiting: { value: T; timer: ReturnType<typeof setTimeout> } | null = null;
  const now = () => {
    if (!waiting) return;
    const { value, timer } = waiting;
    clearTimeout(timer);
    waiting = null;
    onValue(value);
  };
  return {
    now,
    add(value: T) {
      waiting = { value, timer: waiting?.timer ?? setTimeout(now, WRITE_DELAY_MS) };
    },
  };
}
