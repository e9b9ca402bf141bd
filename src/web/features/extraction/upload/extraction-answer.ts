import type { ErrorCode } from '#contract/error-codes';
import type { ApiError as ErrorAnswer } from '#contract/errors';
import type { Progress } from '#contract/extraction';
import { recognition } from '../../../api/client.ts';
import type { ExtractionFailure } from '../tool/extraction-state.ts';

/** The text of a stage; null for the end, which the result shows. */
export function stageText(progress: Progress): string | null {
  switch (progress.stage) {
    case 'queued':
      return 'Waiting for its turn';
    case 'fetching-language':
      return `Fetching ${progress.language}, once: ${megabytes(progress.received)} of ${megabytes(progress.of)} MB`;
    case 'decoding':
      return 'Opening the picture';
    case 'finding-lines':
      return 'Looking for lines of text';
    case 'reading':
      return `Reading line ${progress.line} of ${progress.of}`;
    case 'ordering':
      return 'Putting the lines in order';
    case 'done':
      return null;
  }
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

/** Reports the stages of an extraction until it ends or `signal` aborts. Reports nothing if stages are not available. */
export function watchStages(
  extractionId: string,
  onStage: (stage: string) => void,
  signal: AbortSignal,
): void {
  recognition.listen(
    'GET /api/extractions/:id/events',
    { params: { id: extractionId }, signal },
    (progress) => {
      const stage = stageText(progress);
      if (stage === null) return 'stop';
      onStage(stage);
      return undefined;
    },
  );
}

const PERSON_CHANGED: Readonly<Record<string, 'signed-out' | 'other-user'>> = {
  'accounts.session_ended': 'signed-out',
  'accounts.signed_in_as_another': 'other-user',
} satisfies { [_ in ErrorCode]?: 'signed-out' | 'other-user' };

/** The failure of an error response. `body` may be incomplete. */
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
