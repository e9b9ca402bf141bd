import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { PersonalDataSource } from '../../accounts/personal-data.ts';
import { idempotently, withTransaction } from '../../platform/database.ts';
import type { Database, Transaction } from '../recognition.tables.ts';

/** A claim on one extraction of a holder in a period, with the holder's limit. */
export interface Claim {
  /** The holder: `visitor:…`, `address:…` and so on. */
  holder: string;
  /** Name of the period; a new period starts at zero. */
  period: string;
  periodEnds: Date;
  limit: number;
  /** Limit of uncharged recognition time in the period, in milliseconds; unlimited if left out. */
  unpaidMsLimit?: number;
}

/** A lease on one extraction for all of its claims. It charges nothing until it is committed. */
export interface Reservation {
  readonly id: string;
  /** End of the lease. A takeover changes it, so that the earlier holder no longer matches. */
  readonly expires: string;
  /** Whether an earlier attempt, or an earlier extraction of the same image, was already charged. */
  readonly alreadyCharged: boolean;
}

export interface Attempt {
  /** The same for all attempts at one request, and unique to it. */
  name: string;
  /** Attempts that were committed after this moment are not charged again. */
  since: Date;
}

export interface ReserveOptions {
  attempt?: Attempt | undefined;
  /**
   * HMAC of the picture. A holder who was charged for it in this period may read it again for free, `FREE_REPEATS` times.
   */
  picture?: string | undefined;
}

/** Number of free repeats of a charged image, which is limited because a repeat still costs work. */
export const FREE_REPEATS = 5;

export type Reserved =
  | { granted: true; reservation: Reservation }
  | { granted: false; claim: Claim; reason: 'used-up' | 'too-much-unpaid-work' };

export interface Quota {
  /**
   * Reserves one extraction of every claim, or of none of them. The lease ends at `until`: from then on it no longer counts
   * and cannot be committed. A commit charges the periods of the claims, whenever it happens. A retry takes over the lease of
   * the previous attempt, which can then no longer commit, or finds it committed. The first claim is the caller's own.
   */
  reserve(claims: readonly Claim[], now: Date, until: Date, options?: ReserveOptions): Promise<Reserved>;
  /** False if the lease has expired or was taken over: then nothing is charged and the result must not be returned. */
  commit(reservation: Reservation, now: Date): Promise<boolean>;
  /**
   * Releases the reservation. `unpaidMs`: the recognition time that it cost. `outcomeUnknown`: the commit may have succeeded,
   * but its result was not returned, so the extraction is released in either case.
   */
  release(reservation: Reservation, unpaidMs: number, outcomeUnknown?: boolean): Promise<void>;
  /** The first claim whose unpaid time has reached its limit; undefined if there is none. */
  findOverspent(claims: readonly Claim[]): Promise<Claim | undefined>;
  spend(claims: readonly Claim[], unpaidMs: number): Promise<void>;
  used(claim: Pick<Claim, 'holder' | 'period'>, now: Date): Promise<number>;
  /** Extractions of a user in each stored period. */
  personalData: PersonalDataSource;
  /** Deletes periods that ended before `now`, unless they have open leases. */
  forget(now: Date): Promise<void>;
}

export function createQuota(database: Database): Quota {
  return {
    async reserve(claims, now, until, options) {
      try {
        return await withTransaction(database, (transaction) =>
          reserveAll(transaction, claims, { now, until, ...options }),
        );
      } catch (error) {
        if (error instanceof QuotaRefusal)
          return { granted: false, claim: error.claim, reason: error.reason };
        throw error;
      }
    },

    async commit(reservation, now) {
      const moment = now.toISOString();
      // Idempotent: after an unknown outcome, a second commit matches the row that the first one wrote.
      const result = await idempotently(() =>
        database
          .updateTable('quota_entries')
          .set({ committed: moment })
          .where('reservation', '=', reservation.id)
          .where((row) => row.or([row('committed', 'is', null), row('committed', '=', moment)]))
          .where('expires', '=', reservation.expires)
          .where('expires', '>', moment)
          .executeTakeFirst(),
      );
      return result.numUpdatedRows > 0n;
    },

    release: (reservation, unpaidMs, outcomeUnknown = false) =>
      withTransaction(database, async (transaction) => {
        const released = await transaction
          .deleteFrom('quota_entries')
          .where('reservation', '=', reservation.id)
          .$if(!outcomeUnknown, (rows) => rows.where('committed', 'is', null))
          .where('expires', '=', reservation.expires)
          .returning(['holder', 'period'])
          .execute();
        await addUnpaid(transaction, released.sort(byHolder), unpaidMs);
      }),

    async findOverspent(claims) {
      for (const claim of claims) if (await hasOverspent(database, claim)) return claim;
      return undefined;
    },

    spend: (claims, unpaidMs) =>
      withTransaction(database, async (transaction) => {
        const ordered = [...claims].sort(byHolder);
        for (const claim of ordered) await lock(transaction, claim);
        await addUnpaid(transaction, ordered, unpaidMs);
      }),

    used: (claim, now) => count(database, claim, now),

    personalData: {
      export: async ({ id }) => ({ usage: await historyOf(database, id) }),
      async prepareDelete(userId) {
        await database.deleteFrom('quota_holders').where('holder', 'in', holdersOf(userId)).execute();
      },
    },

    async forget(now) {
      let deleted: number;
      do {
        deleted = await deleteBatch(database, now);
      } while (deleted === DELETE_BATCH);
    },
  };
}

