import type { ErrorCode } from '#contract/error-codes';
import type { ApiError } from '#contract/errors';

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
const NO_REASON = 'OCR processing failed';

export const LOST = 'The connection was lost before an answer came.';
export const OFFLINE = 'You are offline. Try again once you are connected: it is counted once.';

export const connectionLost: ExtractionFailure = {
  message: NO_ANSWER,
  status: null,
  limit: null,
  person: null,
  retryable: true,
};

const PERSON_CHANGED: Readonly<Record<string, 'nobody' | 'another'>> = {
  'accounts.session_ended': 'nobody',
  'accounts.signed_in_as_another': 'another',
} satisfies { [_ in ErrorCode]?: 'nobody' | 'another' };

/** From an answer that is not a success; `body` is what could be read of it. */
export function failureOf(status: number, body: Partial<ApiError>): ExtractionFailure {
  const person = PERSON_CHANGED[body.code ?? ''] ?? null;
  const limit =
    status === 429 && body.limitExceeded
      ? { requiresAuth: body.requiresAuth ?? false, requiresPayment: body.requiresPayment ?? false }
      : null;
  return {
    message: body.error || NO_REASON,
    status,
    limit,
    person,
    retryable: person === 'another' || (limit === null && (status === 429 || status >= 500)),
  };
}
