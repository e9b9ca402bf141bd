import { z } from 'zod';

/* Common fields of calls that take files. */

/** Errors of uploads. */
export const UPLOAD = [
  'recognition.no_file',
  'recognition.empty_file',
  'recognition.several_files',
  'recognition.bad_field',
  'recognition.bad_form',
  'recognition.upload_too_slow',
  'recognition.image_too_large',
  'recognition.not_a_form',
  'recognition.too_many_uploads',
  'recognition.too_many_uploads_of_one',
  'recognition.too_many_uploads_from_network',
] as const;

export const IDEMPOTENCY_HEADERS = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/)
    .optional()
    .describe('New for each image or job, and the same for a repeated call.'),
});
