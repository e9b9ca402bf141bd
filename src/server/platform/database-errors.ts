/** Database failures, by whether the query took effect. */

/** The query was not run or was rolled back: it had no effect. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** The connection broke before the query could take effect, so it may be retried at once. */
export class ConnectionLost extends DatabaseUnavailable {
  override name = 'ConnectionLost';
}

/** The database rejects the login or does not exist; retrying does not help. */
export class DatabaseAccessDenied extends DatabaseUnavailable {
  override name = 'DatabaseRefuses';
}

/** The connection broke during the query, so its outcome is unknown. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown';
}
