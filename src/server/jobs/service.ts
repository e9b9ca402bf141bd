import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { AnswerFormatId } from '#contract/answer-format';
import { JOB_LIMITS, type Job, type JobSummary } from '#contract/job';
import type { KeptElsewhere } from '../people/personal-data.ts';
import { createGate } from '../platform/gate.ts';
import type { Logger } from '../platform/logger.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Subject } from '../recognition/allowance.ts';
import { drawnPictureForPdf, pictureForPdf, type WrittenAnswer } from '../recognition/answer-format.ts';
import { unreachable as contentsUnreachable, idempotencyKeyReused } from '../recognition/errors.ts';
import { digestOf, type RecognitionService } from '../recognition/service.ts';
import type { WebhookDeliveries } from '../webhooks/deliveries.ts';
import { isCallable, type WebhookTargets } from '../webhooks/outside.ts';
import type { WebhookSecrets } from '../webhooks/secrets.ts';
import type { JobContents } from './contents.ts';
import {
  badWebhook,
  noResult,
  noRoom,
  notEnded,
  noWebhookSecret,
  resultGone,
  tooManyJobs,
  tooManyResults,
  tooMuchKept,
} from './errors.ts';
import { isOver, type JobRow, type JobsRepository, presentPage, presentSummary } from './repository.ts';
import { type ReadPage, writeResult } from './result.ts';
import type { JobRunner } from './runner.ts';
import type { JobUpload } from './upload.ts';

export interface NewJob extends JobUpload {
  requestId: string;
  userId: string;
  idempotencyKey: string | undefined;
}

/** A job's result: pages as they are told in JSON, or a file. */
export type JobResult = { pages: ReadPage[] } | { written: WrittenAnswer };

export interface ResultRequest {
  requestId: string;
  subject: Subject;
  id: string;
  format: AnswerFormatId;
  signal: AbortSignal;
}

export interface JobsService {
  /** Before the files have come: what would be refused is not sent for nothing. @throws {AppError} */
  checkRoom(userId: string, idempotencyKey: string | undefined): Promise<void>;
  /** The job that was made, or that an earlier attempt with the same key has made. @throws {AppError} */
  create(job: NewJob): Promise<Job>;
  list(userId: string): Promise<JobSummary[]>;
  /** Null where the person has no such job. */
  find(id: string, userId: string): Promise<Job | null>;
  /** Null where the person has no such job. @throws {AppError} */
  result(request: ResultRequest): Promise<JobResult | null>;
  /** False where the person has no such job. */
  remove(id: string, userId: string): Promise<boolean>;
}

interface JobsServiceDependencies {
  repository: JobsRepository;
  contents: JobContents;
  runner: JobRunner;
  recognition: Pick<RecognitionService, 'preview' | 'checkPreviews'>;
  webhooks: WebhookDeliveries;
  secrets: Pick<WebhookSecrets, 'state'>;
  targets: WebhookTargets;
  /** Turns what was sent into what stands for it in the database, so that it tells nobody which files they were. */
  pictureKey: string;
  logger: Logger;
  metrics: Metrics;
}

/** PDFs that are made at once, and that may wait for it: each holds the pictures of all of its pages. */
const PDFS = { atOnce: 2, waiting: 4 };

