import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { urlOf } from '#contract/call';
import { createJob, deleteJob, getJob, getJobResult, listJobs } from '#contract/calls/jobs';
import { hasEnded, type Job } from '#contract/job';
import { BUILT_IN_LANGUAGE } from '#contract/languages';
import { requireUser } from '../accounts/browser.ts';
import { notFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import { formatFor } from '../recognition/answer-format.ts';
import type { Subject } from '../recognition/quota/allowance.ts';
import { languageUnknown } from '../recognition/recognition.errors.ts';
import type { RecognitionService } from '../recognition/recognition.service.ts';
import {
  abortedWhenClientLeaves,
  type CountedUpload,
  readIdempotencyKey,
} from '../recognition/upload/counted-upload.ts';
import type { MinimumRate } from '../recognition/upload/upload.ts';
import { readJobUpload } from './job-upload.ts';
import { premiumRequired } from './jobs.errors.ts';
import type { JobOwner } from './jobs.repository.ts';
import type { JobsService } from './jobs.service.ts';

interface JobsRoutesOptions {
  service: JobsService;
  recognition: Pick<RecognitionService, 'languages' | 'checkUnpaid'>;
  subjectOf: (request: FastifyRequest) => Promise<Subject>;
  /** Counts an upload from its first byte to its response. */
  countedUpload: CountedUpload;
  minimumRate: MinimumRate;
}

/** Retry-After of an unfinished job. Seconds. */
const RETRY_AFTER_SECONDS = 2;

export async function jobsRoutes(
  app: FastifyInstance,
  { service, recognition, subjectOf, countedUpload, minimumRate }: JobsRoutesOptions,
): Promise<void> {
  const ownerOf = (request: FastifyRequest): JobOwner =>
    request.caller?.kind === 'apiKey' ? request.caller : { userId: requireUser(request).userId, keyId: null };

  async function checkLanguages(codes: readonly string[]): Promise<void> {
    if (codes.every((code) => code === BUILT_IN_LANGUAGE)) return;
    const installed = await recognition.languages();
    if (!codes.every((wanted) => installed.some(({ code }) => code === wanted))) throw languageUnknown();
  }

  function addRetryAfter(reply: FastifyReply, job: Job): Job {
    if (!hasEnded(job.state)) reply.header('retry-after', String(RETRY_AFTER_SECONDS));
    return job;
  }

  route(app, createJob, ({ request, reply }) =>
    countedUpload(request, reply, async (slot) => {
      const owner = ownerOf(request);
      const idempotencyKey = readIdempotencyKey(request);
      const subject = await subjectOf(request);
      if (subject.kind !== 'premium-user') throw premiumRequired();
      await recognition.checkUnpaid(subject);
      await slot.turn.next(0);
      await service.checkRoom(owner, idempotencyKey);
      const upload = await readJobUpload(request, { minimumRate, slot });
      await checkLanguages(upload.languages);
      const job = await service.create({ ...upload, ...owner, requestId: request.id, idempotencyKey });
      reply.header('location', urlOf(getJob, { id: job.id }));
      return addRetryAfter(reply, job);
    }),
  );

  route(app, listJobs, async ({ request }) => ({ jobs: await service.list(ownerOf(request)) }));

  route(app, getJob, async ({ request, reply, params: { id } }) => {
    const job = await service.find(id, ownerOf(request));
    if (!job) throw notFound();
    return addRetryAfter(reply, job);
  });

  route(app, getJobResult, async ({ request, reply, params: { id }, query }) => {
    const owner = ownerOf(request);
    const format = query.format ?? formatFor(request.headers.accept);
    const subject = await subjectOf(request);
    const signal = abortedWhenClientLeaves(reply);
    const result = await service.result({ requestId: request.id, owner, subject, id, format, signal });
    if (!result) throw notFound();
    reply.header('vary', 'accept');
    const { mediaType, extension, content } = result;
    reply.type(mediaType);
    // Recognized text must not be rendered as a page of this origin.
    if (format !== 'json') {
      reply.header('content-disposition', `attachment; filename="extracted-text.${extension}"`);
    }
    const { buffer, byteOffset, byteLength } = content;
    return reply.send(Buffer.from(buffer, byteOffset, byteLength));
  });

  route(app, deleteJob, async ({ request, params: { id } }) => {
    if (!(await service.remove(id, ownerOf(request)))) throw notFound();
  });
}
