/** Headers of our own. */
export const HEADERS = {
  /**
   * Sent by the page: whom it shows as signed in, as `shownPerson` writes it. A call that comes without it, as from a
   * program, is taken for whoever the browser's session belongs to.
   */
  shownPerson: 'shown-person',
  /** Answered with any value when the session belongs to somebody else than was shown, or to nobody. */
  personChanged: 'person-changed',
} as const;

/** No username begins with a dash. */
const NOBODY = '-';

/** A username as the header carries it; null for nobody. */
export const shownPerson = (username: string | null): string =>
  username === null ? NOBODY : encodeURIComponent(username);

/** Whether the page showed somebody. */
export const showsSomebody = (header: string): boolean => header !== NOBODY;
