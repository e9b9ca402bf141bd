import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { AnswerFormatId } from '#contract/answer-format';
import { JOB_LIMITS, type Job, type JobSummary } from '#contract/job';
import type { PersonalDataSource } from '../accounts/personal-data.ts';
import { AppError } from '../http/errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { Metrics } from '../platform/metrics.ts';
import { isPdf, pictureForPdf } from '../recognition/answer-format.ts';
import type { Subject } from '../recognition/quota/allowance.ts';
import {
  clientLeft,
  contentStoreUnavailable,
  idempotencyKeyReused,
  noTable,
  recognitionFailed,
  timedOut,
} from '../recognition/recognition.errors.ts';
import { digestOf, type RecognitionService } from '../recognition/recognition.service.ts';
import type { WebhookDeliveries } from '../webhooks/deliveries.ts';
import { isCallable, type WebhookTargets } from '../webhooks/webhook-caller.ts';
import type { WebhookSecrets } from '../webhooks/webhook-secrets.ts';
import { createFairQueue } from './fair-queue.ts';
import type { JobContents } from './job-contents.ts';
import { describeResult, type PagePicture, type PdfPart, type ReadPage } from './job-result.ts';
import type { JobRunner } from './job-runner.ts';
import type { JobUpload } from './job-upload.ts';
import {
  badWebhook,
  noResult,
  noRoom,
  notEnded,
  noWebhookSecret,
  picturesGone,
  resultGone,
  storageFull,
  tooManyJobs,
  tooManyResults,
} from './jobs.errors.ts';
import {
  isOver,
  type JobOwner,
  type JobRow,
  type JobsRepository,
  toJobPage,
  toJobSummary,
} from './jobs.repository.ts';
import { createResultCache, type ResultCache } from './result-cache.ts';
import type { ResultWriter } from './result-writer.ts';
import type { UnchargedJobs } from './uncharged-jobs.ts';

export interface NewJob extends JobUpload, JobOwner {
  requestId: string;
  idempotencyKey: string | undefined;
}

export interface JobResult {
  mediaType: string;
  extension: string;
  content: Uint8Array;
}

export interface ResultRequest {
  requestId: string;
  owner: JobOwner;
  subject: Subject;
  id: string;
  format: AnswerFormatId;
  signal: AbortSignal;
}

interface JobsServiceDependencies {
  repository: JobsRepository;
  contents: JobContents;
  runner: JobRunner;
  recognition: Pick<RecognitionService, 'preview' | 'checkPreviews'>;
  webhooks: WebhookDeliveries;
  secrets: Pick<WebhookSecrets, 'state'>;
  unchargedJobs: UnchargedJobs;
  writer: ResultWriter;
  clock: Clock;
  targets: WebhookTargets;
  /** HMAC key of file digests, so that digests in the database cannot be matched to known files. */
  pictureKey: string;
  logger: Logger;
  metrics: Metrics;
}

/** PDF results: they need all page images in memory and wait for rendering. */
const PDF_QUEUE = { concurrency: 2, perOwner: { concurrency: 1, waiting: 1, full: tooManyResults } };
/** All other formats need only the texts. */
const TEXT_QUEUE = { concurrency: 1, perOwner: { concurrency: 1, waiting: 8, full: tooManyResults } };
const RESULT_MS = 300_000;

export class JobsService {
  readonly #deps: JobsServiceDependencies;
  readonly #pdfQueue = createFairQueue(PDF_QUEUE);

  readonly #textQueue = createFairQueue(TEXT_QUEUE);

  readonly #resultCache: ResultCache;

  constructor(deps: JobsServiceDependencies) {
    this.#deps = deps;
    this.#resultCache = createResultCache(deps.clock);
  }

