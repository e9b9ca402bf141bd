import { z } from 'zod';
import { OTHER_ANSWER_TYPES } from '../answer-format.ts';
import { call } from '../call.ts';
import {
  EXAMPLE_PICTURE,
  extractionBytesSchema,
  extractionFormSchema,
  extractionJsonSchema,
  extractionQuerySchema,
  extractionSchema,
  previewFormSchema,
} from '../extraction.ts';
import { languagesResponseSchema } from '../languages.ts';
import { extractionIdSchema, progressSchema } from '../progress.ts';
import { IDEMPOTENCY_HEADERS, UPLOAD } from '../upload.ts';
import { usageSchema } from '../usage.ts';

/* Recognition: a picture in, its text out, and the quota. */

const READING = [
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
  summary: 'Read the text in a picture',
  description:
    'A picture without text is a success: empty text, no words, confidence 0; it is not counted, and neither is a failure. Repeated with the same Idempotency-Key within 24 hours, without an API key within half a minute, the call answers what it answered the first time and counts once. Later, or where the server has forgotten the answer, the picture is read again; within the same day or billing period it is still not counted again, five times at most. The picture is sent as a form, in Base64 as a field of JSON, or as the body itself with its media type; options are fields of the form or of the JSON, else of the query. A PDF is taken together with the page to be read. The answer is JSON unless another format is asked for: by the option format, else by Accept. CSV and Excel hold tables: a picture without one is refused as such and not counted.',
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
    ...READING,
  ],
});

export const previewPicture = call({
  method: 'POST',
  path: '/api/preview',
  summary: 'A picture as a browser can show it',
  description: 'For formats that browsers do not draw. Not counted as an extraction.',
  access: 'visitor',
  limits: { rate: 'preview' },
  form: previewFormSchema,
  answers: {
    200: { kind: 'file', type: 'image/png', description: 'At most 1600 pixels on its longer side.' },
  },
  errors: [...UPLOAD, 'recognition.previews_used_up', ...READING],
});

export const listLanguages = call({
  method: 'GET',
  path: '/api/languages',
  summary: 'What languages this server reads',
  description:
    'By name; allowed says what the one who asks may choose, and installed whether its data is there. What is not, is fetched for the first picture that asks for it.',
  access: 'visitor',
  key: 'read',
  answers: { 200: languagesResponseSchema },
});

export const getUsage = call({
  method: 'GET',
  path: '/api/usage',
  summary: 'How much of the quota is used',
  access: 'visitor',
  key: 'usage',
  answers: { 200: usageSchema },
});

export const countOnDevice = call({
  method: 'POST',
  path: '/api/extractions/on-device',
  summary: 'Count a picture that was read on the visitor’s own device',
  description:
    'The page calls it after such a reading found text, and before it shows that. It carries no picture and no text. Repeated with the same Idempotency-Key within 24 hours it counts once. One that was made without a network is counted when there is one again.',
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
  summary: 'Follow an extraction',
  description:
    'The stream may be opened before or after the upload that carries the same id. Its last event is done, whether the extraction succeeded or not.',
  access: 'owner',
  params: z.object({ id: extractionIdSchema }),
  answers: { 200: { kind: 'events', data: progressSchema, description: 'Where the work stands.' } },
  errors: ['http.not_found', 'recognition.too_many_watchers'],
});
