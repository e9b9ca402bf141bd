/** How a database query can fail, told apart by the one thing that the caller has to know: whether it was done. */

/** The query was not made or gave up. Nothing of it has happened. */
export class DatabaseAway extends Error {
  override name = 'DatabaseAway';
}

/** A connection broke before what was asked for could be kept: on another one the same may be asked at once. */
export class ConnectionLost extends DatabaseAway {
  override name = 'ConnectionLost';
}

/** It does not let us in: waiting would change nothing. */
export class DatabaseRefuses extends DatabaseAway {
  override name = 'DatabaseRefuses';
}

/** The connection broke when what was asked for was on its way: it may have been done, and it may not. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown';
}
