import { z } from 'zod';
import { answerFormatSchema } from './answer-format.ts';
import { extractionSchema } from './extraction.ts';
import { languagesFieldSchema } from './languages.ts';

/* Jobs: many pages in one call. The state is polled, or sent to a webhook. */

const MEGABYTES = 50;

/** Limits of one job, and of the jobs of one user. */
export const JOB_LIMITS = {
  files: 50,
  /** Total size of all files, in megabytes and in bytes. */
  megabytes: MEGABYTES,
  bytes: MEGABYTES * 1024 ** 2,
  pages: 200,
  /** Unfinished jobs per user. */
  unfinished: 5,
  /** Uncharged jobs per user and hour: failed, blank, or cancelled early. */
  unchargedPerHour: 60,
  /** Listed jobs. */
  listed: 50,
  /** Maximum length of a webhook's URL. */
  webhook: 1000,
} as const;

/** Hours until the result and the state of an ended job are deleted. */
export const JOB_KEPT_HOURS = { result: 1, state: 48 } as const;

/** The state of a page. */
const PAGE_STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
const stateSchema = z.enum(PAGE_STATES);

export const hasEnded = (state: z.infer<typeof stateSchema>): boolean =>
  state !== 'queued' && state !== 'running';

const failureSchema = z.string().describe('An error code.');

export const jobPageSchema = z.object({
  number: z.int().positive().describe('Number in the result, from 1.'),
  file: z.int().positive().describe('Number of its file in the form, from 1.'),
  page: z.int().positive().describe('Number in its file, from 1.'),
  state: stateSchema,
  error: failureSchema.optional(),
});
export type JobPage = z.infer<typeof jobPageSchema>;

export const DELIVERY_STATES = ['waiting', 'delivered', 'given_up'] as const;
const deliverySchema = z.object({
  url: z.string(),
  state: z.enum(DELIVERY_STATES).describe('waiting: also before the job has ended.'),
  tries: z.int().nonnegative(),
  lastTryAt: z.iso.datetime().nullable(),
  lastStatus: z.int().nullable().describe('Status of the last answer; null without one.'),
  lastError: z
    .enum(['address_refused', 'unreachable', 'timed_out', 'redirected', 'refused', 'secret_missing'])
    .nullable()
    .describe('Why the last attempt failed.'),
  nextTryAt: z.iso.datetime().nullable(),
});
export type Delivery = z.infer<typeof deliverySchema>;

/** A job as in a list and in a webhook. */
export const jobSummarySchema = z.object({
  id: z.string(),
  state: stateSchema,
  error: failureSchema.optional(),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  resultUntil: z.iso
    .datetime()
    .nullable()
    .describe('When the result will be deleted; null without a result.'),
  files: z.int().positive(),
  counts: z
    .object({
      total: z.int().nonnegative(),
      queued: z.int().nonnegative(),
      running: z.int().nonnegative(),
      done: z.int().nonnegative(),
      failed: z.int().nonnegative(),
      cancelled: z.int().nonnegative(),
    })
    .describe('Number of pages. The total is 0 until the files are opened.'),
});
export type JobSummary = z.infer<typeof jobSummarySchema>;

export const jobSchema = jobSummarySchema.extend({
  pages: z.array(jobPageSchema),
  webhook: deliverySchema.nullable(),
});
export type Job = z.infer<typeof jobSchema>;

export const jobsResponseSchema = z.object({ jobs: z.array(jobSummarySchema) });

/** `GET /api/jobs/{id}/result` as JSON: the pages that were read, in their order. */
export const jobResultSchema = z.object({
  id: z.string(),
  pages: z.array(
    z.object({
      ...jobPageSchema.pick({ number: true, file: true, page: true }).shape,
      result: extractionSchema,
    }),
  ),
});

export const jobResultQuerySchema = z.object({
  format: answerFormatSchema.optional().describe('Format of the answer; by default that of Accept.'),
});

const RANGE = /^[1-9]\d{0,3}(-[1-9]\d{0,3})?(,[1-9]\d{0,3}(-[1-9]\d{0,3})?)*$/;

/** Which pages of each document are read: `1-3,7`. */
export const pageRangeSchema = z
  .string()
  .max(200)
  .regex(RANGE)
  .describe('Pages of each document, such as 1-3,7; all by default.');

export function isInRange(range: string, page: number): boolean {
  return range.split(',').some((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return page >= first && page <= last;
  });
}

export const jobFormSchema = z.object({
  useFiltering: z
    .enum(['true', 'false'])
    .optional()
    .describe('Whether to leave out noise and parts of user interfaces; true by default.'),
  languages: languagesFieldSchema
    .optional()
    .describe('Codes joined by +, the main one first; English by default.'),
  pages: pageRangeSchema.optional(),
  webhook: z
    .string()
    .max(JOB_LIMITS.webhook)
    .optional()
    .describe('An https address that receives a request when the job ends.'),
  file: z
    .array(z.file())
    .min(1)
    .max(JOB_LIMITS.files)
    .describe('Images, PDFs and TIFFs, detected by their bytes. The pages of the result are in this order.'),
});

/** Types of webhook events. */
const WEBHOOK_TYPES = ['job.done', 'job.failed'] as const;

/** The body of a webhook, without texts and file names. */
export const webhookEventSchema = z.object({
  type: z.enum(WEBHOOK_TYPES),
  timestamp: z.iso.datetime(),
  data: z.object({
    id: z.string(),
    state: z.enum(['done', 'failed']),
    error: failureSchema.optional(),
    counts: jobSummarySchema.shape.counts,
    url: z.string().describe('Address of the job, for the key that created it.'),
  }),
});
export type WebhookEvent = z.infer<typeof webhookEventSchema>;

/** Prefix of a webhook secret, by Standard Webhooks. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';

/** `GET /api/account/webhook-secret`: when it was created; null without one. */
export const webhookSecretStateSchema = z.object({ madeAt: z.iso.datetime().nullable() });
export type WebhookSecretState = z.infer<typeof webhookSecretStateSchema>;

/** `secret`: shown once. */
export const madeWebhookSecretSchema = z.object({ madeAt: z.iso.datetime(), secret: z.string() });
