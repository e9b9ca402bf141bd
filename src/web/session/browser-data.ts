/*
 * Data that this browser stores for its users: recent results and unsaved edits. This file has the parts that every page
 * needs. The code in `history` stores, lists and opens results, and is loaded only when results exist.
 */

/** The name of the IndexedDB database and of the localStorage key with its `StorageState`. */
export const RECENT_RESULTS = 'recent-results';

/**
 * `some`: results are stored; `off`: storing is turned off; null: neither. It is in localStorage, so that most first views
 * do not open the database.
 */
export type StorageState = 'some' | 'off' | null;

export function storageState(): StorageState {
  try {
    const note = localStorage.getItem(RECENT_RESULTS);
    return note === 'some' || note === 'off' ? note : null;
  } catch {
    return null;
  }
}

let deletions = 0;

/** Deletes all results of all users, on signing out or when storing is turned off. Needs no lazily loaded module. */
export function deleteRecentResults(): void {
  deletions += 1;
  rememberOwner(null);
  try {
    indexedDB.deleteDatabase(RECENT_RESULTS);
    // A picture that another app shared and the page has not shown yet.
    void caches.delete('shared-picture').catch(() => {});
  } catch {
    // Storage is unavailable.
  }
}

const OWNER_KEY = 'recent-results-owner';

/** Stores the username, so that the results of this user are listed offline. */
export function rememberOwner(username: string | null): void {
  try {
    if (username === null) localStorage.removeItem(OWNER_KEY);
    else localStorage.setItem(OWNER_KEY, username);
  } catch {
    // Storage is unavailable.
  }
}

/** Whether this document comes from the service worker's cache, which has no user data. */
export const isOffline = (): boolean =>
  typeof document !== 'undefined' && document.documentElement.hasAttribute('data-offline');

/** The stored username in an offline document; empty for signed-out visitors and in all other documents. */
export function storedOwner(): string {
  try {
    return (isOffline() && localStorage.getItem(OWNER_KEY)) || '';
  } catch {
    return '';
  }
}

/**
 * How often `deleteRecentResults` ran in this document. Work that started before a deletion must not store anything
 * after it.
 */
export const deletionCount = () => deletions;

/** The prefix of the keys of unsaved edits in localStorage. */
export const DRAFT_PREFIX = 'text-draft:';

/** Deletes the drafts of all users, on signing out. Needs no lazily loaded module. */
export function deleteDrafts(): void {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(DRAFT_PREFIX)) localStorage.removeItem(key);
  } catch {
    // Storage is unavailable.
  }
}
