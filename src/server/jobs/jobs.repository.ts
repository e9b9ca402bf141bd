import { hasEnded, JOB_KEPT_HOURS, JOB_LIMITS, type JobPage, type JobSummary } from '#contract/job';
import { signInRequired } from '../accounts/accounts.errors.ts';
import { lockUser } from '../accounts/users.repository.ts';
import type { Clock } from '../platform/clock.ts';
import { type AnyTransaction, idempotently, withTransaction } from '../platform/database.ts';
import { tooManyJobs } from './jobs.errors.ts';
import type { Database, JobPagesTable, JobsTable, Transaction } from './jobs.tables.ts';

export type JobRow = JobsTable;
export type PageRow = JobPagesTable;
export type JobCounts = JobSummary['counts'];

/** The caller: an API key can access the jobs that it created, a session all jobs of the user. */
export interface JobOwner {
  userId: string;
  /** Null for a session. */
  keyId: string | null;
}

export interface PageOutcome {
  state: 'done' | 'failed';
  error: string | null;
}

/** `unread`: error code of the unread pages in a job that is done. */
export type JobOutcome = { state: 'done'; unread?: string } | { state: 'failed'; error: string };

/** Lease of a process on its jobs; afterwards another process takes them over. Milliseconds. */
const LEASE_MS = 8_000;
const HOUR_MS = 3_600_000;
const UNFINISHED = ['queued', 'running'];

export class JobsRepository {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #runner: string;

  constructor(database: Database, clock: Clock, runner: string) {
    this.#database = database;
    this.#clock = clock;
    this.#runner = runner;
  }

