/*
 * Data that this browser stores for its users: recent results and unsaved edits. These are the parts that every page
 * needs; `history` stores, lists and opens results, with code that is loaded when there are any.
 */

/** Of the database, and of the note about it. */
export const RECENT_RESULTS = 'recent-results';

/** `some`: results are stored; `off`: storing is turned off; null: neither. Known without opening a database, so that most first views need none. */
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

/**
 * Deletes all results of all users, on signing out or when storing is turned off. Needs no code that would have to be
 * loaded first.
 */
export function deleteRecentResults(): void {
  deletions += 1;
  rememberOwner(null);
  try {
    indexedDB.deleteDatabase(RECENT_RESULTS);
    // A picture that was shared with us and has not been shown yet.
    void caches.delete('shared-picture').catch(() => {});
  } catch {
    // Storage is unavailable.
  }
}

const OWNER = 'recent-results-owner';

/** Remembers who is signed in, so that their results are listed without a network. */
export function rememberOwner(username: string | null): void {
  try {
    if (username === null) localStorage.removeItem(OWNER);
    else localStorage.setItem(OWNER, username);
  } catch {
    // Storage is unavailable.
  }
}

/** Whether this document comes from the service worker's cache: it does not know the user. */
export const isOffline = (): boolean =>
  typeof document !== 'undefined' && document.documentElement.hasAttribute('data-offline');

/** The owner of the listed results if the page does not know the user; empty for results without an owner. */
export function ownerOffline(): string {
  try {
    return (isOffline() && localStorage.getItem(OWNER)) || '';
  } catch {
    return '';
  }
}

/** How often that was done since the page was opened: work that started before must not restore anything. */
export const deletionCount = () => deletions;

/** The prefix of the keys of unsaved edits in localStorage. */
export const DRAFT = 'text-draft:';

/** Deletes the drafts of all users, on signing out. Needs no code that would have to be loaded first. */
export function deleteDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(DRAFT)) localStorage.removeItem(key);
  } catch {
    // Storage is unavailable.
  }
}
