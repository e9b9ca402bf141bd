import type { Extraction } from '#contract/extraction';
import { ApiError, UnreadableAnswer } from '../../api.ts';
import { recognition } from '../../calls.ts';
import { connectionLost, type ExtractionFailure, failureOf } from './extraction-failure.ts';
import type { Attempt } from './extraction-state.ts';

export type ExtractionAnswer =
  | { ok: true; extraction: Extraction }
  | { ok: false; failure: ExtractionFailure };

/**
 * Sends a picture and waits for its text. Failures of every kind are answers;
 * only an abort through `signal` rejects.
 */
export async function extractText(
  file: File,
  { extractionId, idempotencyKey, useFiltering, languages }: Attempt,
  signal: AbortSignal,
): Promise<ExtractionAnswer> {
  try {
    const extraction = await recognition.ask('POST /api/extract-text', {
      headers: { 'idempotency-key': idempotencyKey },
      // The id goes before the file: the server reads the fields in order and reports from the first byte on.
      form: {
        extractionId,
        useFiltering: useFiltering ? 'true' : 'false',
        languages: languages.length > 0 ? languages.join('+') : undefined,
        file,
      },
      signal,
    });
    return { ok: true, extraction };
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof ApiError) {
      return { ok: false, failure: failureOf(error.status, await error.details()) };
    }
    return {
      ok: false,
      failure: error instanceof UnreadableAnswer ? failureOf(200, {}) : connectionLost,
    };
  }
}
