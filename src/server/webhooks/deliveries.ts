import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DELIVERY_STATES, type Delivery, type WebhookEvent } from '#contract/job';
import { type Background, createBackground } from '../platform/background.ts';
import type { Clock } from '../platform/clock.ts';
import type { AnyTransaction } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { WebhookCaller } from './webhook-caller.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';
import { signedHeaders } from './webhook-secrets.ts';
import { type Database, type WebhookDeliveriesTable, withWebhooksTables } from './webhooks.tables.ts';

interface WebhookDeliveriesDependencies {
  database: Database;
  secrets: Pick<WebhookSecrets, 'signing'>;
  callReceiver: WebhookCaller;
  clock: Clock;
  logger: Logger;
  metrics?: Metrics | undefined;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Pauses before the retries, a day in all. */
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
/** Lease of the server that makes a delivery. */
const LEASE_MS = 30_000;
const POLL_MS = 2_000;
/** Parallel deliveries. A hanging receiver occupies one for some seconds. */
const CONCURRENCY = 32;
/** Limits per user and per host, so that no user or host uses all slots. */
const CONCURRENCY_PER_USER = 4;
const CONCURRENCY_PER_HOST = 8;
/** Pause for an unresolvable host, for all users. */
const HOST_PAUSE_MS = 15 * MINUTE_MS;
/** Maximum number of paused hosts; beyond that, the pause of the oldest one ends. */
const MAX_PAUSED_HOSTS = 1_000;
const STOP_TIMEOUT_MS = 5_000;
/** 410: the receiver must not be called again (Standard Webhooks). */
const GONE = 410;

const FAILURE = 'webhooks could not be delivered';

/**
 * Outbox of webhooks. Each is written in the transaction that causes it, retried until it is acknowledged, and delivered at
 * least once: a server that is killed before it stores the outcome makes the call again.
 */
export class WebhookDeliveries {
  readonly #deps: WebhookDeliveriesDependencies;
  readonly #background: Background;
  /** Running deliveries of this process, by id. */
  readonly #running = new Map<string, { userId: string; host: string; done: Promise<void> }>();
  /** End of the pause of each host, in milliseconds. */
  readonly #paused = new Map<string, number>();

  constructor(deps: WebhookDeliveriesDependencies) {
    this.#deps = deps;
    this.#background = createBackground({ logger: deps.logger, failure: FAILURE });
  }

  #inMs(milliseconds: number) {
    return new Date(this.#deps.clock.now().getTime() + milliseconds).toISOString();
  }

  /** Users or hosts at their limit of parallel deliveries. */
  #busy(of: 'userId' | 'host', limit: number): string[] {
    const counts = new Map<string, number>();
    for (const one of this.#running.values()) counts.set(one[of], (counts.get(one[of]) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= limit).map(([name]) => name);
  }

