import { z } from 'zod';
import { OTHER_ANSWER_TYPES } from '../answer-format.ts';
import { call, DONE } from '../call.ts';
import { UPLOAD } from '../error-codes.ts';
import { IDEMPOTENCY_HEADERS } from '../extraction.ts';
import {
  JOB_KEPT_HOURS,
  JOB_LIMITS,
  jobFormSchema,
  jobResultQuerySchema,
  jobResultSchema,
  jobSchema,
  jobsResponseSchema,
} from '../job.ts';

/*
 * Jobs: documents and several images in one call. Their pages are read with lower priority than interactive extractions.
 */

const params = z.object({ id: z.string().max(100) });

export const createJob = call({
  method: 'POST',
  path: '/api/jobs',
  summary: 'Create a job that reads many pages',
  description: `Premium only. Up to ${JOB_LIMITS.files} files of ${JOB_LIMITS.megabytes} MB with ${JOB_LIMITS.pages} pages in all: images, PDFs and TIFFs. The answer comes before the pages are read; its Location has the state. Each page with text counts as one extraction, a failed page as none. A repeated call with the same Idempotency-Key returns the same job.`,
  access: 'user',
  key: 'read',
  headers: IDEMPOTENCY_HEADERS,
  form: jobFormSchema,
  answers: { 202: jobSchema },
  answerHeaders: ['Location'],
  errors: [
    ...UPLOAD.filter((code) => code !== 'recognition.several_files'),
    'recognition.bad_idempotency_key',
    'recognition.idempotency_key_reused',
    'recognition.language_unknown',
    'jobs.premium_required',
    'jobs.too_many_files',
    'jobs.too_large',
    'jobs.too_many',
    'jobs.too_many_unpaid',
    'recognition.failed_too_much',
    'jobs.too_much_kept',
    'jobs.no_room',
    'jobs.bad_webhook',
    'jobs.no_webhook_secret',
  ],
});

export const listJobs = call({
  method: 'GET',
  path: '/api/jobs',
  summary: 'List recent jobs, newest first',
  description: 'With a key: the jobs created with this key. Signed in: all jobs of the user.',
  access: 'user',
  key: 'read',
  answers: { 200: jobsResponseSchema },
});

export const getJob = call({
  method: 'GET',
  path: '/api/jobs/:id',
  summary: 'Get the state of a job',
  description: `A key has access to the jobs created with it. While a job runs, Retry-After says when to ask again. The state is kept for ${JOB_KEPT_HOURS.state} hours after the end.`,
  access: 'user',
  key: 'read',
  params,
  answers: { 200: jobSchema },
  answerHeaders: ['Retry-After'],
  errors: ['http.not_found'],
});

export const getJobResult = call({
  method: 'GET',
  path: '/api/jobs/:id/result',
  summary: 'Get the result of a job as one document',
  description: `Available for ${JOB_KEPT_HOURS.result} hour after the end of the job. Failed pages are left out. The PDF of a PDF is the sent file with invisible text on its pages; pages that have text or failed, and everything else in the file, stay as they are. Several files become one, without their bookmarks. The format is that of the query, or of Accept; JSON by default.`,
  access: 'user',
  key: 'read',
  params,
  query: jobResultQuerySchema,
  answers: { 200: jobResultSchema },
  alsoAs: OTHER_ANSWER_TYPES,
  errors: [
    'http.not_found',
    'jobs.not_ended',
    'jobs.no_result',
    'jobs.result_gone',
    'jobs.pdf_refused',
    'jobs.too_many_results',
    'recognition.format_not_acceptable',
    'recognition.no_table',
    'recognition.previews_used_up',
    'recognition.queue_full',
    'recognition.stopping',
    'recognition.unavailable',
    'recognition.timed_out',
    'recognition.crashed',
    'recognition.internal',
    'recognition.failed',
  ],
});

export const deleteJob = call({
  method: 'DELETE',
  path: '/api/jobs/:id',
  summary: 'Cancel a job, or delete its result',
  description:
    'A running job becomes cancelled; pages already read count. A finished job is deleted with its result, and its webhook is not sent again. Pages and texts are deleted at once in both cases.',
  access: 'user',
  key: 'read',
  params,
  answers: { 200: DONE },
  errors: ['http.not_found'],
});
