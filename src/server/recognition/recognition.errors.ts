import { ANSWER_FORMATS } from '#contract/answer-format';
import { createJob } from '#contract/calls/jobs';
import { longDate } from '#contract/long-date';
import { DAILY_LIMIT_REACHED, MAX_IMAGE_MB } from '#contract/product';
import type { OcrErrorCode } from '#ocr';
import { OCR_ERRORS, OcrError } from '#ocr';
import { type AppError, createError } from '../http/errors.ts';

/** All errors of extractions, with status and user message. */

const TYPE_HINT = 'Please select an image file (PNG, JPG, WebP, GIF, BMP, TIFF, HEIC or AVIF)';
const FAILED = 'OCR processing failed';

const AVAILABLE_FORMATS = new Intl.ListFormat('en', { type: 'disjunction' }).format(
  Object.values(ANSWER_FORMATS).map(({ type }) => type),
);
export const noFile = () => createError('recognition.no_file', 'Please select an image file first');

export const emptyFile = () => createError('recognition.empty_file', `This file is empty. ${TYPE_HINT}`);

export const pdfNotAccepted = () =>
  createError(
    'recognition.pdf',
    `This is a PDF. Please send it to POST ${createJob.path}, which reads all of its pages`,
  );

export const pdfNeedsPage = () =>
  createError(
    'recognition.pdf',
    `This is a PDF. Please set page to the page to read, or send it to POST ${createJob.path}, which reads all of its pages`,
  );

export const pdfOutputOfPdf = () =>
  createError(
    'recognition.pdf',
    `This is a PDF. Please send it to POST ${createJob.path}, whose PDF keeps the pages as they are`,
  );

export const severalFiles = () => createError('recognition.several_files', 'Please send one image at a time');

export const badField = (field: string) =>
  createError('recognition.bad_field', `The field "${field}" is not valid`, {
    reason: `invalid field ${field}`,
  });

export const badForm = (reason: string) =>
  createError('recognition.bad_form', 'The upload arrived incomplete. Please try again', { reason });

export const notJson = (cause: unknown) =>
  createError('recognition.bad_form', 'The JSON of the request could not be read', { cause });

export const notAForm = () => createError('recognition.not_a_form', 'Please send the image as a form upload');

export const unknownUpload = () =>
  createError(
    'recognition.not_a_form',
    'Please send the image as a form, in JSON, or as the body with its own media type',
  );

export const imageTooLarge = () =>
  createError('recognition.image_too_large', `Please select an image smaller than ${MAX_IMAGE_MB}MB`);

export const uploadTooSlow = () =>
  createError(
    'recognition.upload_too_slow',
    'The upload was too slow or stalled. Please check your connection and try again',
    { closeConnection: true },
  );

export const formatNotAcceptable = () =>
  createError(
    'recognition.format_not_acceptable',
    `Available formats: ${AVAILABLE_FORMATS}. Please request one of them in Accept or in format`,
  );

export const formatNotInPlan = () =>
  createError('recognition.format_not_in_plan', 'This format is part of the premium plan');

export const noTable = () =>
  createError(
    'recognition.no_table',
    'No table was found, and this format contains only tables. Please ask for another format',
  );

export const badIdempotencyKey = () =>
  createError('recognition.bad_idempotency_key', 'The Idempotency-Key header is not valid');

export const onDeviceOff = () =>
  createError('recognition.on_device_off', 'Reading on your own device is switched off here');

export const idempotencyKeyReused = () =>
  createError(
    'recognition.idempotency_key_reused',
    'This Idempotency-Key was used for another picture. Please send a new one',
  );

export const tooManyUploads = () =>
  createError(
    'recognition.too_many_uploads',
    'Many pictures are waiting right now. Please try again in a moment',
    { retryAfter: 5 },
  );

export const tooManyUploadsFromNetwork = () =>
  createError(
    'recognition.too_many_uploads_from_network',
    'Many pictures are being sent from your network right now. Please try again in a moment',
    { retryAfter: 5 },
  );

export const tooManyUploadsOfVisitor = () =>
  createError(
    'recognition.too_many_uploads_of_one',
    'You are sending many pictures at once. Please wait until the first ones are done',
    { retryAfter: 5 },
  );

export const tooManyWatchers = () =>
  createError('recognition.too_many_watchers', 'Too many extractions are being watched at once', {
    retryAfter: 5,
  });

/** `flags` tell the page to ask for a sign-in or a payment. */
export const quotaUsedUp = (flags: { requiresAuth?: true; requiresPayment?: true }) =>
  createError('recognition.quota_used_up', DAILY_LIMIT_REACHED, {
    reason: 'quota used up',
    flags: { limitExceeded: true, ...flags },
  });

