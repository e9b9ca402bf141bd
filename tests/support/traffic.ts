import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, jsonOf, type Outcome } from './http-client.ts';
import { MARKED_TEXT, markedPicture } from './marked-pictures.ts';
import { PASSWORD, PRICE } from './people.ts';

/** Acknowledgments to the clients of an installation, to be compared with its database afterwards. */
export interface Ledger {
  visitors: VisitorRecord[];
  people: PersonRecord[];
}

export interface VisitorRecord {
  visitorId: string;
  /** Acknowledged extractions. */
  counted: number;
  /** Extractions without an answer: each may be counted or not. */
  unknown: number;
}

export interface PersonRecord {
  username: string;
  registered: boolean;
  paid: boolean;
}

/** Number of outcomes by request. */
export type Tally = Record<string, Record<string, number>>;

/** Number of parallel clients by kind. */
export interface People {
  uploading: number;
  registering: number;
  reading: number;
}

interface TrafficOptions {
  /** Ports of the web processes. */
  webs: readonly number[];
  /** Daily limit of a visitor. */
  limit: number;
  /** Part of every picture's comment. */
  mark: string;
  /** Whether the process at this port, or its engine, was killed in this time. */
  webWasKilled: (port: number, from: number, to: number) => boolean;
  engineWasKilled: (from: number, to: number) => boolean;
  /** Whether the engine is paused: an image may time out then. */
  canTimeOut?: boolean;
  onViolation: (what: string) => void;
}

/** How long a client retries with one idempotency key. */
const RETRY_FOR_MS = 25_000;
const PAUSE_MS = 100;
/** The database connection broke during a write: the client got an error, and checks or retries. */
const OUTCOME_UNKNOWN = 'http.outcome_unknown';
/** Upper limit for Retry-After, so that clients send more requests. */
const MAX_WAIT_MS = 1_000;

/**
 * Load generator: visitors who upload, users who register, pay and sign in, and readers of pages, in parallel and without an
 * end. Each records acknowledgments only, and retries unanswered requests. An unexpected answer is a violation.
 */
export class Traffic {
  readonly ledger: Ledger = { visitors: [], people: [] };
  readonly tally: Tally = {};
  /** The longest wait for such an answer. Milliseconds. */
  readonly slowest: Tally = {};
  readonly #options: TrafficOptions;
  readonly #run = randomBytes(3).toString('hex');
  readonly #running: Promise<void>[] = [];
  #stopping = false;
  #people = 0;
  #pictures = 0;
  #turn = 0;

  constructor(options: TrafficOptions) {
    this.#options = options;
  }

