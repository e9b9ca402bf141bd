import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isInRange, JOB_KEPT_HOURS, JOB_LIMITS, type WebhookEvent } from '#contract/job';
import { AppError, createError } from '../http/errors.ts';
import { type Background, createBackground } from '../platform/background.ts';
import type { Clock } from '../platform/clock.ts';
import { DatabaseUnavailable, OutcomeUnknown } from '../platform/database-errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Subject } from '../recognition/quota/allowance.ts';
import { digestOf, type RecognitionService } from '../recognition/recognition.service.ts';
import type { WebhookDeliveries } from '../webhooks/deliveries.ts';
import type { FairQueue } from './fair-queue.ts';
import { CONTENTS_LEASE_MS, type JobContents } from './job-contents.ts';
import type { JobOutcome, JobRow, JobsRepository, PageRow, toJobSummary } from './jobs.repository.ts';
import type { UnchargedJobs } from './uncharged-jobs.ts';

interface JobRunnerDependencies {
  repository: JobsRepository;
  contents: JobContents;
  queue: FairQueue;
  recognition: Pick<RecognitionService, 'pages' | 'readPage'>;
  webhooks: Pick<WebhookDeliveries, 'schedule' | 'wake'>;
  unchargedJobs: Pick<UnchargedJobs, 'release'>;
  premiumMonth: (userId: string) => Promise<{ starts: Date; ends: Date } | null>;
  publicUrl: string;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}

const INTERRUPTED = 'jobs.interrupted';
const PREMIUM_OVER = 'api_keys.premium_over';

const RENEW_EVERY_MS = 2_000;
/** Temporary failures: the page is retried. */
const RETRYABLE: ReadonlySet<string> = new Set([
  'recognition.queue_full',
  'recognition.unavailable',
  'recognition.stopping',
  'recognition.language_not_fetched',
]);
/** Pause before the first retry; doubled for each further one. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** A page is retried until this long after its job's creation. */
const TIMEOUT_MS = 6 * 3_600_000;
/** Tries before a failure other than an unavailable database, such as one of Redis, is final: about two minutes in all. */
const MAX_TRIES = 12;
/** A page is retried once after a crash, because another page may have crashed the process. */
const CRASHED = 'recognition.crashed';

class Interrupted extends Error {
  override name = 'Interrupted';
}

/** Reads the pages of the jobs of this process, and takes over jobs whose process died. */
export class JobRunner {
  readonly #deps: JobRunnerDependencies;
  readonly #jobs = new Map<string, { abort: AbortController; done: Promise<void> }>();

