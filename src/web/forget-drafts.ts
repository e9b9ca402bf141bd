/** What the names begin with under which this browser keeps edits of saved texts that could not be saved. */
export const DRAFT = 'text-draft:';

/** Takes all of them away, whosever they are: somebody signs out. Needs no code that would have to be fetched first. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(DRAFT)) localStorage.removeItem(key);
  } catch {
    // There is no place where any could be kept.
  }
}
