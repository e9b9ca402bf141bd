import { PassThrough, pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  countOnDevice,
  describeLanguageData,
  extractText,
  getLanguageData,
  getUsage,
  listLanguages,
  previewPicture,
  watchExtraction,
} from '#contract/calls/recognition';
import type { Progress } from '#contract/extraction';
import { BUILT_IN_LANGUAGE } from '#contract/languages';
import { callerId } from '../http/caller.ts';
import { notFound } from '../http/errors.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { route } from '../http/route.ts';
import {
  formatFor,
  isPdf,
  pictureForPdf,
  refuseFormatOutOfPlan,
  renderedPictureForPdf,
  tableCheckFor,
  writeAnswer,
} from './answer-format.ts';
import type { LanguageFiles } from './language-files.ts';
import type { ProgressHub } from './progress.ts';
import type { Subject } from './quota/allowance.ts';
import {
  badIdempotencyKey,
  languageNotInPlan,
  languageUnknown,
  onDeviceOff,
  pdfOutputOfPdf,
  tooManyWatchers,
} from './recognition.errors.ts';
import type { RecognitionService } from './recognition.service.ts';
import { type CountedUpload, readIdempotencyKey } from './upload/counted-upload.ts';
import {
  PICTURE_BODIES,
  type PictureUpload,
  readPictureForm,
  readPictureUpload,
} from './upload/picture-upload.ts';
import type { MinimumRate } from './upload/upload.ts';
import type { UploadSlot } from './upload/upload-limiter.ts';

export interface RecognitionRoutesOptions {
  service: RecognitionService;
  progress: ProgressHub;
  subjectOf: (request: FastifyRequest) => Promise<Subject>;
  previewLimiter: RateLimiter;
  countedUpload: CountedUpload;
  minimumRate: MinimumRate;
  /** Groups addresses, because an IPv6 client has many. */
  ipHashOf: (request: FastifyRequest) => string;
  /** Time limit of a progress stream. */
  watchTimeoutMs: number;
  /** Whether on-device recognition is enabled. */
  readsOnDevice: boolean;
  languageFiles: LanguageFiles;
}

const MAX_WATCHERS_PER_VISITOR = 8;
/** Per address, because a client without a cookie is a new visitor each time. */
const MAX_WATCHERS_PER_ADDRESS = 40;
const HEARTBEAT_MS = 15_000;

export async function recognitionRoutes(
  app: FastifyInstance,
  options: RecognitionRoutesOptions,
): Promise<void> {
  const { service, subjectOf } = options;
  await uploadRoutes(app, options);
  deviceRoutes(app, options);
  progressRoutes(app, options);

  route(app, listLanguages, async ({ request }) => {
    const subject = await subjectOf(request);
    const readable = await service.languages();
    return {
      languages: readable.map(({ code, name, onDemand }) => ({
        code,
        name,
        allowed: mayChoose(code, subject),
        installed: !onDemand,
      })),
    };
  });

  route(app, getUsage, async ({ request }) => service.usage(await subjectOf(request)));
}

const mayChoose = (code: string, subject: Subject) =>
  code === BUILT_IN_LANGUAGE || subject.kind === 'premium-user';

/** Extraction and preview of an uploaded picture. */
async function uploadRoutes(app: FastifyInstance, options: RecognitionRoutesOptions): Promise<void> {
  const { service, progress, subjectOf, previewLimiter, countedUpload, minimumRate } = options;

  await app.register(async (uploads) => {
    skipBodyParsing(uploads);
    route(uploads, extractText, ({ request, reply, query }) =>
      countedUpload(request, reply, async (slot, signal) => {
        const caller = callerId(request);
        const idempotencyKey = readIdempotencyKey(request);
        let extractionId: string | undefined;
        const report = (event: Progress) => {
          if (extractionId !== undefined) progress.publish(caller, extractionId, event);
        };
        try {
          const subject = await subjectOf(request);
          await slot.turn.next(0);
          await service.checkRoom(subject, idempotencyKey);
          const upload = await readPictureUpload(request, {
            minimumRate,
            slot,
            query,
            onExtractionId(id) {
              extractionId = id;
              report({ stage: 'queued' });
            },
          });
          const format = upload.format ?? formatFor(request.headers.accept);
          refuseFormatOutOfPlan(format, subject);
          await checkLanguages(service, upload.languages, subject);
          const context = { requestId: request.id, subject, slot, signal };
          const picture = format === 'pdf' ? await pictureOf(service, upload, context) : null;
          const extraction = await service.extract({
            requestId: request.id,
            subject,
            picture: upload.picture,
            filter: upload.filter,
            languages: upload.languages,
            ...(upload.page !== undefined && { page: upload.page }),
            idempotencyKey,
            repeatedBy: request.caller?.kind === 'apiKey' ? 'apiClient' : 'browser',
            signal,
            onProgress: report,
            check: tableCheckFor(format),
          });
          reply.header('vary', 'accept');
          if (format === 'json') return extraction;
          const written = await writeAnswer(format, extraction, { name: upload.name, picture });
          return (
            reply
              .type(written.mediaType)
              // Recognized text must not be rendered as a page of this origin.
              .header('content-disposition', `attachment; filename="extracted-text.${written.extension}"`)
              .send(typeof written.content === 'string' ? written.content : Buffer.from(written.content))
          );
        } finally {
          report({ stage: 'done' });
        }
      }),
    );
  });

  route(app, previewPicture, ({ request, reply }) =>
    countedUpload(request, reply, async (slot, signal) => {
      await previewLimiter.check(request);
      const subject = await subjectOf(request);
      await service.checkPreviews(subject);
      const picture = await readPictureForm(request, { minimumRate, slot });
      const preview = await service.preview({ requestId: request.id, subject, picture, signal });
      return reply.type('image/png').send(Buffer.from(preview));
    }),
  );
}

