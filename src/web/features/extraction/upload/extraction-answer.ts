import type { ErrorCode } from '#contract/error-codes';
import type { ApiError as ErrorAnswer } from '#contract/errors';
import type { ExtractionFailure } from '../tool/extraction-state.ts';

const PERSON_CHANGED: Readonly<Record<string, 'signed-out' | 'other-user'>> = {
  'accounts.session_ended': 'signed-out',
  'accounts.signed_in_as_another': 'other-user',
} satisfies { [_ in ErrorCode]?: 'signed-out' | 'other-user' };

/** From an answer that is not a success; `body` is what could be read of it. */
export function failureOf(status: number, body: Partial<ErrorAnswer>): ExtractionFailure {
  const person = PERSON_CHANGED[body.code ?? ''] ?? null;
  const limit =
    status === 429 && body.limitExceeded
      ? { requiresAuth: body.requiresAuth ?? false, requiresPayment: body.requiresPayment ?? false }
      : null;
  return {
    message: body.error || 'OCR processing failed',
    status,
    limit,
    person,
    retryable: person === 'other-user' || (limit === null && (status === 429 || status >= 500)),
  };
}
