import { BUILT_IN_LANGUAGE } from '#contract/languages';
import { ApiError, failedBy } from '../../../api/client.ts';
import {
  MAX_PENDING_REPORTS,
  reportExtraction,
  sendPendingReports,
} from '../../../offline/on-device-usage.ts';
import { pendingReports } from '../../../offline/pending-reports.ts';
import type { Attempt } from '../../../workspace/reading.ts';
import type { ExtractionAnswer, ExtractionFailure } from '../tool/extraction-state.ts';
import { failureOf, stageText } from '../upload/extraction-answer.ts';
import { DeviceFailure, readOnDevice } from './device-engine.ts';

const TURN_OFF = 'or turn “Read on this device” off.';
const ONE_LANGUAGE = `This device reads one language at a time. Choose one, ${TURN_OFF}`;
const NO_MODEL = `This language cannot be read on this device: no model for it runs in a browser. Choose another one, ${TURN_OFF}`;
const LANGUAGE_NOT_SERVED = `This server has no data of this language for devices. Choose another one, ${TURN_OFF}`;
const REASONS: Readonly<Record<string, string>> = {
  unsupported:
    'This browser cannot open pictures of this format. Save it as PNG or JPG, or turn “Read on this device” off.',
  vector: 'SVG drawings cannot be read. Save the drawing as PNG or JPG and try again.',
  language_unavailable: NO_MODEL,
  damaged: 'This picture is damaged or incomplete. Open it, save it again and try the copy.',
  too_many_pixels: 'This picture has too many pixels. Make it smaller and try again.',
  too_costly:
    'This picture is built in a way that takes too long to open. Save it as an ordinary PNG or JPG.',
};
const CRASHED =
  'Reading on this device stopped unexpectedly. Close other pages and try again, or turn “Read on this device” off.';
const FILES_NOT_FETCHED =
  'The files for reading on this device could not be fetched. Check your connection and try again.';

/**
 * Reads a picture on this device and reports the extraction to the server. The picture and its text stay on the device.
 * Failures are returned; the promise rejects only on abort.
 */
export async function extractOnDevice(
  file: Blob,
  { idempotencyKey, useFiltering, languages }: Attempt,
  onStage: (stage: string) => void,
  signal: AbortSignal,
): Promise<ExtractionAnswer> {
  const [language = BUILT_IN_LANGUAGE, ...others] = languages;
  if (others.length > 0) return refused(ONE_LANGUAGE);
  if (navigator.onLine) await sendPendingReports();
  if (pendingReports().length >= MAX_PENDING_REPORTS)
    return refused(tooManyPending(MAX_PENDING_REPORTS), true);
  try {
    const extraction = await readOnDevice(file, {
      language,
      filter: useFiltering,
      signal,
      onStage(stage) {
        const text = stageText(stage);
        if (text !== null) onStage(text);
      },
    });
    if (extraction.wordCount > 0) await reportExtraction(idempotencyKey, signal);
    return { ok: true, extraction, onDevice: true };
  } catch (error) {
    if (signal.aborted) throw error;
    if (await failedBy(error, 'recognition.language_unknown')) return refused(LANGUAGE_NOT_SERVED);
    if (error instanceof ApiError)
      return { ok: false, failure: failureOf(error.status, await error.details()) };
    if (error instanceof DeviceFailure)
      return refused(REASONS[error.code] ?? CRASHED, !(error.code in REASONS));
    return refused(FILES_NOT_FETCHED, true);
  }
}

const tooManyPending = (max: number) =>
  `${max} texts that were read offline are not counted yet. Connect once to continue.`;

/** `retryable`: the same request may succeed later. */
function refused(message: string, retryable = false): ExtractionAnswer {
  const failure: ExtractionFailure = { message, status: 0, limit: null, person: null, retryable };
  return { ok: false, failure };
}
