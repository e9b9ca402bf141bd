export interface ExtractionFailure {
  /** A sentence for a person. */
  message: string;
  /** Null when no answer came: offline, or the connection was lost. */
  status: number | null;
  /** The quota is used up; the flags of the answer say what could be done about it. */
  limit: { requiresAuth: boolean; requiresPayment: boolean } | null;
  /** Refused because the session of the shown person has ended, or belongs to another account. */
  person: 'nobody' | 'another' | null;
  /** The same press may be sent again: nothing was answered, or the server was only busy. */
  retryable: boolean;
}

const NO_ANSWER = 'Please try again';

export const LOST = 'The connection was lost before an answer came.';
export const OFFLINE = 'You are offline. Try again once you are connected: it is counted once.';

export const connectionLost: ExtractionFailure = {
  message: NO_ANSWER,
  status: null,
  limit: null,
  person: null,
  retryable: true,
};
