import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isInRange, JOB_KEPT_HOURS, JOB_LIMITS, type WebhookEvent } from '#contract/job';
import { AppError, createError } from '../http/errors.ts';
import { type Background, createBackground } from '../platform/background.ts';
import type { Clock } from '../platform/clock.ts';
import { DatabaseAway, OutcomeUnknown } from '../platform/database-errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Subject } from '../recognition/quota/allowance.ts';
import { digestOf, type RecognitionService } from '../recognition/recognition.service.ts';
import type { WebhookDeliveries } from '../webhooks/deliveries.ts';
import { type JobContents, TENDED_MS } from './job-contents.ts';
import type { JobOutcome, JobRow, JobsRepository, PageRow, presentSummary } from './jobs.repository.ts';
import type { Turns } from './turns.ts';
import type { UnpaidJobs } from './unpaid.ts';

/** Has the pages of jobs read that are this process', and looks after those whose process has gone. */
export interface JobRunner {
  /** Begins with a job that is this process'. */
  begin(job: JobRow): void;
  /** Lets go of a job that was cancelled. */
  drop(id: string): void;
  /** Takes over, or tells as interrupted, what nobody works on any more. */
  lookAfter(): Promise<void>;
  /** Jobs that are this process'. */
  underWay(): number;
  start(): void;
  /** Lets go of all jobs, and leaves to the next process what it can go on with. */
  stop(): Promise<void>;
}

interface JobRunnerDependencies {
  repository: JobsRepository;
  contents: JobContents;
  turns: Turns;
  recognition: Pick<RecognitionService, 'pages' | 'readPage'>;
  webhooks: Pick<WebhookDeliveries, 'tell' | 'wake'>;
  unpaid: Pick<UnpaidJobs, 'forgive'>;
  premiumMonth: (userId: string) => Promise<{ starts: Date; ends: Date } | null>;
  publicUrl: string;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}

const INTERRUPTED = 'jobs.interrupted';
const PREMIUM_OVER = 'api_keys.premium_over';

/** Half of what a lease lasts, and less. */
const RENEW_EVERY_MS = 2_000;
/** What passes by itself: the page waits and is tried again. */
const PASSING: ReadonlySet<string> = new Set([
  'recognition.queue_full',
  'recognition.unavailable',
  'recognition.stopping',
  'recognition.language_not_fetched',
]);
/** Between tries, doubled each time. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** So long after it was handed in a page is tried no more. */
const PATIENCE_MS = 6 * 3_600_000;
/** What fails for another reason than that the database is away is tried so often: a few minutes. */
const MOST_TRIES = 12;
/** A picture that was read together with one that broke its process is as good as any: it is tried once more. */
const CRASHED = 'recognition.crashed';

class Interrupted extends Error {
  override name = 'Interrupted';
}

