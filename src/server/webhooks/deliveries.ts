import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DELIVERY_STATES, type Delivery, type WebhookEvent } from '#contract/job';
import { type Background, createBackground } from '../platform/background.ts';
import type { Clock } from '../platform/clock.ts';
import type { AnyTransaction } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Outside } from './outside.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';
import { signedHeaders } from './webhook-secrets.ts';
import { type Database, ours, type WebhookDeliveriesTable } from './webhooks.tables.ts';

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
/** Before each retry, a day in all: as long as it may take to notice that a receiver is down. */
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
/** How long other servers leave a delivery to the one that makes it. */
const LEASE_MS = 30_000;
const POLL_MS = 2_000;
/** A receiver that hangs holds one of these places for some seconds. */
const AT_ONCE = 32;
/** So that neither one person nor one receiver takes all places. */
const AT_ONCE_PER_PERSON = 4;
const AT_ONCE_PER_HOST = 8;
/** How long a host whose name could not be resolved is not called, for any user. */
const NAME_REST_MS = 15 * MINUTE_MS;
/** Hosts that are left alone; beyond them the one that has rested longest is tried again. */
const MOST_RESTING = 1_000;
const STOP_PATIENCE_MS = 5_000;
/** The receiver is gone and must not be called again (Standard Webhooks). */
const GONE = 410;

const FAILURE = 'webhooks could not be delivered';

/**
 * Webhooks. Each is written in the transaction that is its reason, retried until it is taken, and delivered at least
 * once: a server that is killed between the call and its note makes the call again.
 */
export class WebhookDeliveries {
  readonly #deps: WebhookDeliveriesDependencies;
  readonly #background: Background;
  /** Deliveries of this process, by their id. */
  readonly #underWay = new Map<string, { userId: string; host: string; done: Promise<void> }>();
  /** Until when a host is left alone, in milliseconds. */
  readonly #resting = new Map<string, number>();

  constructor(deps: WebhookDeliveriesDependencies) {
    this.#deps = deps;
    this.#background = createBackground({ logger: deps.logger, failure: FAILURE });
  }

  #inMs(milliseconds: number) {
    return new Date(this.#deps.clock.now().getTime() + milliseconds).toISOString();
  }

  /** Users or hosts that have reached their limit of parallel deliveries. */
  #busy(of: 'userId' | 'host', most: number): string[] {
    const counts = new Map<string, number>();
    for (const one of this.#underWay.values()) counts.set(one[of], (counts.get(one[of]) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= most).map(([name]) => name);
  }

