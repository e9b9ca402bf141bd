import { apiErrorSchema } from '#contract/errors';
import { EXTRACTION_FIELDS, type Extraction, extractionSchema } from '#contract/extraction';
import { HEADERS } from '#contract/headers';
import { API } from '#contract/paths';
import { send } from '../../api.ts';
import { connectionLost, type ExtractionFailure, failureOf } from './extraction-failure.ts';
import type { Attempt } from './extraction-state.ts';

export type ExtractionAnswer =
  | { ok: true; extraction: Extraction }
  | { ok: false; failure: ExtractionFailure };

/**
 * Sends a picture and waits for its text. Failures of every kind are answers;
 * only an abort through `signal` rejects. Loaded when a picture is chosen: the schemas are not needed before.
 */
export async function extractText(
  file: File,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<ExtractionAnswer> {
  const form = new FormData();
  // The id goes before the file: the server reads the fields in order and reports from the first byte on.
  form.set(EXTRACTION_FIELDS.extractionId, attempt.extractionId);
  form.set(EXTRACTION_FIELDS.filtering, String(attempt.useFiltering));
  if (attempt.languages.length > 0) form.set(EXTRACTION_FIELDS.languages, attempt.languages.join('+'));
  form.set(EXTRACTION_FIELDS.file, file);
  try {
    const response = await send(API.extractText, {
      method: 'POST',
      headers: { 'idempotency-key': attempt.idempotencyKey },
      body: form,
      signal,
    });
    if (!response.ok) {
      const isPersonChanged = response.headers.has(HEADERS.personChanged);
      return { ok: false, failure: failureOf(response.status, await readError(response), isPersonChanged) };
    }
    const parsed = extractionSchema.safeParse(await response.json());
    return parsed.success
      ? { ok: true, extraction: parsed.data }
      : { ok: false, failure: failureOf(response.status, {}) };
  } catch (error) {
    if (signal.aborted) throw error;
    return { ok: false, failure: connectionLost };
  }
}

async function readError(response: Response) {
  const body: unknown = await response.json().catch(() => null);
  return apiErrorSchema.safeParse(body).data ?? {};
}
