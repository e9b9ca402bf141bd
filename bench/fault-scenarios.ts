/** Faults of an installation under load, and the checks during and after them. */
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '../tests/support/http-client.ts';
import type { Installation } from '../tests/support/installation.ts';
import { auditLedger } from '../tests/support/ledger-audit.ts';
import { TEXT_MARKS } from '../tests/support/marked-pictures.ts';
import { type People, type Tally, Traffic } from '../tests/support/traffic.ts';

export interface ScenarioReport {
  name: string;
  /** From the end of the fault until a new visitor's picture was read, by faulty part. Milliseconds. */
  backAfter: Record<string, { times: number; median: number; most: number }>;
  tally: Tally;
  slowest: Tally;
  /** Extractions and paying customers whose acknowledgment was verified in the database. */
  acknowledged: { extractions: number; payments: number };
  /** Extractions without an answer, which may be counted or not. */
  open: number;
  /** Time until `/readyz` named the failed part; null: no part is to be named. Milliseconds. */
  toldAfter: number | null;
  /** Time until no picture was left in Redis; none may ever be on a disk. Milliseconds. */
  cleanAfter: number;
  /** Violations found. */
  wrong: string[];
}

export interface ScenarioOptions {
  say: (line: string) => void;
}

/** As in the free plan. */
const LIMIT = 3;
const BACK_WITHIN_MS = 60_000;
/** Answers stay in Redis for half a minute at most. */
const CLEAN_WITHIN_MS = 40_000;
/** Longest time until a request is refused. */
const REFUSED_WITHIN_MS = 20_000;
const NAMED_WITHIN_MS = 15_000;

interface Victim {
  name: string;
  strike: () => Promise<void> | void;
}

/** Every process of an installation that can be killed, in order. */
function victimsOf(installation: Installation): Victim[] {
  const { webs, readers, postgres, redis } = installation;
  const killing = (one: Installation['webs'][number]): Victim => ({
    name: one.name,
    strike: () => one.kill(),
  });
  if (postgres && redis) {
    const rounds = webs.map((web, at) => [web, readers[at % readers.length] ?? web, postgres, redis]);
    return rounds.flat().map(killing);
  }
  return webs.flatMap((web) => [
    killing(web),
    { name: 'its recognition process', strike: () => installation.killRecognizer(web) },
  ]);
}

/** Kills one process after the other, each as soon as a picture was read after the last one. */
export async function killInTurn(
  name: string,
  installation: Installation,
  { kills, say, people }: ScenarioOptions & { kills: number; people?: People },
): Promise<ScenarioReport> {
  const watch = new Watch(name, installation, { say, ...(people && { people }) });
  const victims = victimsOf(installation);
  for (let at = 0; at < kills; at++) {
    const victim = victims[at % victims.length];
    if (!victim) break;
    // At a random moment of the work in progress.
    await delay(randomInt(200, 1_200));
    await victim.strike();
    const took = await watch.untilRead(victim.name.replace(/ \d+$/, ''));
    say(`  ${at + 1} of ${kills}: ${victim.name}, read again after ${(took / 1000).toFixed(1)} s`);
  }
  return watch.conclude();
}

export interface Outage {
  name: string;
  /** The part that `/readyz` is to name. Without it the service is to continue undisturbed. */
  part?: 'redis' | 'database' | 'engine';
  seconds: number;
  begin: () => Promise<void> | void;
  end: () => Promise<void> | void;
  /** The engine is paused: pictures in progress are aborted after their time limit, and not before. */
  canTimeOut?: boolean;
}

/** Removes a part for a while. */
export async function takeAway(
  outage: Outage,
  installation: Installation,
  { say }: ScenarioOptions,
): Promise<ScenarioReport> {
  const { name, part, seconds, begin, end, canTimeOut } = outage;
  const watch = new Watch(name, installation, { say, ...(canTimeOut && { canTimeOut }) });
  await delay(2_000);
  await begin();
  const began = performance.now();
  while (performance.now() - began < seconds * 1000) {
    await Promise.all([watch.askReadiness(outage, began), watch.openHome(), delay(500)]);
  }
  await end();
  const took = await watch.untilRead('it');
  say(`  ${name}: read again after ${(took / 1000).toFixed(1)} s`);
  return watch.conclude(part);
}

/** The users of one scenario, and the checks of the installation. */
class Watch {
  readonly #name: string;
  readonly #installation: Installation;
  readonly #say: (line: string) => void;
  readonly #mark = `mark-${randomBytes(8).toString('hex')}`;
  readonly #traffic: Traffic;
  readonly #backAfter: Record<string, number[]> = {};
  readonly #wrong: string[] = [];
  #toldAfter: number | null = null;