export function createJobRunner(dependencies: JobRunnerDependencies): JobRunner {
  const { repository, contents, turns, recognition, webhooks, unpaid, premiumMonth } = dependencies;
  const { publicUrl, clock, logger, metrics } = dependencies;
  const jobs = new Map<string, { abort: AbortController; done: Promise<void> }>();
  const background: Background = createBackground({ logger, failure: 'jobs could not be looked after' });
  let renewing: NodeJS.Timeout | undefined;
  let stopping = false;

  function begin(job: JobRow): void {
    if (jobs.has(job.id)) return;
    const abort = new AbortController();
    // Each of its pages listens.
    setMaxListeners(0, abort.signal);
    const done = run(job, abort.signal)
      // Nobody can end it now: its lease runs out, and whoever finds it tries again.
      .catch((error) => {
        if (!abort.signal.aborted) logger.error({ err: error, job: job.id }, 'a job could not be ended');
      })
      .finally(() => {
        if (jobs.get(job.id)?.abort === abort) jobs.delete(job.id);
        if (jobs.size === 0) stopRenewing();
      });
    jobs.set(job.id, { abort, done });
    renewing ??= setInterval(() => void renew(), RENEW_EVERY_MS).unref();
  }

  function stopRenewing(): void {
    clearInterval(renewing);
    renewing = undefined;
  }

  function drop(id: string): void {
    jobs.get(id)?.abort.abort(new Interrupted('the job is not this process’ any more'));
    jobs.delete(id);
  }

  /** What cannot be said now is said with the next beat; a lease lasts longer than one. */
  async function renew(): Promise<void> {
    const ids = [...jobs.keys()];
    if (ids.length === 0) return;
    try {
      const own = new Set(await repository.renew(ids));
      for (const id of ids) if (!own.has(id)) drop(id);
      await contents.tend([...own], TENDED_MS);
    } catch (error) {
      logger.debug({ err: error }, 'jobs could not be renewed');
    }
  }

  async function run(job: JobRow, signal: AbortSignal): Promise<void> {
    const { id } = job;
    try {
      if (!(await persistently(signal, () => contents.has(id)))) throw new Interrupted('its files are lost');
      if (job.state === 'queued' && !(await open(job, signal))) return;
      const pages = await persistently(signal, () => repository.pagesOf(id));
      const left = pages.filter(({ state }) => state === 'queued' || state === 'running');
      const digests = new Map<number, string>();
      // What a process before this one has read counts as charged: whether it had text is not kept.
      let isPaid = pages.some(({ state }) => state === 'done');
      await Promise.all(
        left.map(async (page) => {
          if (await readPage(job, page, digests, signal)) isPaid = true;
        }),
      );
      if (signal.aborted) return;
      if (isPaid) await persistently(signal, () => unpaid.forgive(job.user_id));
      const outcomes = await persistently(signal, () => repository.pagesOf(id));
      const isRead = outcomes.some(({ state }) => state === 'done');
      const [first] = outcomes;
      const alone = outcomes.every(({ error }) => error === first?.error) ? first?.error : undefined;
      await end(
        job,
        isRead ? { state: 'done' } : { state: 'failed', error: alone ?? 'jobs.nothing_read' },
        signal,
      );
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Interrupted)) {
        logger.error({ err: error, job: id }, 'a job could not be carried out');
      }
      await unpaid.forgive(job.user_id).catch(() => {});
      const isReadable = await persistently(signal, () => hasTexts(id));
      await end(
        job,
        isReadable ? { state: 'done', unread: INTERRUPTED } : { state: 'failed', error: INTERRUPTED },
        signal,
      );
    }
  }

  /** Whether pages were read whose texts are there still: after a restart they may be, without the files. */
  async function hasTexts(id: string): Promise<boolean> {
    const pages = await repository.pagesOf(id);
    return pages.some(({ state }) => state === 'done') && (await contents.has(id));
  }

  /** Finds out which pages there are. False when there is nothing more to be done. */
  async function open(job: JobRow, signal: AbortSignal): Promise<boolean> {
    const pages: Omit<PageRow, 'job_id'>[] = [];
    for (let file = 1; file <= job.files; file++) {
      const plan = (page: number, state: string, error: string | null) =>
        pages.push({ number: pages.length + 1, file, page, state, error });
      const found = await patiently(job, signal, async () => {
        const bytes = await fileOf(job, file, signal);
        const subject = await subjectOf(job);
        return recognition.pages({ requestId: job.id, subject, document: bytes, signal });
      });
      if ('failure' in found) plan(1, 'failed', found.failure);
      else {
        const { length } = found.result.pages;
        const wanted = Array.from({ length }, (_, at) => at + 1).filter(
          // A picture is no document of which somebody could mean a part.
          (page) => length === 1 || job.page_range === null || isInRange(job.page_range, page),
        );
        for (const page of wanted) plan(page, 'queued', null);
        if (wanted.length === 0) plan(1, 'failed', 'recognition.no_such_page');
      }
      if (pages.length > JOB_LIMITS.pages) {
        await end(job, { state: 'failed', error: 'jobs.too_many_pages' }, signal);
        return false;
      }
    }
    return persistently(signal, () => repository.plan(job.id, pages));
  }

  /** Whether it has text, and so was charged. */
  async function readPage(
    job: JobRow,
    { number, file, page }: PageRow,
    digests: Map<number, string>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const found = await patiently(job, signal, () =>
      turns.take(job.user_id, signal, async () => {
        await repository.pageBegins(job.id, number);
        const bytes = await fileOf(job, file, signal);
        const digest = digests.get(file) ?? digestOf(bytes);
        digests.set(file, digest);
        const result = await recognition.readPage({
          requestId: job.id,
          subject: await subjectOf(job),
          document: bytes,
          digest,
          page,
          attempt: `page ${number} of job ${job.id}`,
          filter: job.filtering === 1,
          languages: job.languages.split('+'),
          signal,
        });
        // It is charged by now: what Redis does not take at once, it takes a moment later.
        await persistently(signal, () => contents.keepPage(job.id, number, result));
        return result;
      }),
    );
    const outcome =
      'failure' in found
        ? ({ state: 'failed', error: found.failure } as const)
        : ({ state: 'done', error: null } as const);
    await persistently(signal, () => repository.pageEnds(job.id, number, outcome));
    metrics.add('glyphlift_job_pages_total', { outcome: outcome.state });
    return 'result' in found && found.result.extractedText.trim() !== '';
  }

  async function fileOf({ id }: JobRow, file: number, signal: AbortSignal): Promise<Uint8Array> {
    const found = await persistently(signal, () => contents.file(id, file));
    if (!found) throw new Interrupted('the files of the job are lost');
    return found;
  }

  async function subjectOf({ user_id: id }: JobRow): Promise<Subject> {
    const month = await premiumMonth(id);
    if (!month) {
      throw createError(PREMIUM_OVER, 'premium ended while the job was under way', 'Premium is over.');
    }
    return { kind: 'premium-user', id, month };
  }

  /** Tries again what fails for a while only. @returns a code where it failed for good */
  async function patiently<T>(
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
        const isLate = clock.now().getTime() - new Date(since).getTime() > PATIENCE_MS;
        const mayPass =
          code === undefined ? isAway(error) : PASSING.has(code) || (code === CRASHED && crashes++ === 0);
        if (!mayPass || isLate) {
          if (code === undefined) logger.error({ err: error }, 'a page of a job failed');
          return { failure: code ?? 'recognition.failed' };
        }
        await delay(pause, undefined, { signal, ref: false });
      }
    }
  }

  /** Does what has to be written down, as soon as it can be. */
  async function persistently<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let tries = 1, pause = FIRST_PAUSE_MS; ; tries++, pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return await work();
      } catch (error) {
        // Redis and the database come back; what is wrong in itself does not pass.
        if (signal.aborted || (!isAway(error) && tries === MOST_TRIES)) throw error;
        logger.warn({ err: error }, 'what became of a job could not be written down yet');
        await delay(pause, undefined, { signal, ref: false });
      }
    }
  }

  async function end(job: JobRow, ending: JobOutcome, signal: AbortSignal): Promise<void> {
    const ended = await persistently(signal, () =>
      repository.end(job.id, ending, async (transaction, row, counts) => {
        if (row.delivery !== null) await webhooks.tell(transaction, row.delivery, eventOf(row, counts));
      }),
    );
    if (!ended) return;
    webhooks.wake();
    const code = ending.state === 'failed' ? ending.error : undefined;
    const outcome = code === INTERRUPTED ? 'interrupted' : ending.state;
    metrics.add('glyphlift_jobs_total', { outcome });
    const { total, done, failed } = ended.counts;
    logger.info({ job: job.id, outcome, code, total, done, failed }, 'a job has ended');
    // What cannot be said now ends by itself.
    await (ending.state === 'done'
      ? contents.tend([job.id], JOB_KEPT_HOURS.result * 3_600_000)
      : contents.forget(job.id)
    ).catch((error) => logger.debug({ err: error }, 'what a job has left could not be tended'));
  }

  function eventOf(row: JobRow, counts: Parameters<typeof presentSummary>[1]): WebhookEvent {
    const state = row.state === 'done' ? 'done' : 'failed';
    return {
      type: `job.${state}`,
      timestamp: row.ended_at ?? clock.now().toISOString(),
      data: {
        id: row.id,
        state,
        ...(row.error !== null && { error: row.error }),
        counts,
        url: `${publicUrl}/api/jobs/${row.id}`,
      },
    };
  }

  async function lookAfter(): Promise<void> {
    if (stopping) return;
    for (const job of await repository.takeOver()) {
      // One of this process' own, which could not say so in time.
      if (jobs.has(job.id)) continue;
      logger.warn({ job: job.id, pagesAreThere: contents.outlivesProcess }, 'a job was left by its server');
      // Where its files are lost with that server, it ends with what was read.
      begin(job);
    }
  }

  return {
    begin,
    drop,
    lookAfter,
    underWay: () => jobs.size,
    start: () => background.every(RENEW_EVERY_MS, lookAfter),

    async stop() {
      stopping = true;
      await background.stop();
      stopRenewing();
      const own = [...jobs];
      for (const [, { abort }] of own) abort.abort(new Interrupted('the server is stopping'));
      const late = delay(5_000, undefined, { ref: false });
      await Promise.race([Promise.allSettled(own.map(([, { done }]) => done)), late]);
      const ids = own.map(([id]) => id);
      await contents
        .leave(ids)
        .catch((error) => logger.warn({ err: error }, 'the texts of jobs could not be saved'));
      // Whoever is next, another server or this one when it is back, finds the pages, or that they are lost.
      await repository
        .leave(ids)
        .catch((error) => logger.warn({ err: error }, 'jobs could not be left to another server'));
    },
  };
}

const isAway = (error: unknown): boolean => error instanceof DatabaseAway || error instanceof OutcomeUnknown;
