/*
 * Results that this browser keeps for whoever reads pictures in it. Here stands what every page has to know of them;
 * `features/recognition` keeps, lists and opens them, with code that is fetched when there is something to keep.
 */

/** Of the database, and of the note about it. */
export const RECENT_RESULTS = 'recent-results';

/** `some` are kept, keeping is `off`, or neither is so. Known without opening a database, so that most first views need none. */
export type Keeping = 'some' | 'off' | null;

export function keepingOfResults(): Keeping {
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
export function forgetRecentResults(): void {
  forgotten += 1;
  try {
    indexedDB.deleteDatabase(RECENT_RESULTS);
  } catch {
    // There is no place where any could be kept.
  }
}

/** How often that was done since the page was opened: what was under way before must not bring anything back. */
export const timesForgotten = () => forgotten;