  async #toJob(row: JobRow): Promise<Job> {
    const [pages, countsOf, webhook] = await Promise.all([
      this.#deps.repository.pagesOf(row.id),
      this.#deps.repository.counts([row.id]),
      row.delivery === null ? null : this.#deps.webhooks.find(row.delivery),
    ]);
    return { ...toJobSummary(row, countsOf(row.id)), pages: pages.map(toJobPage), webhook };
  }

  /** Reads the job before it starts, because the response would otherwise be a queued job with pages. */
  async #toJobAndStart(row: JobRow): Promise<Job> {
    try {
      return await this.#toJob(row);
    } finally {
      this.#deps.runner.startJob(row);
    }
  }

  /** Idempotency keys are scoped by API key, because two keys of a user may use the same one. */
  #attemptOf({ keyId, idempotencyKey }: Pick<NewJob, 'keyId' | 'idempotencyKey'>): string | null {
    if (idempotencyKey === undefined) return null;
    const name = keyId === null ? `job ${idempotencyKey}` : `job of ${keyId} ${idempotencyKey}`;
    return createHash('sha256').update(name).digest('base64url');
  }

  #fingerprintOf({ files, filter, languages, range, webhook }: NewJob): string {
    const all = [...files.map(({ bytes }) => digestOf(bytes)), filter, languages.join('+'), range, webhook];
    return createHmac('sha256', this.#deps.pictureKey).update(JSON.stringify(all)).digest('base64url');
  }

  async #accept(
    job: NewJob,
    attempt: string | null,
    fingerprint: string | null,
  ): Promise<{ row: JobRow; isExisting: boolean }> {
    const { requestId, userId, keyId, files, filter, languages, range, webhook } = job;
    const id = randomUUID();
    const stored = await this.#deps.contents.store(id, userId, files).catch(contentsUnavailable);
    if (stored === 'user limit') throw storageFull();
    if (stored === 'no memory') throw noRoom();
    try {
      const row = await this.#deps.repository.create(
        {
          id,
          user_id: userId,
          key_id: keyId,
          files: files.length,
          languages: languages.join('+'),
          filtering: filter ? 1 : 0,
          page_range: range,
          attempt,
          fingerprint,
        },
        async (transaction) =>
          webhook === null ? null : this.#deps.webhooks.prepare(transaction, userId, webhook),
      );
      if (row.id !== id) {
        await this.#deps.contents.forget(id);
        if (row.fingerprint !== fingerprint) throw idempotencyKeyReused();
        return { row, isExisting: true };
      }
      this.#deps.logger.info({ reqId: requestId, job: id, files: files.length }, 'a job was accepted');
      return { row, isExisting: false };
    } catch (error) {
      // A repeated call creates a new job. Contents that cannot be deleted now expire.
      await this.#deps.contents.forget(id).catch(() => {});
      throw error;
    }
  }

  async #readPages(row: JobRow): Promise<ReadPage[]> {
    const names = new Map<number, string>();
    const pages: ReadPage[] = [];
    for (const { number, file, page, state } of await this.#deps.repository.pagesOf(row.id)) {
      if (state !== 'done') continue;
      const extraction = await this.#deps.contents.page(row.id, number);
      if (!extraction) throw resultGone();
      const name = names.get(file) ?? (await this.#deps.contents.name(row.id, file));
      if (name === null) throw resultGone();
      names.set(file, name);
      pages.push({ number, file, page, extraction, name });
    }
    return pages;
  }

  /** One part per file; consecutive images share one part. */
  async #partsOf(pages: readonly ReadPage[], request: ResultRequest): Promise<PdfPart[]> {
    const parts: PdfPart[] = [];
    for (const file of new Set(pages.map((page) => page.file))) {
      const found = await this.#deps.contents.file(request.id, file);
      if (!found) throw picturesGone();
      const own = pages.filter((page) => page.file === file);
      if (isPdf(found)) {
        parts.push({ pages: own, document: found });
        continue;
      }
      const pictures = await this.#picturesOf(found, own, request);
      const before = parts.at(-1);
      if (!before || 'document' in before) parts.push({ pages: own, pictures });
      else
        parts[parts.length - 1] = {
          pages: [...before.pages, ...own],
          pictures: [...before.pictures, ...pictures],
        };
    }
    return parts;
  }

  /** An image that a PDF can embed unchanged is embedded; everything else is rendered. */
  async #picturesOf(
    file: Uint8Array,
    pages: readonly ReadPage[],
    { requestId, subject, signal }: ResultRequest,
  ): Promise<PagePicture[]> {
    const pictures: PagePicture[] = [];
    for (const { page } of pages) {
      const own = page === 1 ? pictureForPdf(file) : null;
      if (own) {
        pictures.push({ embedded: own });
        continue;
      }
      await this.#deps.recognition.checkPreviews(subject);
      // The buffer is transferred, so the next page needs its own copy.
      const picture = new Uint8Array(file);
      const rendered = await this.#deps.recognition.preview({ requestId, subject, picture, page, signal });
      pictures.push({ rendered });
    }
    return pictures;
  }

  async #writeResult(row: JobRow, request: ResultRequest): Promise<Uint8Array> {
    const { id, format } = request;
    const timeLimit = AbortSignal.timeout(RESULT_MS);
    const signal = AbortSignal.any([request.signal, timeLimit]);
    try {
      const pages = await this.#readPages(row);
      const task =
        format === 'pdf'
          ? { format, parts: await this.#partsOf(pages, { ...request, signal }) }
          : { id, format, pages };
      const resultCache = await this.#deps.writer.write(task, signal);
      if (!resultCache) throw noTable();
      return resultCache;
    } catch (error) {
      if (timeLimit.aborted) throw timedOut(error);
      throw error instanceof AppError ? error : recognitionFailed(error);
    }
  }

  /** Checks the limits before the upload, so that the files of a rejected job are not transferred. @throws {AppError} */
  async checkRoom({ userId, keyId }: JobOwner, idempotencyKey: string | undefined): Promise<void> {
    const attempt = this.#attemptOf({ keyId, idempotencyKey });
    if (attempt !== null && (await this.#deps.repository.findAttempt(userId, attempt))) return;
    if ((await this.#deps.repository.countUnfinished(userId)) >= JOB_LIMITS.unfinished) throw tooManyJobs();
    await this.#deps.unchargedJobs.check(userId);
  }

  /** The new job, or the job of an earlier attempt with the same key. @throws {AppError} */
  async create(job: NewJob): Promise<Job> {
    const { userId, webhook } = job;
    if (webhook !== null) {
      if (!isCallable(webhook, this.#deps.targets)) throw badWebhook();
      if ((await this.#deps.secrets.state(userId)).madeAt === null) throw noWebhookSecret();
    }
    const attempt = this.#attemptOf(job);
    const fingerprint = attempt === null ? null : this.#fingerprintOf(job);
    const isExisting =
      attempt === null ? undefined : await this.#deps.repository.findAttempt(userId, attempt);
    if (isExisting && isExisting.fingerprint !== fingerprint) throw idempotencyKeyReused();
    if (isExisting) return this.#toJob(isExisting);
    await this.#deps.unchargedJobs.start(userId);
    try {
      const created = await this.#accept(job, attempt, fingerprint);
      if (!created.isExisting) return await this.#toJobAndStart(created.row);
      // A parallel request with the same key created the job first.
      await this.#deps.unchargedJobs.release(userId);
      return await this.#toJob(created.row);
    } catch (error) {
      await this.#deps.unchargedJobs.release(userId).catch(() => {});
      throw error;
    }
  }

  async list(owner: JobOwner): Promise<JobSummary[]> {
    const rows = await this.#deps.repository.list(owner);
    const countsOf = await this.#deps.repository.counts(rows.map(({ id }) => id));
    return rows.map((row) => toJobSummary(row, countsOf(row.id)));
  }

  async find(id: string, owner: JobOwner): Promise<Job | null> {
    const row = await this.#deps.repository.find(id, owner);
    return row ? this.#toJob(row) : null;
  }

  async result(request: ResultRequest): Promise<JobResult | null> {
    const { id, owner, format } = request;
    const row = await this.#deps.repository.find(id, owner);
    if (!row) return null;
    if (!isOver(row)) throw notEnded();
    if (row.state !== 'done') throw noResult();
    if (!(await this.#deps.contents.has(id).catch(contentsUnavailable))) throw resultGone();
    const queue = format === 'pdf' ? this.#pdfQueue : this.#textQueue;
    const write = () =>
      queue.run(row.user_id, request.signal, async () => {
        // The previous task may have written the same result.
        const known = this.#resultCache.find(id, format);
        if (known) return known;
        const created = await this.#writeResult(row, request);
        this.#resultCache.store(row.user_id, id, format, created);
        return created;
      });
    try {
      return { ...describeResult(format), content: this.#resultCache.find(id, format) ?? (await write()) };
    } catch (error) {
      throw request.signal.aborted ? clientLeft(error) : error;
    }
  }

  async remove(id: string, owner: JobOwner): Promise<boolean> {
    const removed = await this.#deps.repository.remove(id, owner, async (transaction, { delivery }) => {
      if (delivery !== null) await this.#deps.webhooks.forget(transaction, delivery);
    });
    if (!removed) return false;
    this.#deps.runner.drop(id);
    this.#resultCache.forget(id);
    if (removed === 'cancelled') {
      this.#deps.metrics.add('glyphlift_jobs_total', { outcome: 'cancelled' });
      this.#deps.logger.info({ job: id, outcome: 'cancelled' }, 'a job has ended');
    }
    await this.#deps.contents.forget(id).catch(contentsUnavailable);
    return true;
  }
}

/** Export and deletion of a user's jobs, and the cleanup of every minute. Works without an engine. */
export function createJobsMaintenance({
  repository,
  contents,
  webhooks,
}: Pick<JobsServiceDependencies, 'repository' | 'contents' | 'webhooks'>): {
  personalData: PersonalDataSource;
  deleteExpired: () => Promise<void>;
} {
  return {
    personalData: {
      async export({ id }) {
        const rows = await repository.list({ userId: id, keyId: null });
        const countsOf = await repository.counts(rows.map((row) => row.id));
        return { jobs: rows.map((row) => toJobSummary(row, countsOf(row.id))) };
      },
      // A process that runs one of them notices that its row is deleted.
      async prepareDelete(userId) {
        for (const id of await repository.idsOf(userId)) await contents.forget(id).catch(() => {});
      },
    },
    async deleteExpired() {
      await webhooks.forgetAll(await repository.deleteOld());
      // If Redis is unavailable, the contents expire.
      await contents.deleteExpired().catch(() => {});
    },
  };
}

function contentsUnavailable(cause: unknown): never {
  throw contentStoreUnavailable(cause);
}