  start({ uploading, registering, reading }: People = { uploading: 3, registering: 1, reading: 1 }): void {
    const each = (count: number, life: () => Promise<void>) => {
      for (let at = 0; at < count; at++) this.#running.push(this.#repeat(life));
    };
    each(uploading, () => this.#uploadAll());
    each(registering, () => this.#registerAndPay());
    each(reading, () => this.#read());
  }

  /** Resolves when all clients have finished. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#running);
  }

  /** Retries one image of a new visitor until it is read; resolves with the duration. */
  async timeToRead(timeoutMs: number): Promise<number> {
    const from = performance.now();
    const client = new Client();
    const record: VisitorRecord = { visitorId: '', counted: 0, unknown: 0 };
    for (;;) {
      const key = randomUUID();
      if ((await this.#extract(client, record, key, this.#nextPicture(), 1_500)) === 'counted') break;
      if (performance.now() - from > timeoutMs) {
        this.#options.onViolation(`no picture was read for ${Math.round(timeoutMs / 1000)} s after a kill`);
        break;
      }
      await delay(PAUSE_MS);
    }
    this.#keep(client, record);
    return performance.now() - from;
  }

  #keep(client: Client, record: VisitorRecord): void {
    if (client.visitorId === undefined) return;
    record.visitorId = client.visitorId;
    this.ledger.visitors.push(record);
  }

  async #repeat(life: () => Promise<void>): Promise<void> {
    while (!this.#stopping) await life();
  }

  #nextPicture(): Buffer {
    return markedPicture(`${this.#options.mark} ${++this.#pictures}`);
  }

  /** Round robin, so that a retry reaches another web process if there is one. */
  #web(): number {
    const { webs } = this.#options;
    return webs[this.#turn++ % webs.length] as number;
  }

  #count(what: string, judged: string, { from, to }: Outcome): void {
    this.tally[what] ??= {};
    this.tally[what][judged] = (this.tally[what][judged] ?? 0) + 1;
    this.slowest[what] ??= {};
    this.slowest[what][judged] = Math.max(this.slowest[what][judged] ?? 0, Math.round(to - from));
  }

  async #uploadAll(): Promise<void> {
    const client = new Client();
    const record: VisitorRecord = { visitorId: '', counted: 0, unknown: 0 };
    const usage = await this.#insist('usage', (port) => client.send({ port, path: '/api/usage' }));
    if (!usage || client.visitorId === undefined) return;
    // One more than the limit: the last one must be rejected.
    for (let at = 0; at <= this.#options.limit && !this.#stopping; at++) {
      const outcome = await this.#extract(client, record, randomUUID(), this.#nextPicture(), RETRY_FOR_MS);
      if (outcome === 'used up' && record.counted + record.unknown < this.#options.limit)
        this.#options.onViolation(`refused as used up after ${record.counted} of ${this.#options.limit}`);
    }
    if (record.counted > this.#options.limit)
      this.#options.onViolation(`${record.counted} pictures were read for one visitor`);
    this.#keep(client, record);
  }

  async #extract(
    client: Client,
    record: VisitorRecord,
    key: string,
    picture: Buffer,
    timeoutMs: number,
  ): Promise<'counted' | 'used up' | 'not read'> {
    const until = performance.now() + timeoutMs;
    let open = false;
    for (;;) {
      const port = this.#web();
      const outcome = await client.upload(port, picture, key);
      const judged = this.#judgeUpload(port, outcome);
      this.#count('upload', judged, outcome);
      if (judged === '200') {
        record.counted++;
        return 'counted';
      }
      if (judged === 'used up') {
        if (open) record.unknown++;
        return 'used up';
      }
      if (judged !== 'unsent' && judged !== '503 with Retry-After') open = true;
      if (performance.now() > until || (this.#stopping && !open)) {
        if (open) record.unknown++;
        return 'not read';
      }
      await delay(waitAfter(outcome));
    }
  }

  #judgeUpload(port: number, outcome: Outcome): string {
    const { webWasKilled, engineWasKilled } = this.#options;
    if (outcome.kind === 'unsent') return 'unsent';
    if (outcome.kind === 'broken' && webWasKilled(port, outcome.from, outcome.to))
      return 'broken with its web process';
    if (outcome.kind !== 'answer') {
      this.#options.onViolation(
        `an upload was ${outcome.kind} (${outcome.reason}) by a web process that lives`,
      );
      return outcome.kind;
    }
    const { status } = outcome;
    const body = jsonOf(outcome);
    if (status === 200) {
      if (body?.extractedText !== MARKED_TEXT)
        this.#options.onViolation(`read as ${JSON.stringify(body?.extractedText)}`);
      return '200';
    }
    if (status === 429 && body?.code === 'recognition.quota_used_up') return 'used up';
    if (status === 503 && outcome.headers['retry-after'] && body?.error) return '503 with Retry-After';
    if (body?.code === 'recognition.crashed' && engineWasKilled(outcome.from, outcome.to))
      return '500 with its recognition process';
    if (body?.code === OUTCOME_UNKNOWN) return OUTCOME_UNKNOWN;
    if (status === 504 && body?.code === 'recognition.timed_out' && this.#options.canTimeOut)
      return '504 after its time';
    this.#options.onViolation(`an upload was answered ${status} ${outcome.body.toString().slice(0, 200)}`);
    return String(status);
  }

  /** Retries until the answer has no Retry-After. */
  async #insist(
    what: string,
    ask: (port: number) => Promise<Outcome>,
  ): Promise<{ outcome: Extract<Outcome, { kind: 'answer' }>; isFirstAttempt: boolean } | undefined> {
    let isFirstAttempt = true;
    for (;;) {
      const port = this.#web();
      const outcome = await ask(port);
      if (outcome.kind === 'answer') {
        if (outcome.status !== 503 || !outcome.headers['retry-after']) {
          this.#count(what, String(outcome.status), outcome);
          if (outcome.status >= 500 && jsonOf(outcome)?.code !== OUTCOME_UNKNOWN)
            this.#options.onViolation(`${what}: ${outcome.status} ${outcome.body.toString().slice(0, 200)}`);
          if (outcome.status < 500) return { outcome, isFirstAttempt };
          isFirstAttempt = false;
        } else this.#count(what, '503 with Retry-After', outcome);
      } else if (outcome.kind === 'unsent') {
        this.#count(what, 'unsent', outcome);
      } else {
        isFirstAttempt = false;
        this.#count(what, outcome.kind, outcome);
        if (!this.#options.webWasKilled(port, outcome.from, outcome.to))
          this.#options.onViolation(
            `${what}: ${outcome.kind} (${outcome.reason}) by a web process that lives`,
          );
      }
      if (this.#stopping && outcome.kind !== 'answer' && outcome.kind !== 'unsent') continue;
      if (this.#stopping) return undefined;
      await delay(waitAfter(outcome));
    }
  }

  /** Registers, pays, and signs in again. */
  async #registerAndPay(): Promise<void> {
    const client = new Client();
    const username = `p${this.#run}${++this.#people}`;
    const email = `${username}@example.org`;
    const person: PersonRecord = { username, registered: false, paid: false };
    this.ledger.people.push(person);

    const registered = await this.#insist('register', (port) =>
      client.post(port, '/api/register', { username, email, password: PASSWORD }),
    );
    if (!registered) return;
    if (!this.#expect('register', registered.outcome, [402])) return;
    person.registered = true;

    const paid = await this.#insist('pay', (port) =>
      client.post(port, '/api/payment/paypal', { email, ...PRICE }),
    );
    if (!paid) return;
    // If the first answer was lost, the answer to a retry says that nothing has to be paid.
    if (!this.#expect('pay', paid.outcome, paid.isFirstAttempt ? [200] : [200, 409])) return;
    person.paid = true;

    const signedIn = await this.#insist('sign in', (port) =>
      client.post(port, '/api/login', { username, password: PASSWORD }),
    );
    if (!signedIn || !this.#expect('sign in', signedIn.outcome, [200])) return;
    for (let visit = 0; visit < 3 && !this.#stopping; visit++) {
      const again = await this.#insist('return', (port) => client.send({ port, path: '/api/user' }));
      if (!again || !this.#expect('return', again.outcome, [200])) return;
      const { user } = (jsonOf(again.outcome) ?? {}) as { user?: { isPremium?: boolean } };
      if (!user?.isPremium) this.#options.onViolation(`${username} has paid and is not premium`);
      await delay(PAUSE_MS);
    }
  }

  #expect(what: string, outcome: Extract<Outcome, { kind: 'answer' }>, statuses: readonly number[]): boolean {
    if (statuses.includes(outcome.status)) return true;
    this.#options.onViolation(`${what}: ${outcome.status} ${outcome.body.toString().slice(0, 200)}`);
    return false;
  }

  async #read(): Promise<void> {
    const client = new Client();
    for (const path of ['/', '/blog', '/api/usage']) {
      const port = this.#web();
      const outcome = await client.send({ port, path });
      const killed = outcome.kind !== 'answer' && this.#options.webWasKilled(port, outcome.from, outcome.to);
      const judged =
        outcome.kind === 'answer'
          ? String(outcome.status)
          : killed
            ? 'broken with its web process'
            : outcome.kind;
      this.#count(path, judged, outcome);
      const isExpected = judged === '200' || judged === 'unsent' || killed;
      // A page needs only its web process; a call may fail because of other parts.
      const mayWait =
        path.startsWith('/api') &&
        outcome.kind === 'answer' &&
        outcome.status === 503 &&
        outcome.headers['retry-after'];
      if (!isExpected && !mayWait)
        this.#options.onViolation(
          `${path}: ${judged} ${outcome.kind === 'answer' ? outcome.body.toString().slice(0, 100) : outcome.reason}`,
        );
    }
    await delay(PAUSE_MS);
  }
}

function waitAfter(outcome: Outcome): number {
  const retryAfterMs = outcome.kind === 'answer' ? Number(outcome.headers['retry-after'] ?? 0) * 1000 : 0;
  return Math.min(Math.max(retryAfterMs, PAUSE_MS), MAX_WAIT_MS);
}