export function createJobsService(dependencies: JobsServiceDependencies): JobsService {
  const { repository, contents, runner, recognition, webhooks, secrets } = dependencies;
  const { targets, pictureKey, logger, metrics } = dependencies;
  const pdfGate = createGate({ ...PDFS, full: tooManyResults });

  async function present(row: JobRow): Promise<Job> {
    const [pages, counts, webhook] = await Promise.all([
      repository.pagesOf(row.id),
      repository.counts([row.id]),
      row.delivery === null ? null : webhooks.find(row.delivery),
    ]);
    return { ...presentSummary(row, counts.get(row.id)!), pages: pages.map(presentPage), webhook };
  }

  const attemptOf = (idempotencyKey: string | undefined) =>
    idempotencyKey === undefined
      ? null
      : createHash('sha256').update(`job ${idempotencyKey}`).digest('base64url');

  function fingerprintOf({ files, filter, languages, range, webhook }: NewJob): string {
    const all = [...files.map(({ bytes }) => digestOf(bytes)), filter, languages.join('+'), range, webhook];
    return createHmac('sha256', pictureKey).update(JSON.stringify(all)).digest('base64url');
  }

  async function readPages(row: JobRow): Promise<ReadPage[]> {
    const names = new Map<number, string>();
    const pages: ReadPage[] = [];
    for (const { number, file, page, state } of await repository.pagesOf(row.id)) {
      if (state !== 'done') continue;
      const extraction = await contents.page(row.id, number);
      if (!extraction) throw resultGone();
      const name = names.get(file) ?? (await contents.name(row.id, file));
      if (name === null) throw resultGone();
      names.set(file, name);
      pages.push({ number, file, page, extraction, name });
    }
    return pages;
  }

  /** A picture that a PDF can hold as it came does so; everything else is drawn anew, as for a single one. */
  function picturesFor({ requestId, subject, id, signal }: ResultRequest) {
    return async ({ file, page }: ReadPage) => {
      const found = await contents.file(id, file);
      if (!found) throw resultGone();
      const own = page === 1 ? pictureForPdf(found) : null;
      if (own) return own;
      await recognition.checkPreviews(subject);
      const drawn = await recognition.preview({
        requestId,
        subject,
        picture: found,
        page,
        signal,
      });
      return drawnPictureForPdf(drawn);
    };
  }

  return {
    async checkRoom(userId, idempotencyKey) {
      const attempt = attemptOf(idempotencyKey);
      if (attempt !== null && (await repository.findAttempt(userId, attempt))) return;
      if ((await repository.countUnderWay(userId)) >= JOB_LIMITS.underWay) throw tooManyJobs();
    },

    async create(job) {
      const { requestId, userId, files, filter, languages, range, webhook } = job;
      if (webhook !== null) {
        if (!isCallable(webhook, targets)) throw badWebhook();
        if ((await secrets.state(userId)).madeAt === null) throw noWebhookSecret();
      }
      const attempt = attemptOf(job.idempotencyKey);
      const fingerprint = attempt === null ? null : fingerprintOf(job);
      const former = attempt === null ? undefined : await repository.findAttempt(userId, attempt);
      if (former && former.fingerprint !== fingerprint) throw idempotencyKeyReused();
      if (former) return present(former);
      const id = randomUUID();
      const kept = await contents.keep(id, userId, files).catch(unreachable);
      if (kept === 'too much') throw tooMuchKept();
      if (kept === 'no room') throw noRoom();
      let made: JobRow;
      try {
        const row = await repository.create(
          {
            id,
            user_id: userId,
            files: files.length,
            languages: languages.join('+'),
            filtering: filter ? 1 : 0,
            page_range: range,
            attempt,
            fingerprint,
          },
          async (transaction) => (webhook === null ? null : webhooks.prepare(transaction, userId, webhook)),
        );
        if (row.id !== id) {
          // One that came at the same time was first.
          await contents.forget(id);
          if (row.fingerprint !== fingerprint) throw idempotencyKeyReused();
          return await present(row);
        }
        made = row;
      } catch (error) {
        // Whoever repeats the call begins anew; what is not forgotten now ends by itself.
        await contents.forget(id).catch(() => {});
        throw error;
      }
      logger.info({ reqId: requestId, job: id, files: files.length }, 'a job was taken in');
      runner.begin(made);
      return present(made);
    },

    async list(userId) {
      const rows = await repository.list(userId);
      const counts = await repository.counts(rows.map(({ id }) => id));
      return rows.map((row) => presentSummary(row, counts.get(row.id)!));
    },

    async find(id, userId) {
      const row = await repository.find(id, userId);
      return row ? present(row) : null;
    },

    async result(request) {
      const { id, subject, format } = request;
      const row = await repository.find(id, subject.id);
      if (!row) return null;
      if (!isOver(row)) throw notEnded();
      if (row.state !== 'done') throw noResult();
      if (!(await contents.has(id).catch(unreachable))) throw resultGone();
      const pages = await readPages(row);
      if (format === 'json') return { pages };
      const write = () => writeResult(format, pages, picturesFor(request));
      return { written: await (format === 'pdf' ? pdfGate(write) : write()) };
    },

    async remove(id, userId) {
      const removed = await repository.remove(id, userId, async (transaction, { delivery }) => {
        if (delivery !== null) await webhooks.forget(transaction, delivery);
      });
      if (!removed) return false;
      runner.drop(id);
      if (removed === 'cancelled') {
        metrics.add('glyphlift_jobs_total', { outcome: 'cancelled' });
        logger.info({ job: id, outcome: 'cancelled' }, 'a job has ended');
      }
      await contents.forget(id).catch(unreachable);
      return true;
    },
  };
}

/** What is kept of a person's jobs, and what is due every minute, with an engine or without one. */
export function createJobsUpkeep({
  repository,
  contents,
  webhooks,
}: Pick<JobsServiceDependencies, 'repository' | 'contents' | 'webhooks'>): {
  kept: KeptElsewhere;
  forget: () => Promise<void>;
} {
  return {
    kept: {
      async facts({ id }) {
        const rows = await repository.list(id);
        const counts = await repository.counts(rows.map((row) => row.id));
        return { jobs: rows.map((row) => presentSummary(row, counts.get(row.id)!)) };
      },
      // Whoever has one of them in work finds its row gone with the account.
      async letGo(userId) {
        for (const id of await repository.idsOf(userId)) await contents.forget(id).catch(() => {});
      },
    },
    async forget() {
      await webhooks.forgetAll(await repository.forgetOld());
      // Where Redis is away, all of it ends by itself.
      await contents.forgetTheGone().catch(() => {});
    },
  };
}

/** What jobs hold cannot be reached: Redis is away. */
function unreachable(cause: unknown): never {
  throw contentsUnreachable(cause);
}