export const premiumQuotaUsedUp = (resetsAt: Date) =>
  createError(
    'recognition.quota_used_up',
    `You have used all extractions of this month. Your count starts again on ${longDate(resetsAt)}.`,
    { reason: 'monthly quota used up', flags: { limitExceeded: true } },
  );

export const addressUsedUp = () =>
  createError(
    'recognition.address_used_up',
    'Too many free extractions were made from your network today. Please try again tomorrow, or sign in.',
    { flags: { limitExceeded: true, requiresAuth: true } },
  );

export const addressFailedTooMuch = (secondsLeft: number) =>
  createError(
    'recognition.address_failed_too_much',
    'Too many pictures from your network could not be read today. Please try again tomorrow with other pictures.',
    { retryAfter: secondsLeft },
  );

export const failedTooMuch = (period: 'day' | 'month', secondsLeft: number) =>
  createError(
    'recognition.failed_too_much',
    `Too many of your pictures could not be read ${period === 'month' ? 'this month' : 'today'}. If these were pictures that should be readable, please write to support.`,
    { retryAfter: secondsLeft },
  );

export const previewsUsedUp = (secondsLeft: number) =>
  createError(
    'recognition.previews_used_up',
    'No more previews can be made for you or your network today. Your picture can be read without one',
    { retryAfter: secondsLeft },
  );

export const languageNotInPlan = () =>
  createError(
    'recognition.language_not_in_plan',
    'The free plan reads English only. Other languages are part of premium',
  );

export const languageUnknown = () =>
  createError(
    'recognition.language_unknown',
    'This language is not installed on this server. Please choose another',
  );

export const timedOut = (cause?: unknown) => createError('recognition.timed_out', FAILED, { cause });

/** The client has disconnected and gets no response. Proxies log it as 499. */
export const clientLeft = (cause?: unknown) => createError('recognition.client_gone', FAILED, { cause });

const FROM_ENGINE: Record<OcrErrorCode, { userMessage: string; retryAfter?: number }> = {
  [OCR_ERRORS.unsupported]: {
    userMessage: `This file is not a picture that can be read. ${TYPE_HINT}`,
  },
  [OCR_ERRORS.vector]: {
    userMessage: 'SVG drawings cannot be read. Please save the drawing as PNG or JPG and try again',
  },
  [OCR_ERRORS.damaged]: {
    userMessage: 'This picture is damaged or incomplete. Please open it, save it again and try the copy',
  },
  [OCR_ERRORS.tooManyPixels]: {
    userMessage: 'This picture has too many pixels. Please make it smaller and try again',
  },
  [OCR_ERRORS.tooCostly]: {
    userMessage:
      'This picture is built in a way that takes too long to open. Please save it again as an ordinary PNG or JPG and try the copy',
  },
  [OCR_ERRORS.encrypted]: {
    userMessage: 'This PDF is protected by a password. Please save it without one and try the copy',
  },
  [OCR_ERRORS.tooManyPages]: {
    userMessage: 'This document has too many pages. Please split it and try a part',
  },
  [OCR_ERRORS.noSuchPage]: { userMessage: 'This document does not have that page' },
  [OCR_ERRORS.languageUnavailable]: { userMessage: FAILED },
  [OCR_ERRORS.languageNotFetched]: {
    userMessage:
      'The data of this language is not downloaded yet. Nothing was counted. Please try again in a minute, or choose another language',
    retryAfter: 60,
  },
  [OCR_ERRORS.queueFull]: {
    userMessage: 'Many pictures are waiting right now. Please try again in a moment',
    retryAfter: 10,
  },
  [OCR_ERRORS.timedOut]: { userMessage: FAILED },
  [OCR_ERRORS.aborted]: { userMessage: FAILED },
  [OCR_ERRORS.crashed]: { userMessage: FAILED },
  [OCR_ERRORS.stopping]: {
    userMessage: 'The service is restarting. Please try again in a few seconds',
    retryAfter: 5,
  },
  [OCR_ERRORS.unavailable]: {
    userMessage: 'Pictures cannot be read right now. Please try again in a few seconds',
    retryAfter: 5,
  },
  [OCR_ERRORS.internal]: { userMessage: FAILED },
};

export function fromEngine(error: OcrError): AppError {
  const { userMessage, ...details } = FROM_ENGINE[error.code];
  return createError(`recognition.${error.code}`, userMessage, {
    reason: error.message,
    ...details,
    cause: error,
  });
}

/** The store of images and results is unavailable. */
export const contentStoreUnavailable = (cause: unknown) =>
  fromEngine(new OcrError(OCR_ERRORS.unavailable, 'the contents of jobs are unavailable', { cause }));

/** For unexpected errors of the engine. */
export const recognitionFailed = (cause: unknown) =>
  createError('recognition.failed', FAILED, {
    reason: cause instanceof Error ? cause.message : 'unknown failure',
    cause,
  });