  constructor(
    name: string,
    installation: Installation,
    { say, people, canTimeOut = false }: ScenarioOptions & { people?: People; canTimeOut?: boolean },
  ) {
    this.#name = name;
    this.#installation = installation;
    this.#say = say;
    const { webPorts, webWasKilled, engineWasKilled } = installation;
    const options = { webs: webPorts, limit: LIMIT, mark: this.#mark, webWasKilled, engineWasKilled };
    this.#traffic = new Traffic({ ...options, canTimeOut, onViolation: (what) => this.#blame(what) });
    this.#traffic.start(people);
  }

  #blame(what: string): void {
    // A repeated violation is listed once.
    if (!this.#wrong.includes(what)) {
      this.#say(`  ! ${this.#name}: ${what}`);
      const failed = this.#installation.webs.flatMap(({ lines }) =>
        lines.filter((line) => line.includes('request failed')).slice(-1),
      );
      if (/\b500\b/.test(what)) for (const line of failed) this.#say(`      ${line.slice(0, 1_500)}`);
    }
    this.#wrong.push(what);
  }

  async untilRead(what: string): Promise<number> {
    const took = await this.#traffic.timeToRead(BACK_WITHIN_MS);
    this.#backAfter[what] = [...(this.#backAfter[what] ?? []), took];
    return took;
  }

  async askReadiness({ part, canTimeOut }: Outage, began: number): Promise<void> {
    const [port = 0] = this.#installation.webPorts;
    const readiness = await this.#installation.readiness(port);
    if (part === undefined) {
      // While an aborted process is replaced, there is no reader.
      if (readiness?.status !== 200 && !canTimeOut)
        this.#blame(`/readyz says ${readiness?.status} ${JSON.stringify(readiness?.parts)}`);
    } else if (readiness?.status === 503 && readiness.parts[part] === 'failed') {
      this.#toldAfter ??= performance.now() - began;
    }
  }

  /** As a first-time visitor. */
  async openHome(): Promise<void> {
    const [port = 0] = this.#installation.webPorts;
    const home = await new Client().send({ port, path: '/', timeoutMs: 10_000 });
    if (home.kind !== 'answer' || home.status !== 200)
      this.#blame(`the home page: ${home.kind === 'answer' ? home.status : home.reason}`);
  }

  async conclude(part?: Outage['part']): Promise<ScenarioReport> {
    const { ledger, tally, slowest } = this.#traffic;
    await this.#traffic.stop();
    await Promise.all([this.#installation.redis, this.#installation.postgres].map((one) => one?.ready()));
    const { query, webs, readers } = this.#installation;
    for (const one of new Set([...webs, ...readers]))
      for (const death of one.unexpectedExits.splice(0)) this.#blame(death);
    for (const wrong of await auditLedger(ledger, { limit: LIMIT, query })) this.#blame(wrong);
    const cleanAfter = await this.#untilClean();
    const refused = slowest.upload?.['503 with Retry-After'] ?? 0;
    if (part && (this.#toldAfter === null || this.#toldAfter > NAMED_WITHIN_MS))
      this.#blame(`/readyz named ${part} after ${this.#toldAfter?.toFixed(0) ?? 'never'} ms`);
    if (part && refused > REFUSED_WITHIN_MS) this.#blame(`a rejection came only after ${refused} ms`);
    return {
      name: this.#name,
      backAfter: Object.fromEntries(
        Object.entries(this.#backAfter).map(([what, times]) => [what, spread(times)]),
      ),
      tally,
      slowest,
      acknowledged: {
        extractions: ledger.visitors.reduce((sum, { counted }) => sum + counted, 0),
        payments: ledger.people.filter(({ paid }) => paid).length,
      },
      open: ledger.visitors.reduce((sum, { unknown }) => sum + unknown, 0),
      toldAfter: this.#toldAfter,
      cleanAfter,
      wrong: this.#wrong,
    };
  }

  async #untilClean(): Promise<number> {
    const from = performance.now();
    for (;;) {
      const places = await this.#installation.find([this.#mark, ...TEXT_MARKS]);
      const took = performance.now() - from;
      if (places.length === 0) return took;
      const onDisk = places.some((place) => !place.startsWith('Redis'));
      if (onDisk || took > CLEAN_WITHIN_MS) {
        for (const place of places) this.#blame(`left behind in ${place}`);
        return took;
      }
      await delay(1_000);
    }
  }
}

function spread(times: readonly number[]) {
  const ordered = [...times].sort((a, b) => a - b);
  return {
    times: ordered.length,
    median: Math.round(ordered[ordered.length >> 1] ?? 0),
    most: Math.round(ordered.at(-1) ?? 0),
  };
}