  #now() {
    return this.#clock.now().toISOString();
  }

  #inMs(milliseconds: number) {
    return new Date(this.#clock.now().getTime() + milliseconds).toISOString();
  }

  #lease() {
    return { runner: this.#runner, lease_until: this.#inMs(LEASE_MS) };
  }

  /** Locks the row of a job of this process and renews its lease; undefined if another process owns the job now. */
  #lockOwnJob(transaction: Transaction, id: string) {
    return transaction
      .updateTable('jobs')
      .set(this.#lease())
      .where('id', '=', id)
      .where('runner', '=', this.#runner)
      .where('state', 'in', UNFINISHED)
      .returningAll()
      .executeTakeFirst();
  }

  pagesOf(id: string) {
    return this.#database
      .selectFrom('job_pages')
      .selectAll()
      .where('job_id', '=', id)
      .orderBy('number')
      .execute();
  }

  /**
   * @param inTransaction further writes of the same transaction
   * @returns the new job, or the job that an earlier attempt created
   * @throws {AppError} 429
   */
  create(
    newJob: Pick<
      JobRow,
      | 'id'
      | 'user_id'
      | 'key_id'
      | 'files'
      | 'languages'
      | 'filtering'
      | 'page_range'
      | 'attempt'
      | 'fingerprint'
    >,
    inTransaction: (transaction: AnyTransaction) => Promise<string | null>,
  ): Promise<JobRow> {
    return withTransaction(this.#database, async (transaction) => {
      // Locks the user's row, so that parallel requests are counted one after the other.
      if (!(await lockUser(transaction, newJob.user_id))) throw signInRequired();
      const existing =
        newJob.attempt === null
          ? undefined
          : await transaction
              .selectFrom('jobs')
              .selectAll()
              .where('user_id', '=', newJob.user_id)
              .where('attempt', '=', newJob.attempt)
              .executeTakeFirst();
      if (existing) return existing;
      const others = await transaction
        .selectFrom('jobs')
        .select('id')
        .where('user_id', '=', newJob.user_id)
        .where('state', 'in', UNFINISHED)
        .execute();
      if (others.length >= JOB_LIMITS.unfinished) throw tooManyJobs();
      const row: JobRow = {
        ...newJob,
        state: 'queued',
        error: null,
        created_at: this.#now(),
        ended_at: null,
        result_until: null,
        ...this.#lease(),
        delivery: await inTransaction(transaction),
      };
      await transaction.insertInto('jobs').values(row).execute();
      return row;
    });
  }

  async countUnfinished(userId: string): Promise<number> {
    const rows = await this.#database
      .selectFrom('jobs')
      .select('id')
      .where('user_id', '=', userId)
      .where('state', 'in', UNFINISHED)
      .execute();
    return rows.length;
  }

  findAttempt(userId: string, attempt: string) {
    return this.#database
      .selectFrom('jobs')
      .selectAll()
      .where('user_id', '=', userId)
      .where('attempt', '=', attempt)
      .executeTakeFirst();
  }

  find(id: string, { userId, keyId }: JobOwner) {
    return this.#database
      .selectFrom('jobs')
      .selectAll()
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .$if(keyId !== null, (rows) => rows.where('key_id', '=', keyId))
      .executeTakeFirst();
  }

  list({ userId, keyId }: JobOwner) {
    return this.#database
      .selectFrom('jobs')
      .selectAll()
      .where('user_id', '=', userId)
      .$if(keyId !== null, (rows) => rows.where('key_id', '=', keyId))
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(JOB_LIMITS.listed)
      .execute();
  }

  async idsOf(userId: string): Promise<string[]> {
    const rows = await this.#database.selectFrom('jobs').select('id').where('user_id', '=', userId).execute();
    return rows.map(({ id }) => id);
  }

  async counts(ids: readonly string[]): Promise<(id: string) => JobCounts> {
    const counts = new Map(ids.map((id) => [id, noPages()]));
    const countsOf = (id: string) => counts.get(id) ?? noPages();
    if (ids.length === 0) return countsOf;
    const rows = await this.#database
      .selectFrom('job_pages')
      .select(['job_id', 'state'])
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('job_id', 'in', [...ids])
      .groupBy(['job_id', 'state'])
      .execute();
    for (const { job_id: id, state, count } of rows) addTo(countsOf(id), state, Number(count));
    return countsOf;
  }

  /** Stores the pages of the job. False if another process owns it now. */
  plan(id: string, pages: readonly Omit<PageRow, 'job_id'>[]): Promise<boolean> {
    return withTransaction(this.#database, async (transaction) => {
      if (!(await this.#lockOwnJob(transaction, id))) return false;
      await transaction.deleteFrom('job_pages').where('job_id', '=', id).execute();
      await transaction
        .insertInto('job_pages')
        .values(pages.map((page) => ({ ...page, job_id: id })))
        .execute();
      await transaction.updateTable('jobs').set({ state: 'running' }).where('id', '=', id).execute();
      return true;
    });
  }

  async markPageStarted(id: string, number: number): Promise<void> {
    await this.#database
      .updateTable('job_pages')
      .set({ state: 'running' })
      .where('job_id', '=', id)
      .where('number', '=', number)
      .where('state', '=', 'queued')
      .execute();
  }

  async markPageEnded(id: string, number: number, { state, error }: PageOutcome): Promise<void> {
    await idempotently(() =>
      this.#database
        .updateTable('job_pages')
        .set({ state, error })
        .where('job_id', '=', id)
        .where('number', '=', number)
        .where('state', 'in', UNFINISHED)
        .execute(),
    );
  }

  /**
   * Ends a job of this process. Unread pages are marked as failed.
   * @param inTransaction further writes of the same transaction
   * @returns null if another process owns the job now
   */
  end(
    id: string,
    ending: JobOutcome,
    inTransaction: (transaction: AnyTransaction, job: JobRow, counts: JobCounts) => Promise<void>,
  ): Promise<{ job: JobRow; counts: JobCounts } | null> {
    return withTransaction(this.#database, async (transaction) => {
      if (!(await this.#lockOwnJob(transaction, id))) return null;
      const error = ending.state === 'failed' ? ending.error : null;
      await transaction
        .updateTable('job_pages')
        .set({ state: 'failed', error: ending.state === 'failed' ? error : (ending.unread ?? null) })
        .where('job_id', '=', id)
        .where('state', 'in', UNFINISHED)
        .execute();
      const job = await transaction
        .updateTable('jobs')
        .set({
          state: ending.state,
          error,
          ended_at: this.#now(),
          result_until: ending.state === 'done' ? this.#inMs(JOB_KEPT_HOURS.result * HOUR_MS) : null,
          runner: null,
          lease_until: null,
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      const counts = noPages();
      const pages = await transaction
        .selectFrom('job_pages')
        .select('state')
        .where('job_id', '=', id)
        .execute();
      for (const { state } of pages) addTo(counts, state, 1);
      await inTransaction(transaction, job, counts);
      return { job, counts };
    });
  }

  /** @returns `cancelled` for an unfinished job, `forgotten` for a finished one; undefined if the caller has no such job */
  remove(
    id: string,
    { userId, keyId }: JobOwner,
    inTransaction: (transaction: AnyTransaction, job: JobRow) => Promise<void>,
  ): Promise<'cancelled' | 'forgotten' | undefined> {
    return withTransaction(this.#database, async (transaction) => {
      const job = await transaction
        .updateTable('jobs')
        .set({ id })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .$if(keyId !== null, (rows) => rows.where('key_id', '=', keyId))
        .returningAll()
        .executeTakeFirst();
      if (!job) return undefined;
      await inTransaction(transaction, job);
      if (isOver(job)) {
        await transaction.deleteFrom('jobs').where('id', '=', id).execute();
        return 'forgotten';
      }
      await transaction
        .updateTable('job_pages')
        .set({ state: 'cancelled' })
        .where('job_id', '=', id)
        .where('state', 'in', UNFINISHED)
        .execute();
      await transaction
        .updateTable('jobs')
        .set({ state: 'cancelled', ended_at: this.#now(), runner: null, lease_until: null, delivery: null })
        .where('id', '=', id)
        .execute();
      return 'cancelled';
    });
  }

  /** Renews the leases of this process' jobs. Returns the ids that it still owns. */
  async renew(ids: readonly string[]): Promise<string[]> {
    const rows = await this.#database
      .updateTable('jobs')
      .set(this.#lease())
      .where('id', 'in', [...ids])
      .where('runner', '=', this.#runner)
      .where('state', 'in', UNFINISHED)
      .returning('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Takes over jobs with an expired lease. Only one process gets each job. */
  async takeOver(): Promise<JobRow[]> {
    const lost = await this.#database
      .selectFrom('jobs')
      .select(['id', 'lease_until'])
      .where('lease_until', '<=', this.#now())
      .orderBy('lease_until')
      .limit(20)
      .execute();
    const taken: JobRow[] = [];
    for (const { id, lease_until: leaseUntil } of lost) {
      const row = await this.#database
        .updateTable('jobs')
        .set(this.#lease())
        .where('id', '=', id)
        .where('lease_until', '=', leaseUntil)
        .returningAll()
        .executeTakeFirst();
      if (row) taken.push(row);
    }
    return taken;
  }

  /** Releases jobs, so that another process can take them over. */
  async release(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#database
      .updateTable('jobs')
      .set({ lease_until: this.#now() })
      .where('id', 'in', [...ids])
      .where('runner', '=', this.#runner)
      .where('state', 'in', UNFINISHED)
      .execute();
  }

  /** Deletes expired jobs; returns the ids of their webhook deliveries. */
  async deleteOld(): Promise<string[]> {
    const rows = await this.#database
      .deleteFrom('jobs')
      .where('ended_at', '<=', this.#inMs(-JOB_KEPT_HOURS.state * HOUR_MS))
      .returning('delivery')
      .execute();
    return rows.flatMap(({ delivery }) => (delivery === null ? [] : [delivery]));
  }
}

const STATES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
type State = (typeof STATES)[number];

export const stateOf = (state: string): State => STATES.find((one) => one === state) ?? 'failed';

export const isOver = ({ state }: Pick<JobRow, 'state'>): boolean => hasEnded(stateOf(state));

const noPages = (): JobCounts => ({ total: 0, queued: 0, running: 0, done: 0, failed: 0, cancelled: 0 });

function addTo(counts: JobCounts, state: string, count: number): void {
  counts[stateOf(state)] += count;
  counts.total += count;
}

export const toJobPage = ({ number, file, page, state, error }: PageRow): JobPage => ({
  number,
  file,
  page,
  state: stateOf(state),
  ...(error !== null && { error }),
});

export function toJobSummary(job: JobRow, counts: JobCounts): JobSummary {
  return {
    id: job.id,
    state: stateOf(job.state),
    ...(job.error !== null && { error: job.error }),
    createdAt: job.created_at,
    endedAt: job.ended_at,
    resultUntil: job.result_until,
    files: job.files,
    counts,
  };
}
