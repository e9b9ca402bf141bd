export const HEADERS = {
  /**
   * Sent by the page: the user that it shows as signed in (see `shownPerson`). A call without it acts for the user of the
   * session.
   */
  shownPerson: 'shown-person',
  /** Sent, with any value, if the session belongs to another user than the shown one, or has ended. */
  personChanged: 'person-changed',
} as const;

/** No username begins with a dash. */
const NO_USER = '-';

/** A username as the header carries it; null without a user. */
export const shownPerson = (username: string | null): string =>
  username === null ? NO_USER : encodeURIComponent(username);

export const showsUser = (header: string): boolean => header !== NO_USER;