  #pausedHosts(): string[] {
    const now = this.#deps.clock.now().getTime();
    for (const [host, until] of this.#paused) if (until <= now) this.#paused.delete(host);
    return [...this.#paused.keys()];
  }

  #pause(host: string): void {
    this.#paused.delete(host);
    this.#paused.set(host, this.#deps.clock.now().getTime() + HOST_PAUSE_MS);
    const [longest] = this.#paused.keys();
    if (this.#paused.size > MAX_PAUSED_HOSTS && longest !== undefined) this.#paused.delete(longest);
  }

  /** Starts due deliveries within the limits, so that a hanging receiver delays only its own deliveries. */
  async #startDue(): Promise<void> {
    for (;;) {
      const free = CONCURRENCY - this.#running.size;
      if (this.#background.stopping || free <= 0) return;
      const excluded = {
        people: this.#busy('userId', CONCURRENCY_PER_USER),
        hosts: this.#busy('host', CONCURRENCY_PER_HOST),
      };
      excluded.hosts.push(...this.#pausedHosts());
      const due = await this.#deps.database
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('next_try_at', '<=', this.#deps.clock.now().toISOString())
        .where('body', 'is not', null)
        .$if(this.#running.size > 0, (rows) => rows.where('id', 'not in', [...this.#running.keys()]))
        .$if(excluded.people.length > 0, (rows) => rows.where('user_id', 'not in', excluded.people))
        .$if(excluded.hosts.length > 0, (rows) =>
          rows.where((row) => row.or([row('host', 'is', null), row('host', 'not in', excluded.hosts)])),
        )
        .orderBy('next_try_at')
        .limit(free)
        .execute();
      const started = due.filter((row) => this.#startIfFree(row));
      if (started.length === 0) return;
    }
  }

  #startIfFree(row: WebhookDeliveriesTable): boolean {
    const { id, user_id: userId } = row;
    const host = row.host ?? hostOf(row.url);
    const isBusy =
      this.#busy('userId', CONCURRENCY_PER_USER).includes(userId) ||
      this.#busy('host', CONCURRENCY_PER_HOST).includes(host) ||
      this.#pausedHosts().includes(host);
    if (isBusy || this.#background.stopping) return false;
    const done = this.#attempt(row, host).then(
      () => {
        this.#running.delete(id);
        this.wake();
      },
      (error) => {
        this.#running.delete(id);
        // An interrupted delivery may find the database closed. Other failures are retried.
        if (!this.#background.stopping) this.#deps.logger.error({ err: error }, FAILURE);
      },
    );
    this.#running.set(id, { userId, host, done });
    return true;
  }

  async #attempt(row: WebhookDeliveriesTable, host: string): Promise<void> {
    const { id, user_id: userId, url, body, next_try_at: dueAt } = row;
    if (body === null || dueAt === null) return;
    const tries = row.tries + 1;
    const now = this.#deps.clock.now();
    const leased = await this.#deps.database
      .updateTable('webhook_deliveries')
      .set({ next_try_at: this.#inMs(LEASE_MS), tries, last_try_at: now.toISOString() })
      .where('id', '=', id)
      .where('next_try_at', '=', dueAt)
      .executeTakeFirst();
    if (leased.numUpdatedRows === 0n) return;
    const signing = await this.#deps.secrets.signing(userId);
    const outcome =
      signing.length === 0
        ? ({ error: 'secret_missing' } as const)
        : await this.#deps.callReceiver(url, signedHeaders({ id, sentAt: now, body }, signing), body);
    const status = 'status' in outcome ? outcome.status : null;
    const error = 'error' in outcome ? outcome.error : status === null ? null : failureReason(status);
    const dnsFailed = 'dnsFailed' in outcome && outcome.dnsFailed;
    if (dnsFailed) this.#pause(host);
    const scheduledPause = status === GONE ? undefined : PAUSES_MS[tries - 1];
    const pause =
      scheduledPause !== undefined && dnsFailed ? Math.max(scheduledPause, HOST_PAUSE_MS) : scheduledPause;
    const state = error === null ? 'delivered' : pause === undefined ? 'given_up' : 'waiting';
    await this.#deps.database
      .updateTable('webhook_deliveries')
      .set({
        state,
        last_status: status,
        last_error: error,
        next_try_at: state === 'waiting' && pause !== undefined ? this.#inMs(pause) : null,
      })
      .where('id', '=', id)
      .execute();
    this.#deps.metrics?.add('glyphlift_webhooks_total', {
      outcome: state === 'waiting' ? 'delayed' : state,
    });
    const entry = { webhook: id, status, reason: error, tries };
    if (state === 'delivered') this.#deps.logger.info(entry, 'a webhook was delivered');
    else if (state === 'waiting') this.#deps.logger.info(entry, 'a webhook could not be delivered yet');
    else this.#deps.logger.warn(entry, 'a webhook was given up');
  }

  /** Creates a delivery before its event. Returns its id. */
  async prepare(transaction: AnyTransaction, userId: string, url: string): Promise<string> {
    const id = `msg_${randomUUID()}`;
    await withWebhooksTables(transaction)
      .insertInto('webhook_deliveries')
      .values({
        id,
        user_id: userId,
        url,
        host: hostOf(url),
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
  }

  /** Sets the event and makes the delivery due. */
  async schedule(transaction: AnyTransaction, id: string, event: WebhookEvent): Promise<void> {
    await withWebhooksTables(transaction)
      .updateTable('webhook_deliveries')
      .set({ body: JSON.stringify(event), next_try_at: this.#deps.clock.now().toISOString() })
      .where('id', '=', id)
      .execute();
  }

  async delete(transaction: AnyTransaction, id: string): Promise<void> {
    await withWebhooksTables(transaction).deleteFrom('webhook_deliveries').where('id', '=', id).execute();
  }

  /** Deletes finished deliveries. */
  async deleteAll(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#deps.database
      .deleteFrom('webhook_deliveries')
      .where('id', 'in', [...ids])
      .execute();
  }

  async find(id: string): Promise<Delivery | null> {
    const row = await this.#deps.database
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row ? toDelivery(row) : null;
  }

  /** Makes all due deliveries. Resolves when none is running and none is due within the limits. */
  async deliver(): Promise<void> {
    do {
      // A running delivery may be due again when it ends, so the search starts after it.
      await Promise.all([...this.#running.values()].map(({ done }) => done));
      await this.#search();
    } while (this.#running.size > 0);
  }

  /** Runs one search at a time, because parallel searches would find the same rows. */
  #search(): Promise<void> {
    return this.#background.run(() => this.#startDue());
  }

  /** Delivers in the background. Called after a transaction that made a delivery due. */
  wake(): void {
    void this.#search();
  }

  async waiting(): Promise<number> {
    const { count } = await this.#deps.database
      .selectFrom('webhook_deliveries')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('next_try_at', 'is not', null)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  start(): void {
    this.#background.every(POLL_MS, () => this.#startDue());
  }

  async stop(): Promise<void> {
    await this.#background.stop();
    const timeout = delay(STOP_TIMEOUT_MS, undefined, { ref: false });
    await Promise.race([Promise.all([...this.#running.values()].map(({ done }) => done)), timeout]);
  }
}

/** Normalized host name, without the port. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : url);

/** Every status but 2xx is retried, redirects included, which are not followed. */
function failureReason(status: number): Delivery['lastError'] {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirected' : 'refused';
}

function toDelivery(row: WebhookDeliveriesTable): Delivery {
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