  #restingHosts(): string[] {
    const now = this.#deps.clock.now().getTime();
    for (const [host, until] of this.#resting) if (until <= now) this.#resting.delete(host);
    return [...this.#resting.keys()];
  }

  #letRest(host: string): void {
    this.#resting.delete(host);
    this.#resting.set(host, this.#deps.clock.now().getTime() + NAME_REST_MS);
    const [longest] = this.#resting.keys();
    if (this.#resting.size > MOST_RESTING && longest !== undefined) this.#resting.delete(longest);
  }

  /** Starts what is due and has a place: a receiver that hangs delays only its own. */
  async #beginDue(): Promise<void> {
    for (;;) {
      const free = AT_ONCE - this.#underWay.size;
      if (this.#background.stopping || free <= 0) return;
      const excluded = {
        people: this.#busy('userId', AT_ONCE_PER_PERSON),
        hosts: this.#busy('host', AT_ONCE_PER_HOST),
      };
      excluded.hosts.push(...this.#restingHosts());
      const due = await this.#deps.database
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('next_try_at', '<=', this.#deps.clock.now().toISOString())
        .where('body', 'is not', null)
        .$if(this.#underWay.size > 0, (rows) => rows.where('id', 'not in', [...this.#underWay.keys()]))
        .$if(excluded.people.length > 0, (rows) => rows.where('user_id', 'not in', excluded.people))
        .$if(excluded.hosts.length > 0, (rows) =>
          rows.where((row) => row.or([row('host', 'is', null), row('host', 'not in', excluded.hosts)])),
        )
        .orderBy('next_try_at')
        .limit(free)
        .execute();
      const started = due.filter((row) => this.#beginIfFree(row));
      if (started.length === 0) return;
    }
  }

  #beginIfFree(row: WebhookDeliveriesTable): boolean {
    const { id, user_id: userId } = row;
    const host = row.host ?? hostOf(row.url);
    const isBusy =
      this.#busy('userId', AT_ONCE_PER_PERSON).includes(userId) ||
      this.#busy('host', AT_ONCE_PER_HOST).includes(host) ||
      this.#restingHosts().includes(host);
    if (isBusy || this.#background.stopping) return false;
    const done = this.#attempt(row, host).then(
      () => {
        this.#underWay.delete(id);
        this.wake();
      },
      (error) => {
        this.#underWay.delete(id);
        // A delivery that the stop interrupts finds its database closed. Other failures are retried.
        if (!this.#background.stopping) this.#deps.logger.error({ err: error }, FAILURE);
      },
    );
    this.#underWay.set(id, { userId, host, done });
    return true;
  }

  async #attempt(row: WebhookDeliveriesTable, host: string): Promise<void> {
    const { id, user_id: userId, url, body, next_try_at: seen } = row;
    if (body === null || seen === null) return;
    const tries = row.tries + 1;
    const now = this.#deps.clock.now();
    const leased = await this.#deps.database
      .updateTable('webhook_deliveries')
      .set({ next_try_at: this.#inMs(LEASE_MS), tries, last_try_at: now.toISOString() })
      .where('id', '=', id)
      .where('next_try_at', '=', seen)
      .executeTakeFirst();
    if (leased.numUpdatedRows === 0n) return;
    const signing = await this.#deps.secrets.signing(userId);
    const told =
      signing.length === 0
        ? ({ error: 'secret_missing' } as const)
        : await this.#deps.outside(url, signedHeaders({ id, sentAt: now, body }, signing), body);
    const status = 'status' in told ? told.status : null;
    const error = 'error' in told ? told.error : status === null ? null : refusalOf(status);
    const nameFailed = 'nameFailed' in told && told.nameFailed;
    if (nameFailed) this.#letRest(host);
    const usual = status === GONE ? undefined : PAUSES_MS[tries - 1];
    const pause = usual !== undefined && nameFailed ? Math.max(usual, NAME_REST_MS) : usual;
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

  /** Notes a delivery before its event. Its id names it. */
  async prepare(transaction: AnyTransaction, userId: string, url: string): Promise<string> {
    const id = `msg_${randomUUID()}`;
    await ours(transaction)
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

  /** Makes it due. */
  async schedule(transaction: AnyTransaction, id: string, event: WebhookEvent): Promise<void> {
    await ours(transaction)
      .updateTable('webhook_deliveries')
      .set({ body: JSON.stringify(event), next_try_at: this.#deps.clock.now().toISOString() })
      .where('id', '=', id)
      .execute();
  }

  async forget(transaction: AnyTransaction, id: string): Promise<void> {
    await ours(transaction).deleteFrom('webhook_deliveries').where('id', '=', id).execute();
  }

  /** Forgets what became of those that are over. */
  async forgetAll(ids: readonly string[]): Promise<void> {
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
    return row ? present(row) : null;
  }

  async deliver(): Promise<void> {
    await this.#beginDue();
    while (this.#underWay.size > 0) {
      await Promise.all([...this.#underWay.values()].map(({ done }) => done));
      await this.#beginDue();
    }
  }

  /** The same soon, in the background: for after a transaction that made one due. */
  wake(): void {
    void this.#background.run(() => this.#beginDue());
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
    this.#background.every(POLL_MS, () => this.#beginDue());
  }

  async stop(): Promise<void> {
    await this.#background.stop();
    const late = delay(STOP_PATIENCE_MS, undefined, { ref: false });
    await Promise.race([Promise.all([...this.#underWay.values()].map(({ done }) => done)), late]);
  }
}

/** The compared form: one host has one name, on any port. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : url);

/** Everything but a success is retried: a redirect too, which is not followed. */
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