/** @throws {AppError} if the plan or the server lacks one of the languages */
async function checkLanguages(
  service: RecognitionService,
  codes: readonly string[],
  subject: Subject,
): Promise<void> {
  if (!codes.every((code) => mayChoose(code, subject))) throw languageNotInPlan();
  if (codes.every((code) => code === BUILT_IN_LANGUAGE)) return;
  const readable = await service.languages();
  if (!codes.every((wanted) => readable.some(({ code }) => code === wanted))) throw languageUnknown();
}

/** The image for a PDF, before anything is charged. Renders an image that a PDF cannot embed unchanged. */
async function pictureOf(
  service: RecognitionService,
  { picture, page }: PictureUpload,
  { slot, ...context }: { requestId: string; subject: Subject; slot: UploadSlot; signal: AbortSignal },
) {
  if (isPdf(picture)) throw pdfOutputOfPdf();
  slot.reserveMemory(picture.length);
  const own = pictureForPdf(picture);
  if (own) return own;
  await service.checkPreviews(context.subject);
  return renderedPictureForPdf(
    await service.preview({ ...context, picture: picture.slice(), ...(page !== undefined && { page }) }),
  );
}

/** Calls for reading on the device. The plan's languages apply there too; English data comes with the page. */
function deviceRoutes(
  app: FastifyInstance,
  { service, subjectOf, readsOnDevice, languageFiles }: RecognitionRoutesOptions,
): void {
  async function checkForDevice(request: FastifyRequest, code: string): Promise<void> {
    if (!readsOnDevice) throw onDeviceOff();
    if (!mayChoose(code, await subjectOf(request))) throw languageNotInPlan();
  }

  route(app, describeLanguageData, async ({ request, params: { code } }) => {
    await checkForDevice(request, code);
    const data = await languageFiles.describe(code);
    if (!data) throw languageUnknown();
    return data;
  });

  route(app, getLanguageData, async ({ request, reply, params: { code, sha256 } }) => {
    await checkForDevice(request, code);
    const bytes = await languageFiles.open(code, sha256);
    if (!bytes) throw notFound();
    reply
      .type('application/octet-stream')
      .header('cache-control', 'private, max-age=31536000, immutable')
      .header('vary', 'accept-encoding');
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(bytes);
    const zip = createGzip();
    pipeline(bytes, zip, () => {});
    return reply.header('content-encoding', 'gzip').send(zip);
  });

  route(app, countOnDevice, async ({ request }) => {
    if (!readsOnDevice) throw onDeviceOff();
    const key = readIdempotencyKey(request);
    if (key === undefined) throw badIdempotencyKey();
    return service.countOnDevice(await subjectOf(request), key);
  });
}

function progressRoutes(
  app: FastifyInstance,
  { progress, ipHashOf, watchTimeoutMs }: RecognitionRoutesOptions,
): void {
  const admitWatcher = createWatcherCount();
  app.addHook('preClose', async () => progress.close());

  route(app, watchExtraction, async ({ request, reply, params: { id } }) => {
    const caller = callerId(request);
    if (await progress.isForeign(caller, id)) throw notFound();
    if (progress.watchers(caller) >= MAX_WATCHERS_PER_VISITOR) throw tooManyWatchers();
    const releaseWatcher = admitWatcher(ipHashOf(request));
    return reply
      .type('text/event-stream; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .send(
        progressStream((watcher) => progress.watch(caller, id, watcher), watchTimeoutMs).once(
          'close',
          releaseWatcher,
        ),
      );
  });
}

/** The route reads the body after admission, scheduled fairly and with a minimum rate, so Fastify must not parse it. */
function skipBodyParsing(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  for (const type of PICTURE_BODIES) app.addContentTypeParser(type, (_request, _body, done) => done(null));
}

/** Limits the watchers of each address. Returns a function that admits one and returns its release. */
function createWatcherCount(): (address: string) => () => void {
  const watchersOf = new Map<string, number>();
  return (address) => {
    const others = watchersOf.get(address) ?? 0;
    if (others >= MAX_WATCHERS_PER_ADDRESS) throw tooManyWatchers();
    watchersOf.set(address, others + 1);
    return () => {
      const left = (watchersOf.get(address) ?? 1) - 1;
      if (left === 0) watchersOf.delete(address);
      else watchersOf.set(address, left);
    };
  };
}

/** Progress as server-sent events, until the extraction is done or `timeoutMs` has passed. */
function progressStream(
  watch: (watcher: (event: Progress) => void) => () => void,
  timeoutMs: number,
): PassThrough {
  const stream = new PassThrough();
  // The first bytes make the browser open the stream before the first event.
  stream.write(': watching\n\n');
  const heartbeat = setInterval(() => stream.write(': waiting\n\n'), HEARTBEAT_MS);
  const unwatch = watch((event) => {
    stream.write(`data: ${JSON.stringify(event)}\n\n`);
    if (event.stage === 'done') stream.end();
  });
  const timeout = setTimeout(() => stream.end('data: {"stage":"done"}\n\n'), timeoutMs);
  return stream.once('close', () => {
    clearInterval(heartbeat);
    clearTimeout(timeout);
    unwatch();
  });
}
