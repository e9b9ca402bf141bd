/*
 * Results that this browser keeps for whoever reads pictures in it. Here stands what every page has to know of them;
 * `features/recognition` keeps, lists and opens them, with code that is fetched when there is something to keep.
 */

/** Of the database, and of the note about it. */
export const RECENT_RESULTS = 'recent-results';

/** `some` are kept, keeping is `off`, or neither is so. Known without opening a database, so that most first views need none. */
export type StorageState = 'some' | 'off' | null;

export function storageState(): StorageState {
  try {
    const note = localStorage.getItem(RECENT_RESULTS);
    return note === 'some' || note === 'off' ? note : null;
  } catch {
    return null;
  }
}

let forgotten = 0;

/**
 * Takes all of them out of this browser, whosever they are: somebody signs out, or wants none kept. Needs no code that
 * would have to be fetched first.
 */
export function deleteRecentResults(): void {
  forgotten += 1;
  rememberOwner(null);
  try {
    indexedDB.deleteDatabase(RECENT_RESULTS);
    // A picture that was shared with us and has not been shown yet.
    void caches.delete('shared-picture').catch(() => {});
  } catch {
    // There is no place where any could be kept.
  }
}

const OWNER = 'recent-results-owner';

/** Notes who is signed in, for when nobody can be asked: without a network their results are still theirs. */
export function rememberOwner(username: string | null): void {
  try {
    if (username === null) localStorage.removeItem(OWNER);
    else localStorage.setItem(OWNER, username);
  } catch {
    // Likewise.
  }
}

/** Whether this document came out of the browser's own store: it knows nobody. */
export const isOffline = (): boolean =>
  typeof document !== 'undefined' && document.documentElement.hasAttribute('data-offline');

/** Whose results are listed where the page knows of nobody; empty for those of nobody. */
export function ownerOffline(): string {
  try {
    return (isOffline() && localStorage.getItem(OWNER)) || '';
  } catch {
    return '';
  }
}

/** How often that was done since the page was opened: what was under way before must not bring anything back. */
export const deletionCount = () => forgotten;

/** What the names begin with under which this browser keeps edits of saved texts that could not be saved. */
export const DRAFT = 'text-draft:';

/** Takes all of them away, whosever they are: somebody signs out. Needs no code that would have to be fetched first. */
export function deleteDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(DRAFT)) localStorage.removeItem(key);
  } catch {
    // There is no place where any could be kept.
  }
}
