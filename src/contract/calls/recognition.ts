import { z } from 'zod';
import { OTHER_ANSWER_TYPES } from '../answer-format.ts';
import { call } from '../call.ts';
import { UPLOAD } from '../error-codes.ts';
import {
  EXAMPLE_PICTURE,
  extractionBytesSchema,
  extractionFormSchema,
  extractionIdSchema,
  extractionJsonSchema,
  extractionQuerySchema,
  extractionSchema,
  IDEMPOTENCY_HEADERS,
  previewFormSchema,
  progressSchema,
  usageSchema,
} from '../extraction.ts';
import { languageCodeSchema, languageDataSchema, languagesResponseSchema } from '../languages.ts';

/* Recognition, and the quota. */

const READING_ERRORS = [
  'recognition.unsupported',
  'recognition.pdf',
  'recognition.vector',
  'recognition.damaged',
  'recognition.too_many_pixels',
  'recognition.too_costly',
  'recognition.queue_full',
  'recognition.stopping',
  'recognition.unavailable',
  'recognition.timed_out',
  'recognition.crashed',
  'recognition.internal',
  'recognition.failed',
] as const;

export const extractText = call({
  method: 'POST',
  path: '/api/extract-text',
  summary: 'Extract the text of an image',
  description:
    'The image is a file of a form, Base64 in a field of JSON, or the body with its media type. Options are fields of the form or of the JSON, or else of the query. A PDF needs the number of the page to read. The format of the answer is that of the option format, or of Accept; JSON by default. CSV and Excel hold tables: an image without one is refused and not counted. An image without text is a success with an empty text, no words and confidence 0. Neither it nor a failure is counted. Repeated with the same Idempotency-Key within 24 hours (half a minute without an API key), the call returns its first answer and counts once. After that, or if the server no longer has the answer, the image is read again; on the same day, or in the same billing period, it is still not counted again, up to five times.',
  access: 'visitor',
  key: 'read',
  headers: IDEMPOTENCY_HEADERS,
  query: extractionQuerySchema,
  form: extractionFormSchema,
  alsoTakes: {
    'application/json': {
      schema: extractionJsonSchema,
      example: { image: EXAMPLE_PICTURE, languages: 'eng', useFiltering: false },
    },
    'image/*': { schema: extractionBytesSchema },
    'application/pdf': { schema: extractionBytesSchema },
  },
  answers: { 200: extractionSchema },
  alsoAs: OTHER_ANSWER_TYPES,
  errors: [
    ...UPLOAD,
    'recognition.format_not_acceptable',
    'recognition.no_table',
    'recognition.format_not_in_plan',
    'recognition.encrypted',
    'recognition.too_many_pages',
    'recognition.no_such_page',
    'recognition.previews_used_up',
    'recognition.bad_idempotency_key',
    'recognition.idempotency_key_reused',
    'recognition.language_unknown',
    'recognition.language_not_in_plan',
    'recognition.language_unavailable',
    'recognition.language_not_fetched',
    'recognition.quota_used_up',
    'recognition.address_used_up',
    'recognition.address_failed_too_much',
    'recognition.failed_too_much',
    ...READING_ERRORS,
  ],
});

export const previewPicture = call({
  method: 'POST',
  path: '/api/preview',
  summary: 'Get a preview of an image',
  description: 'For formats that browsers do not display. It does not count as an extraction.',
  access: 'visitor',
  limits: { rate: 'preview' },
  form: previewFormSchema,
  answers: {
    200: { kind: 'file', type: 'image/png', description: 'At most 1600 pixels on the longer side.' },
  },
  errors: [...UPLOAD, 'recognition.previews_used_up', ...READING_ERRORS],
});

export const listLanguages = call({
  method: 'GET',
  path: '/api/languages',
  summary: 'List the languages',
  description:
    'By name. allowed: the caller may choose it. installed: its data is on the server; otherwise it is downloaded for the first image that needs it.',
  access: 'visitor',
  key: 'read',
  answers: { 200: languagesResponseSchema },
});

const LANGUAGE_DATA_ERRORS = [
  'recognition.on_device_off',
  'recognition.language_not_in_plan',
  'recognition.language_unknown',
] as const;

export const describeLanguageData = call({
  method: 'GET',
  path: '/api/languages/:code',
  summary: 'Get the size and the hash of a language’s data',
  description:
    'For reading on the user’s own device. Only of languages that are installed and that the caller may choose; English comes with the page.',
  access: 'visitor',
  params: z.object({ code: languageCodeSchema }),
  answers: { 200: languageDataSchema },
  errors: LANGUAGE_DATA_ERRORS,
});

export const getLanguageData = call({
  method: 'GET',
  path: '/api/languages/:code/:sha256',
  summary: 'Download a language’s data',
  description:
    'For reading on the user’s own device: the data with this hash, which never changes under this address.',
  access: 'visitor',
  params: z.object({ code: languageCodeSchema, sha256: languageDataSchema.shape.sha256 }),
  answers: {
    200: {
      kind: 'file',
      type: 'application/octet-stream',
      description: 'A tesseract .traineddata file: the model and the word list of the language.',
    },
  },
  errors: [...LANGUAGE_DATA_ERRORS, 'http.not_found'],
});

export const getUsage = call({
  method: 'GET',
  path: '/api/usage',
  summary: 'Get the used quota',
  access: 'visitor',
  key: 'usage',
  answers: { 200: usageSchema },
});

export const countOnDevice = call({
  method: 'POST',
  path: '/api/extractions/on-device',
  summary: 'Count an image that was read on the user’s own device',
  description:
    'Called by the page after such a reading has found text and before it shows the text. The request has neither image nor text. With the same Idempotency-Key it counts once within 24 hours. Readings made offline are counted when the page is online again.',
  access: 'visitor',
  headers: IDEMPOTENCY_HEADERS,
  answers: { 200: usageSchema },
  errors: [
    'recognition.bad_idempotency_key',
    'recognition.on_device_off',
    'recognition.quota_used_up',
    'recognition.address_used_up',
    'recognition.address_failed_too_much',
    'recognition.failed_too_much',
    'recognition.timed_out',
  ],
});

export const watchExtraction = call({
  method: 'GET',
  path: '/api/extractions/:id/events',
  summary: 'Follow the progress of an extraction',
  description:
    'The stream may be opened before or after the upload with the same id. Its last event is done, also after a failure.',
  access: 'owner',
  params: z.object({ id: extractionIdSchema }),
  answers: { 200: { kind: 'events', data: progressSchema, description: 'The progress.' } },
  errors: ['http.not_found', 'recognition.too_many_watchers'],
});
