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
  unreachable as contentsUnreachable,
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
  tooManyJobs,
  tooManyResults,
  tooMuchKept,
} from './jobs.errors.ts';
import {
  isOver,
  type JobOwner,
  type JobRow,
  type JobsRepository,
  presentPage,
  presentSummary,
} from './jobs.repository.ts';
import type { ResultWriter } from './result-writer.ts';
import type { UnpaidJobs } from './unpaid.ts';
import { createWrittenResults, type WrittenResults } from './written-results.ts';

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
  unpaid: UnpaidJobs;
  writer: ResultWriter;
  clock: Clock;
  targets: WebhookTargets;
  /** HMAC key of file digests, so that digests in the database cannot be matched to known files. */
  pictureKey: string;
  logger: Logger;
  metrics: Metrics;
}

/** PDF results: they hold all page images in memory and wait for rendering. */
const PDFS = { concurrency: 2, perOwner: { concurrency: 1, waiting: 1, full: tooManyResults } };
/** All other formats need only the texts. */
const TEXTS = { concurrency: 1, perOwner: { concurrency: 1, waiting: 8, full: tooManyResults } };
const RESULT_MS = 300_000;

export class JobsService {
  readonly #deps: JobsServiceDependencies;
  readonly #pdfQueue = createFairQueue(PDFS);

  readonly #textQueue = createFairQueue(TEXTS);

  readonly #written: WrittenResults;

  constructor(deps: JobsServiceDependencies) {
    this.#deps = deps;
    this.#written = createWrittenResults(deps.clock);
  }

  async #present(row: JobRow): Promise<Job> {
    const [pages, countsOf, webhook] = await Promise.all([
      this.#deps.repository.pagesOf(row.id),
      this.#deps.repository.counts([row.id]),
      row.delivery === null ? null : this.#deps.webhooks.find(row.delivery),
    ]);
    return { ...presentSummary(row, countsOf(row.id)), pages: pages.map(presentPage), webhook };
  }

  /** In this order, because a job that runs stores its pages, and the answer would be a queued job with pages. */
  async #presentAndBegin(row: JobRow): Promise<Job> {
    try {
      return await this.#present(row);
    } finally {
      this.#deps.runner.begin(row);
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

  async #takeIn(
    job: NewJob,
    attempt: string | null,
    fingerprint: string | null,
  ): Promise<{ row: JobRow; former: boolean }> {
    const { requestId, userId, keyId, files, filter, languages, range, webhook } = job;
    const id = randomUUID();
    const personalData = await this.#deps.contents.keep(id, userId, files).catch(unreachable);
    if (personalData === 'too much') throw tooMuchKept();
    if (personalData === 'no room') throw noRoom();
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
        return { row, former: true };
      }
      this.#deps.logger.info({ reqId: requestId, job: id, files: files.length }, 'a job was accepted');
      return { row, former: false };
    } catch (error) {
      // A repeated call starts over. Contents that cannot be deleted now expire.
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
        pictures.push({ asItCame: own });
        continue;
      }
      await this.#deps.recognition.checkPreviews(subject);
      // The buffer is transferred, so the next page needs its own copy.
      const picture = new Uint8Array(file);
      const drawn = await this.#deps.recognition.preview({ requestId, subject, picture, page, signal });
      pictures.push({ drawn });
    }
    return pictures;
  }

  async #writeAnew(row: JobRow, request: ResultRequest): Promise<Uint8Array> {
    const { id, format } = request;
    const timeLimit = AbortSignal.timeout(RESULT_MS);
    const signal = AbortSignal.any([request.signal, timeLimit]);
    try {
      const pages = await this.#readPages(row);
      const task =
        format === 'pdf'
          ? { format, parts: await this.#partsOf(pages, { ...request, signal }) }
          : { id, format, pages };
      const written = await this.#deps.writer.write(task, signal);
      if (!written) throw noTable();
      return written;
    } catch (error) {
      if (timeLimit.aborted) throw timedOut(error);
      throw error instanceof AppError ? error : recognitionFailed(error);
    }
  }

  /** Checked before the upload, so that the files of a refused job are not transferred. @throws {AppError} */
  async checkRoom({ userId, keyId }: JobOwner, idempotencyKey: string | undefined): Promise<void> {
    const attempt = this.#attemptOf({ keyId, idempotencyKey });
    if (attempt !== null && (await this.#deps.repository.findAttempt(userId, attempt))) return;
    if ((await this.#deps.repository.countUnfinished(userId)) >= JOB_LIMITS.unfinished) throw tooManyJobs();
    await this.#deps.unpaid.check(userId);
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
    const former = attempt === null ? undefined : await this.#deps.repository.findAttempt(userId, attempt);
    if (former && former.fingerprint !== fingerprint) throw idempotencyKeyReused();
    if (former) return this.#present(former);
    await this.#deps.unpaid.begin(userId);
    try {
      const made = await this.#takeIn(job, attempt, fingerprint);
      if (!made.former) return await this.#presentAndBegin(made.row);
      // A parallel request with the same key created it first.
      await this.#deps.unpaid.forgive(userId);
      return await this.#present(made.row);
    } catch (error) {
      await this.#deps.unpaid.forgive(userId).catch(() => {});
      throw error;
    }
  }

  async list(owner: JobOwner): Promise<JobSummary[]> {
    const rows = await this.#deps.repository.list(owner);
    const countsOf = await this.#deps.repository.counts(rows.map(({ id }) => id));
    return rows.map((row) => presentSummary(row, countsOf(row.id)));
  }

  async find(id: string, owner: JobOwner): Promise<Job | null> {
    const row = await this.#deps.repository.find(id, owner);
    return row ? this.#present(row) : null;
  }

  async result(request: ResultRequest): Promise<JobResult | null> {
    const { id, owner, format } = request;
    const row = await this.#deps.repository.find(id, owner);
    if (!row) return null;
    if (!isOver(row)) throw notEnded();
    if (row.state !== 'done') throw noResult();
    if (!(await this.#deps.contents.has(id).catch(unreachable))) throw resultGone();
    const queue = format === 'pdf' ? this.#pdfQueue : this.#textQueue;
    const write = () =>
      queue.run(row.user_id, request.signal, async () => {
        // The task before may have written the same result.
        const known = this.#written.find(id, format);
        if (known) return known;
        const made = await this.#writeAnew(row, request);
        this.#written.keep(row.user_id, id, format, made);
        return made;
      });
    try {
      return { ...describeResult(format), content: this.#written.find(id, format) ?? (await write()) };
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
    this.#written.forget(id);
    if (removed === 'cancelled') {
      this.#deps.metrics.add('glyphlift_jobs_total', { outcome: 'cancelled' });
      this.#deps.logger.info({ job: id, outcome: 'cancelled' }, 'a job has ended');
    }
    await this.#deps.contents.forget(id).catch(unreachable);
    return true;
  }
}

/** Export and deletion of a user's jobs, and the cleanup of every minute. Works without an engine. */
export function createJobsUpkeep({
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
        return { jobs: rows.map((row) => presentSummary(row, countsOf(row.id))) };
      },
      // A process that runs one of them notices that its row is deleted.
      async prepareDelete(userId) {
        for (const id of await repository.idsOf(userId)) await contents.forget(id).catch(() => {});
      },
    },
    async deleteExpired() {
      await webhooks.forgetAll(await repository.deleteOld());
      // If Redis is unavailable, everything expires by itself.
      await contents.deleteExpired().catch(() => {});
    },
  };
}

function unreachable(cause: unknown): never {
  throw contentsUnreachable(cause);
}
