import { randomUUID } from 'node:crypto';
import { DELIVERY_STATES, type Delivery, type WebhookEvent } from '#contract/job';
import { type Background, createBackground } from '../platform/background.ts';
import type { Clock } from '../platform/clock.ts';
import type { AnyTransaction } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import { type Metrics, NO_METRICS } from '../platform/metrics.ts';
import type { Outside } from './outside.ts';
import type { WebhookSecrets } from './secrets.ts';
import { signedHeaders } from './signature.ts';
import { type Database, ours, type WebhookDeliveriesTable } from './tables.ts';

/**
 * Messages to addresses of other people's programs. Each is written in the transaction that is its reason, tried until it is
 * taken, and told at least once: a server that is killed between telling and noting tells it again.
 */
export interface WebhookDeliveries {
  /** Notes where something will be told. Its id names it. */
  prepare(transaction: AnyTransaction, userId: string, url: string): Promise<string>;
  /** Tells it from now on. */
  tell(transaction: AnyTransaction, id: string, event: WebhookEvent): Promise<void>;
  forget(transaction: AnyTransaction, id: string): Promise<void>;
  /** Forgets what became of those that are over. */
  forgetAll(ids: readonly string[]): Promise<void>;
  /** What has become of it. */
  find(id: string): Promise<Delivery | null>;
  /** Tries what is due. */
  deliver(): Promise<void>;
  /** The same soon, in the background: for after a transaction that told. */
  wake(): void;
  /** How many wait for a try. */
  waiting(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

interface WebhookDeliveriesDependencies {
  database: Database;
  secrets: Pick<WebhookSecrets, 'signing'>;
  outside: Outside;
  clock: Clock;
  logger: Logger;
  metrics?: Metrics | undefined;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Before each further try, a day in all: as long as somebody may take to notice that their receiver is down. */
const PAUSES_MS = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  8 * HOUR_MS,
  8 * HOUR_MS,
];
/** While one server tells something, the others leave it alone so long. */
const LEASE_MS = 30_000;
const POLL_MS = 2_000;
/** A receiver that hangs holds up one of these for some seconds. */
const AT_ONCE = 32;
/** The receiver says that it is there no more, and shall not be told again (Standard Webhooks). */
const GONE = 410;

export function createWebhookDeliveries(dependencies: WebhookDeliveriesDependencies): WebhookDeliveries {
  const { database, secrets, outside, clock, logger, metrics = NO_METRICS } = dependencies;
  const background: Background = createBackground({ logger, failure: 'webhooks could not be told' });
  const inMs = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds).toISOString();

  async function deliver(): Promise<void> {
    for (;;) {
      const due = await database
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('next_try_at', '<=', clock.now().toISOString())
        .orderBy('next_try_at')
        .limit(AT_ONCE)
        .execute();
      if (background.stopping) return;
      await Promise.all(due.map(attempt));
      if (due.length < AT_ONCE) return;
    }
  }

  async function attempt(row: WebhookDeliveriesTable): Promise<void> {
    const { id, user_id: userId, url, body, next_try_at: seen } = row;
    if (body === null || seen === null) return;
    const tries = row.tries + 1;
    const now = clock.now();
    const leased = await database
      .updateTable('webhook_deliveries')
      .set({ next_try_at: inMs(LEASE_MS), tries, last_try_at: now.toISOString() })
      .where('id', '=', id)
      .where('next_try_at', '=', seen)
      .executeTakeFirst();
    if (leased.numUpdatedRows === 0n) return;
    const signing = await secrets.signing(userId);
    const told =
      signing.length === 0
        ? ({ error: 'secret_missing' } as const)
        : await outside(url, signedHeaders({ id, sentAt: now, body }, signing), body);
    const status = 'status' in told ? told.status : null;
    const error = 'error' in told ? told.error : status === null ? null : refusalOf(status);
    const pause = status === GONE ? undefined : PAUSES_MS[tries - 1];
    const state = error === null ? 'delivered' : pause === undefined ? 'given_up' : 'waiting';
    await database
      .updateTable('webhook_deliveries')
      .set({
        state,
        last_status: status,
        last_error: error,
        next_try_at: state === 'waiting' && pause !== undefined ? inMs(pause) : null,
      })
      .where('id', '=', id)
      .execute();
    metrics.add('glyphlift_webhooks_total', { outcome: state === 'waiting' ? 'delayed' : state });
    const entry = { webhook: id, status, reason: error, tries };
    if (state === 'delivered') logger.info(entry, 'a webhook was told');
    else if (state === 'waiting') logger.info(entry, 'a webhook could not be told yet');
    else logger.warn(entry, 'a webhook was given up');
  }

  return {
    async prepare(transaction, userId, url) {
      const id = `msg_${randomUUID()}`;
      await ours(transaction)
        .insertInto('webhook_deliveries')
        .values({
          id,
          user_id: userId,
          url,
          body: null,
          state: 'waiting',
          tries: 0,
          last_try_at: null,
          last_status: null,
          last_error: null,
          next_try_at: null,
        })
        .execute();
      return id;
    },

    async tell(transaction, id, event) {
      await ours(transaction)
        .updateTable('webhook_deliveries')
        .set({ body: JSON.stringify(event), next_try_at: clock.now().toISOString() })
        .where('id', '=', id)
        .execute();
    },

    async forget(transaction, id) {
      await ours(transaction).deleteFrom('webhook_deliveries').where('id', '=', id).execute();
    },

    async forgetAll(ids) {
      if (ids.length === 0) return;
      await database
        .deleteFrom('webhook_deliveries')
        .where('id', 'in', [...ids])
        .execute();
    },

    async find(id) {
      const row = await database
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return row ? present(row) : null;
    },

    deliver,
    wake: () => void background.run(deliver),

    async waiting() {
      const { count } = await database
        .selectFrom('webhook_deliveries')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .where('next_try_at', 'is not', null)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    start: () => background.every(POLL_MS, deliver),
    stop: () => background.stop(),
  };
}

/** Whatever is not a success is told again: a redirect too, which is not followed. */
function refusalOf(status: number): Delivery['lastError'] {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirected' : 'refused';
}

function present(row: WebhookDeliveriesTable): Delivery {
  return {
    url: row.url,
    state: DELIVERY_STATES.find((state) => state === row.state) ?? 'waiting',
    tries: row.tries,
    lastTryAt: row.last_try_at,
    lastStatus: row.last_status,
    lastError: row.last_error as Delivery['lastError'],
    nextTryAt: row.next_try_at,
  };
}