/** Rows per delete statement. At midnight all periods of a day expire, and one statement would exceed its time limit. */
const DELETE_BATCH = 1_000;

async function deleteBatch(database: Database, now: Date): Promise<number> {
  const moment = now.toISOString();
  const deleted = await database
    .deleteFrom('quota_holders')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('holder', 'period'),
        'in',
        selectFrom('quota_holders as over')
          .select(['over.holder', 'over.period'])
          .where('over.period_ends', '<=', moment)
          .where(({ not, exists, selectFrom: from }) =>
            not(
              exists(
                from('quota_entries')
                  .select('reservation')
                  .whereRef('quota_entries.holder', '=', 'over.holder')
                  .whereRef('quota_entries.period', '=', 'over.period')
                  .where('committed', 'is', null)
                  .where('expires', '>', moment),
              ),
            ),
          )
          .limit(DELETE_BATCH)
          .$asTuple('holder', 'period'),
      ),
    )
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

async function historyOf(database: Database, userId: string) {
  const rows = await database
    .selectFrom('quota_holders')
    .leftJoin('quota_entries', (join) =>
      join
        .onRef('quota_entries.holder', '=', 'quota_holders.holder')
        .onRef('quota_entries.period', '=', 'quota_holders.period')
        .on('quota_entries.committed', 'is not', null),
    )
    .select(['quota_holders.period', 'period_ends'])
    .select(sql<number | string>`count(quota_entries.reservation)`.as('extractions'))
    .where('quota_holders.holder', 'in', holdersOf(userId))
    .groupBy(['quota_holders.holder', 'quota_holders.period', 'period_ends'])
    .orderBy('period_ends')
    .execute();
  return rows.map(({ period, period_ends, extractions }) => ({
    period,
    periodEnds: period_ends,
    extractions: Number(extractions),
  }));
}

/** The quota holders of a user, by the day and by the billing month; see `allowance.ts`. */
const holdersOf = (userId: string) => [`user:${userId}`, `premium:${userId}`];

/** Thrown to roll the transaction back, so that a refusal costs no write to the disk. */
class QuotaRefusal extends Error {
  constructor(
    readonly claim: Claim,
    readonly reason: 'used-up' | 'too-much-unpaid-work',
  ) {
    super(reason);
  }
}

async function reserveAll(
  transaction: Transaction,
  claims: readonly Claim[],
  { now, until, attempt, picture }: { now: Date; until: Date } & ReserveOptions,
): Promise<Reserved> {
  // Rows are always locked in the same order to avoid deadlocks.
  const ordered = [...claims].sort(byHolder);
  for (const claim of ordered) await lock(transaction, claim);
  const former = attempt && (await takeOver(transaction, attempt, until));
  if (attempt && former?.is === 'committed') {
    for (const claim of claims) await refuseIfOverspent(transaction, claim);
    // A new expiry takes the lease over, so that the earlier attempt can no longer release it.
    await transaction
      .updateTable('quota_entries')
      .set({ expires: former.expires })
      .where('reservation', '=', attempt.name)
      .execute();
    return {
      granted: true,
      reservation: { id: attempt.name, expires: former.expires, alreadyCharged: true },
    };
  }
  const id = attempt && former?.is === 'open' ? attempt.name : randomUUID();
  const expires = former?.expires ?? until.toISOString();
  const [own] = claims;
  if (own && picture !== undefined) {
    for (const claim of claims) await refuseIfOverspent(transaction, claim);
    if (await spendFreeRepeat(transaction, own, picture)) {
      return { granted: true, reservation: { id, expires, alreadyCharged: true } };
    }
  }
  for (const claim of claims) await refuseIfUsedUp(transaction, claim, now);
  await transaction
    .insertInto('quota_entries')
    .values(
      claims.map((claim) => ({
        reservation: id,
        holder: claim.holder,
        period: claim.period,
        expires,
        committed: null,
        picture: claim === own ? (picture ?? null) : null,
      })),
    )
    .execute();
  return { granted: true, reservation: { id, expires, alreadyCharged: false } };
}

