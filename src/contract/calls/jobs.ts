import { z } from 'zod';
import { OTHER_ANSWER_TYPES } from '../answer-format.ts';
import { call, DONE } from '../call.ts';
import {
  JOB_KEPT_HOURS,
  JOB_LIMITS,
  jobFormSchema,
  jobResultQuerySchema,
  jobResultSchema,
  jobSchema,
  jobsResponseSchema,
} from '../job.ts';
import { IDEMPOTENCY_HEADERS, UPLOAD } from '../upload.ts';

/*
 * Jobs: documents and several pictures in one call. Their pages are read one after the other, behind the pictures of
 * people who wait at a page.
 */

const params = z.object({ id: z.string().max(100) });

export const createJob = call({
  method: 'POST',
  path: '/api/jobs',
  summary: 'Have many pages read',
  description: `For premium. Up to ${JOB_LIMITS.files} files of ${JOB_LIMITS.megabytes} MB and ${JOB_LIMITS.pages} pages together: pictures, PDFs and TIFFs. The answer comes before the pages are read: its Location is asked for the state. Each page that has text counts as one extraction; one that fails counts as none. Repeated with the same Idempotency-Key the call answers with the job that it made.`,
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
  summary: 'The recent jobs of the one who asks, newest first',
  description: 'With a key: those that this key made. Signed in: all of one’s own.',
  access: 'user',
  key: 'read',
  answers: { 200: jobsResponseSchema },
});

export const getJob = call({
  method: 'GET',
  path: '/api/jobs/:id',
  summary: 'How a job stands',
  description: `A key reaches the jobs that it made. While one is under way, Retry-After says when it is worth asking again. What is told of a job is kept for ${JOB_KEPT_HOURS.state} hours after its end.`,
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
  summary: 'What was read, as one document',
  description: `Once the job is done, and for ${JOB_KEPT_HOURS.result} hour after its end: then it is forgotten. Pages that failed are left out. A PDF of a PDF is that file with invisible text on its pages: pages with text, pages that failed and all else in it stay; several files become one, without their bookmarks. The answer is JSON unless another format is asked for: by the query, else by Accept.`,
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
  summary: 'Cancel a job and forget its pages and texts at once',
  description:
    'One that is under way is cancelled, and told of as cancelled; pages that were read count. One that has ended is forgotten wholly, and its webhook is told no more.',
  access: 'user',
  key: 'read',
  params,
  answers: { 200: DONE },
  errors: ['http.not_found'],
});