  readonly #background: Background;
  #renewing: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(deps: JobRunnerDependencies) {
    this.#deps = deps;
    this.#background = createBackground({
      logger: this.#deps.logger,
      failure: 'abandoned jobs could not be checked',
    });
  }

  #stopRenewing(): void {
    clearInterval(this.#renewing);
    this.#renewing = undefined;
  }

  /** Renews the leases. A failed renewal is repeated after the interval; a lease lasts longer than one interval. */
  async #renew(): Promise<void> {
    const ids = [...this.#jobs.keys()];
    if (ids.length === 0) return;
    try {
      const ownIds = new Set(await this.#deps.repository.renew(ids));
      for (const id of ids) if (!ownIds.has(id)) this.drop(id);
      await this.#deps.contents.renewLease([...ownIds], CONTENTS_LEASE_MS);
    } catch (error) {
      this.#deps.logger.debug({ err: error }, 'jobs could not be renewed');
    }
  }

  async #run(job: JobRow, signal: AbortSignal): Promise<void> {
    const { id } = job;
    try {
      if (!(await this.#retryUntilAvailable(signal, () => this.#deps.contents.has(id))))
        throw new Interrupted('its files are lost');
      if (job.state === 'queued' && !(await this.#open(job, signal))) return;
      const pages = await this.#retryUntilAvailable(signal, () => this.#deps.repository.pagesOf(id));
      const unfinishedPages = pages.filter(({ state }) => state === 'queued' || state === 'running');
      const digests = new Map<number, string>();
      // Pages read by an earlier process count as charged, because whether they had text is not stored.
      let isCharged = pages.some(({ state }) => state === 'done');
      const work = unfinishedPages.map(async (page) => {
        if (await this.#readPage(job, page, digests, signal)) isCharged = true;
      });
      try {
        await Promise.all(work);
      } finally {
        // A stopping server closes its database next, and pages in progress still have to release their extractions.
        if (signal.aborted) await Promise.allSettled(work);
      }
      if (signal.aborted) return;
      if (isCharged)
        await this.#retryUntilAvailable(signal, () => this.#deps.unchargedJobs.release(job.user_id));
      const outcomes = await this.#retryUntilAvailable(signal, () => this.#deps.repository.pagesOf(id));
      const isRead = outcomes.some(({ state }) => state === 'done');
      const [first] = outcomes;
      const commonError = outcomes.every(({ error }) => error === first?.error) ? first?.error : undefined;
      await this.#end(
        job,
        isRead ? { state: 'done' } : { state: 'failed', error: commonError ?? 'jobs.nothing_read' },
        signal,
      );
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Interrupted)) {
        this.#deps.logger.error({ err: error, job: id }, 'a job could not be carried out');
      }
      await this.#deps.unchargedJobs.release(job.user_id).catch(() => {});
      const isReadable = await this.#retryUntilAvailable(signal, () => this.#hasTexts(id));
      await this.#end(
        job,
        isReadable ? { state: 'done', unread: INTERRUPTED } : { state: 'failed', error: INTERRUPTED },
        signal,
      );
    }
  }

  /** Whether there are texts of pages already read. After a restart, texts may exist without the files. */
  async #hasTexts(id: string): Promise<boolean> {
    const pages = await this.#deps.repository.pagesOf(id);
    return pages.some(({ state }) => state === 'done') && (await this.#deps.contents.has(id));
  }

  /** Counts the pages. False if the job has ended. */
  async #open(job: JobRow, signal: AbortSignal): Promise<boolean> {
    const pages: Omit<PageRow, 'job_id'>[] = [];
    for (let file = 1; file <= job.files; file++) {
      const plan = (page: number, state: string, error: string | null) =>
        pages.push({ number: pages.length + 1, file, page, state, error });
      const found = await this.#retryTemporary(job, signal, async () => {
        const bytes = await this.#fileOf(job, file, signal);
        const subject = await this.#subjectOf(job);
        return this.#deps.recognition.pages({ requestId: job.id, subject, document: bytes, signal });
      });
      if ('failure' in found) plan(1, 'failed', found.failure);
      else {
        const { length } = found.result.pages;
        const wanted = Array.from({ length }, (_, at) => at + 1).filter(
          // Page ranges apply to documents, not to images.
          (page) => length === 1 || job.page_range === null || isInRange(job.page_range, page),
        );
        for (const page of wanted) plan(page, 'queued', null);
        if (wanted.length === 0) plan(1, 'failed', 'recognition.no_such_page');
      }
      if (pages.length > JOB_LIMITS.pages) {
        await this.#end(job, { state: 'failed', error: 'jobs.too_many_pages' }, signal);
        return false;
      }
    }
    return this.#retryUntilAvailable(signal, () => this.#deps.repository.plan(job.id, pages));
  }

  /** Reads one page. @returns whether it has text, and so was charged */
  async #readPage(
    job: JobRow,
    { number, file, page }: PageRow,
    digests: Map<number, string>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const found = await this.#retryTemporary(job, signal, () =>
      this.#deps.queue.run(job.user_id, signal, async () => {
        await this.#deps.repository.markPageStarted(job.id, number);
        const bytes = await this.#fileOf(job, file, signal);
        const digest = digests.get(file) ?? digestOf(bytes);
        digests.set(file, digest);
        const result = await this.#deps.recognition.readPage({
          requestId: job.id,
          subject: await this.#subjectOf(job),
          document: bytes,
          digest,
          page,
          attempt: `page ${number} of job ${job.id}`,
          filter: job.filtering === 1,
          languages: job.languages.split('+'),
          signal,
        });
        // The page is already charged, so storing it in Redis is retried.
        await this.#retryUntilAvailable(signal, () => this.#deps.contents.storePage(job.id, number, result));
        return result;
      }),
    );
    const outcome =
      'failure' in found
        ? ({ state: 'failed', error: found.failure } as const)
        : ({ state: 'done', error: null } as const);
    await this.#retryUntilAvailable(signal, () =>
      this.#deps.repository.markPageEnded(job.id, number, outcome),
    );
    this.#deps.metrics.add('glyphlift_job_pages_total', { outcome: outcome.state });
    return 'result' in found && found.result.extractedText.trim() !== '';
  }

  async #fileOf({ id }: JobRow, file: number, signal: AbortSignal): Promise<Uint8Array> {
    const found = await this.#retryUntilAvailable(signal, () => this.#deps.contents.file(id, file));
    if (!found) throw new Interrupted('the files of the job are lost');
    return found;
  }

  async #subjectOf({ user_id: id }: JobRow): Promise<Subject> {
    const month = await this.#deps.premiumMonth(id);
    if (!month) {
      throw createError(PREMIUM_OVER, 'Premium is over.');
    }
    return { kind: 'premium-user', id, month };
  }

  /** Retries temporary failures. @returns the code of a permanent one */
  async #retryTemporary<T>(
    { created_at: since }: JobRow,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<{ result: T } | { failure: string }> {
    let crashes = 0;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return { result: await work() };
      } catch (error) {
        if (signal.aborted || error instanceof Interrupted) throw error;
        const code = error instanceof AppError ? error.code : undefined;
        const isLate = this.#deps.clock.now().getTime() - new Date(since).getTime() > TIMEOUT_MS;
        const isTemporary =
          code === undefined
            ? isUnavailable(error)
            : RETRYABLE.has(code) || (code === CRASHED && crashes++ === 0);
        if (!isTemporary || isLate) {
          if (code === undefined) this.#deps.logger.error({ err: error }, 'a page of a job failed');
          return { failure: code ?? 'recognition.failed' };
        }
        await delay(pause, undefined, { signal, ref: false });
      }
    }
  }

  /** Retries necessary work on the database until that is available again; other failures up to `MAX_TRIES`. */
  async #retryUntilAvailable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let tries = 1, pause = FIRST_PAUSE_MS; ; tries++, pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted || (!isUnavailable(error) && tries === MAX_TRIES)) throw error;
        this.#deps.logger.warn({ err: error }, 'the outcome of a job could not be stored yet');
        await delay(pause, undefined, { signal, ref: false });
      }
    }
  }

  async #end(job: JobRow, ending: JobOutcome, signal: AbortSignal): Promise<void> {
    const ended = await this.#retryUntilAvailable(signal, () =>
      this.#deps.repository.end(job.id, ending, async (transaction, row, counts) => {
        if (row.delivery !== null)
          await this.#deps.webhooks.schedule(transaction, row.delivery, this.#eventOf(row, counts));
      }),
    );
    if (!ended) return;
    this.#deps.webhooks.wake();
    const code = ending.state === 'failed' ? ending.error : undefined;
    const outcome = code === INTERRUPTED ? 'interrupted' : ending.state;
    this.#deps.metrics.add('glyphlift_jobs_total', { outcome });
    const { total, done, failed } = ended.counts;
    this.#deps.logger.info({ job: job.id, outcome, code, total, done, failed }, 'a job has ended');
    // If the deletion fails, the contents expire.
    await (ending.state === 'done'
      ? this.#deps.contents.renewLease([job.id], JOB_KEPT_HOURS.result * 3_600_000)
      : this.#deps.contents.forget(job.id)
    ).catch((error) => this.#deps.logger.debug({ err: error }, 'the contents of a job could not be renewed'));
  }

  #eventOf(row: JobRow, counts: Parameters<typeof toJobSummary>[1]): WebhookEvent {
    const state = row.state === 'done' ? 'done' : 'failed';
    return {
      type: `job.${state}`,
      timestamp: row.ended_at ?? this.#deps.clock.now().toISOString(),
      data: {
        id: row.id,
        state,
        ...(row.error !== null && { error: row.error }),
        counts,
        url: `${this.#deps.publicUrl}/api/jobs/${row.id}`,
      },
    };
  }

  /** Starts a job that this process owns. */
  startJob(job: JobRow): void {
    if (this.#jobs.has(job.id)) return;
    const abort = new AbortController();
    // Each page adds a listener.
    setMaxListeners(0, abort.signal);
    const done = this.#run(job, abort.signal)
      // The end of the job cannot be stored now. The lease expires, and the process that takes the job over tries again.
      .catch((error) => {
        if (!abort.signal.aborted)
          this.#deps.logger.error({ err: error, job: job.id }, 'a job could not be ended');
      })
      .finally(() => {
        if (this.#jobs.get(job.id)?.abort === abort) this.#jobs.delete(job.id);
        if (this.#jobs.size === 0) this.#stopRenewing();
      });
    this.#jobs.set(job.id, { abort, done });
    this.#renewing ??= setInterval(() => void this.#renew(), RENEW_EVERY_MS).unref();
  }

  drop(id: string): void {
    this.#jobs.get(id)?.abort.abort(new Interrupted('another process owns the job'));
    this.#jobs.delete(id);
  }

  /** Takes over jobs without a process, or ends them as interrupted. */
  async takeOverLost(): Promise<void> {
    if (this.#stopping) return;
    for (const job of await this.#deps.repository.takeOver()) {
      // A job of this process whose renewal was late.
      if (this.#jobs.has(job.id)) continue;
      this.#deps.logger.warn(
        { job: job.id, hasPages: this.#deps.contents.outlivesProcess },
        'a job was left by its server',
      );
      // If the files were lost with that server, the job ends with the pages already read.
      this.startJob(job);
    }
  }

  runningJobs(): number {
    return this.#jobs.size;
  }

  start(): void {
    this.#background.every(RENEW_EVERY_MS, () => this.takeOverLost());
  }

  /** Stops all jobs. The next process continues them if it has the files. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#background.stop();
    this.#stopRenewing();
    const own = [...this.#jobs];
    for (const [, { abort }] of own) abort.abort(new Interrupted('the server is stopping'));
    const timeout = delay(5_000, undefined, { ref: false });
    await Promise.race([Promise.allSettled(own.map(([, { done }]) => done)), timeout]);
    const ids = own.map(([id]) => id);
    await this.#deps.contents
      .saveForRestart(ids)
      .catch((error) => this.#deps.logger.warn({ err: error }, 'the texts of jobs could not be saved'));
    // The next process either finds the pages or ends the job as interrupted.
    await this.#deps.repository
      .release(ids)
      .catch((error) => this.#deps.logger.warn({ err: error }, 'jobs could not be left to another server'));
  }
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || error instanceof OutcomeUnknown;