/**
 * Ends the lease of an earlier attempt, which is then either committed or can no longer be. `past`: the commit is too long
 * ago to count as the same request. `expires`: the end of the new lease, unique among the attempts.
 */
async function takeOver(
  transaction: Transaction,
  { name, since }: Attempt,
  until: Date,
): Promise<{ is: 'open' | 'committed' | 'past'; expires: string }> {
  const former = () =>
    transaction
      .selectFrom('quota_entries')
      .select(['committed', 'expires'])
      .where('reservation', '=', name)
      .executeTakeFirst();
  const entry = await former();
  const after = entry ? new Date(entry.expires).getTime() + 1 : 0;
  const expires = new Date(Math.max(until.getTime(), after)).toISOString();
  if (entry && entry.committed === null) {
    await transaction
      .deleteFrom('quota_entries')
      .where('reservation', '=', name)
      .where('committed', 'is', null)
      .execute();
  }
  // The earlier attempt may have been committed in between.
  const committed = entry?.committed ?? (entry && (await former())?.committed);
  if (!committed) return { is: 'open', expires };
  return { is: committed > since.toISOString() ? 'committed' : 'past', expires };
}

/** Uses one free repeat if the holder was charged for this image. False without a free repeat. */
async function spendFreeRepeat(
  transaction: Transaction,
  { holder, period }: Claim,
  picture: string,
): Promise<boolean> {
  // There may be several rows, because the picture is charged again when its free repeats are used up.
  const charged = await transaction
    .selectFrom('quota_entries')
    .select('reservation')
    .where('holder', '=', holder)
    .where('period', '=', period)
    .where('picture', '=', picture)
    .where('committed', 'is not', null)
    .where('repeats', '<', FREE_REPEATS)
    .limit(1)
    .executeTakeFirst();
  if (!charged) return false;
  await transaction
    .updateTable('quota_entries')
    .set((row) => ({ repeats: row('repeats', '+', 1) }))
    .where('reservation', '=', charged.reservation)
    .where('holder', '=', holder)
    .execute();
  return true;
}

/** Creates the holder's row if needed, and locks it until the transaction ends. */
async function lock(transaction: Transaction, { holder, period, periodEnds }: Claim): Promise<void> {
  await transaction
    .insertInto('quota_holders')
    .values({ holder, period, period_ends: periodEnds.toISOString(), unpaid_ms: 0 })
    .onConflict((conflict) =>
      conflict.columns(['holder', 'period']).doUpdateSet({ period_ends: periodEnds.toISOString() }),
    )
    .execute();
}

async function refuseIfUsedUp(transaction: Transaction, claim: Claim, now: Date): Promise<void> {
  if ((await count(transaction, claim, now)) >= claim.limit) throw new QuotaRefusal(claim, 'used-up');
  await refuseIfOverspent(transaction, claim);
}

async function refuseIfOverspent(transaction: Transaction, claim: Claim): Promise<void> {
  if (await hasOverspent(transaction, claim)) throw new QuotaRefusal(claim, 'too-much-unpaid-work');
}

async function hasOverspent(database: Database | Transaction, claim: Claim): Promise<boolean> {
  if (claim.unpaidMsLimit === undefined) return false;
  const account = await database
    .selectFrom('quota_holders')
    .select('unpaid_ms')
    .where('holder', '=', claim.holder)
    .where('period', '=', claim.period)
    .executeTakeFirst();
  return (account?.unpaid_ms ?? 0) >= claim.unpaidMsLimit;
}

/** `accounts` must be sorted by holder, the lock order of all transactions. */
async function addUnpaid(
  transaction: Transaction,
  accounts: readonly Pick<Claim, 'holder' | 'period'>[],
  unpaidMs: number,
): Promise<void> {
  const spent = Math.round(unpaidMs);
  if (spent <= 0) return;
  for (const { holder, period } of accounts) {
    await transaction
      .updateTable('quota_holders')
      .set((row) => ({ unpaid_ms: row('unpaid_ms', '+', spent) }))
      .where('holder', '=', holder)
      .where('period', '=', period)
      .execute();
  }
}

const byHolder = (a: { holder: string }, b: { holder: string }) => (a.holder < b.holder ? -1 : 1);

async function count(
  database: Database | Transaction,
  { holder, period }: Pick<Claim, 'holder' | 'period'>,
  now: Date,
): Promise<number> {
  const { uses } = await database
    .selectFrom('quota_entries')
    .select(sql<number | string>`count(*)`.as('uses'))
    .where('holder', '=', holder)
    .where('period', '=', period)
    .where((row) => row.or([row('committed', 'is not', null), row('expires', '>', now.toISOString())]))
    .executeTakeFirstOrThrow();
  // PostgreSQL returns a count, which has 64 bits, as text.
  return Number(uses);
}
