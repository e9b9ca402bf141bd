import type { Reading } from '../workspace/reading.ts';
import type { TextWork } from '../workspace/text/text-history.ts';
import type { Workbench } from '../workspace/workbench.ts';
import * as store from './recent-results-store.ts';

/** How long a letter that was typed waits for others before all of them are written. */
const SETTLING_MS = 400;

/** If nothing can be stored, the page continues without. */
export const ifStorable = (done: Promise<unknown>) => void done.catch(() => {});

interface StoreOptions {
  reading: Reading;
  /** A username; empty while signed out. */
  owner: string;
  workbench: Workbench;
  /** Whether all that was done to the text is on the disk. */
  onWritten: (isWritten: boolean) => void;
  /** Called after each writing. */
  onStored: () => Promise<unknown>;
}

export interface StoredReading {
  /** Of the text. */
  id: string;
  /** The text was removed: edits of it are no longer written. */
  forget: () => void;
  /** Writes at once what waits to be written. */
  flush: () => void;
  /** Another text is shown. */
  stop: () => void;
}

/** Stores the text on the screen in this browser, and from then on its edits. */
export function storeReading({
  reading,
  owner,
  workbench,
  onWritten,
  onStored,
}: StoreOptions): StoredReading {
  const id = reading.attempt.extractionId;
  // From now on: should the user leave before it is stored, its edits are written right after it.
  let isKept = true;
  let isShown = true;
  const write = async (work: TextWork) => {
    await store.saveWork(id, work);
    if (workbench.withEdits(reading).work === work) onWritten(true);
    await onStored();
  };
  const writing = gather((work: TextWork) => {
    if (isKept) ifStorable(write(work));
  });
  const unsubscribe = workbench.subscribe((changed, work) => {
    if (changed !== id) return;
    onWritten(false);
    writing.add(work);
  });
  const forget = () => {
    isKept = false;
  };
  const keep = async () => {
    const saving = store.save(reading, owner);
    store.rememberStorageState('some');
    try {
      await saving;
      // A list that was read meanwhile did not have it.
      isKept = isShown;
    } catch (error) {
      forget();
      throw error;
    }
    onWritten(true);
    const before = workbench.withEdits(reading).work;
    if (before) await write(before);
    else await onStored();
  };
  ifStorable(keep());
  return {
    id,
    forget,
    flush: writing.now,
    stop() {
      unsubscribe();
      writing.now();
      isShown = false;
      forget();
    },
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
