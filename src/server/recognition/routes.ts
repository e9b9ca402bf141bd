import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { extractionSchema } from '#contract/extraction';
import { BUILT_IN_LANGUAGE, languagesResponseSchema } from '#contract/languages';
import { API } from '#contract/paths';
import { extractionIdSchema, type Progress } from '#contract/progress';
import { usageSchema } from '#contract/usage';
import { notFound } from '../http/errors.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { Subject } from './allowance.ts';
import {
  badIdempotencyKey,
  languageNotInPlan,
  languageUnknown,
  tooManyUploads,
  tooManyWatchers,
} from './errors.ts';
import type { ProgressHub } from './progress.ts';
import type { RecognitionService } from './service.ts';
import { readUpload } from './upload.ts';

export interface RecognitionRoutesOptions {
  service: RecognitionService;
  progress: ProgressHub;
  subjectOf: (request: FastifyRequest) => Promise<Subject>;
  previewLimiter: RateLimiter;
  uploadTimeoutMs: number;
  /** How long a watcher may wait for its extraction to end. */
  watchTimeoutMs: number;
}

/** Pictures that may be in memory on their way in; each has up to 10 MB. */
const MAX_UPLOADS = 100;
const MAX_WATCHERS_PER_VISITOR = 8;
const HEARTBEAT_MS = 15_000;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/;

export const recognitionRoutes: FastifyPluginAsyncZod<RecognitionRoutesOptions> = async (app, options) => {
  const { service, progress, subjectOf, previewLimiter, uploadTimeoutMs, watchTimeoutMs } = options;
  let uploads = 0;

  app.addHook('preClose', async () => progress.close());

  /** Keeps the number of pictures in memory bounded, whatever happens to them. */
  async function admitted<T>(work: () => Promise<T>): Promise<T> {
    if (uploads >= MAX_UPLOADS) throw tooManyUploads();
    uploads++;
    try {
      return await work();
    } finally {
      uploads--;
    }
  }

  const mayChoose = (code: string, subject: Subject) =>
    code === BUILT_IN_LANGUAGE || subject.kind === 'premium-user';

  async function checkLanguages(codes: readonly string[], subject: Subject): Promise<void> {
    if (!codes.every((code) => mayChoose(code, subject))) throw languageNotInPlan();
    const installed = await service.languages();
    if (!codes.every((wanted) => installed.some(({ code }) => code === wanted))) throw languageUnknown();
  }

  app.post(
    API.extractText,
    { config: { access: 'visitor' }, schema: { response: { 200: extractionSchema } } },
    (request, reply) =>
      admitted(async () => {
        const { visitorId } = request;
        const idempotencyKey = readIdempotencyKey(request);
        let extractionId: string | undefined;
        const tell = (event: Progress) => {
          if (extractionId !== undefined) progress.publish(visitorId, extractionId, event);
        };
        const signal = abortedWhenClientLeaves(reply);
        try {
          const upload = await readUpload(request, reply, {
            timeoutMs: uploadTimeoutMs,
            onExtractionId(id) {
              extractionId = id;
              tell({ stage: 'queued' });
            },
          });
          const subject = await subjectOf(request);
          await checkLanguages(upload.languages, subject);
          return await service.extract({
            subject,
            picture: upload.picture,
            filter: upload.filter,
            languages: upload.languages,
            idempotencyKey,
            signal,
            onProgress: tell,
          });
        } finally {
          tell({ stage: 'done' });
        }
      }),
  );

  app.post(API.preview, { config: { access: 'visitor' } }, (request, reply) =>
    admitted(async () => {
      await previewLimiter.check(request);
      const { picture } = await readUpload(request, reply, { timeoutMs: uploadTimeoutMs });
      return reply.type('image/png').send(Buffer.from(await service.preview(picture)));
    }),
  );

  app.get(
    API.languages,
    { config: { access: 'visitor' }, schema: { response: { 200: languagesResponseSchema } } },
    async (request) => {
      const subject = await subjectOf(request);
      const installed = await service.languages();
      return {
        languages: installed.map(({ code, name }) => ({ code, name, allowed: mayChoose(code, subject) })),
      };
    },
  );

  app.get(
    API.usage,
    { config: { access: 'visitor' }, schema: { response: { 200: usageSchema } } },
    async (request) => service.usage(await subjectOf(request)),
  );

  app.get(
    API.extractionEvents,
    { config: { access: 'owner' }, schema: { params: z.object({ id: extractionIdSchema }) } },
    async (request, reply) => {
      const { visitorId } = request;
      const { id } = request.params;
      if (progress.isForeign(visitorId, id)) throw notFound();
      if (progress.watchers(visitorId) >= MAX_WATCHERS_PER_VISITOR) throw tooManyWatchers();

      const stream = new PassThrough();
      // The first bytes open the stream in the browser before there is anything to tell.
      stream.write(': watching\n\n');
      const heartbeat = setInterval(() => stream.write(': waiting\n\n'), HEARTBEAT_MS);
      const unwatch = progress.watch(visitorId, id, (event) => {
        stream.write(`data: ${JSON.stringify(event)}\n\n`);
        if (event.stage === 'done') stream.end();
      });
      const giveUp = setTimeout(() => stream.end('data: {"stage":"done"}\n\n'), watchTimeoutMs);
      stream.once('close', () => {
        clearInterval(heartbeat);
        clearTimeout(giveUp);
        unwatch();
      });
      return reply
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(stream);
    },
  );
};

function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) throw badIdempotencyKey();
  return key;
}

function abortedWhenClientLeaves(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
