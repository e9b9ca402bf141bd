import type { ErrorCode } from '#contract/error-codes';
import type { ApiError as ErrorAnswer } from '#contract/errors';
import type { ExtractionFailure } from '../tool/extraction-state.ts';

const PERSON_CHANGED: Readonly<Record<string, 'nobody' | 'another'>> = {
  'accounts.session_ended': 'nobody',
  'accounts.signed_in_as_another': 'another',
} satisfies { [_ in ErrorCode]?: 'nobody' | 'another' };

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
    retryable: person === 'another' || (limit === null && (status === 429 || status >= 500)),
  };
}
