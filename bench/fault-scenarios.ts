/** Injects faults into an installation under load, and checks it during and after them. */
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '../tests/support/http-client.ts';
import type { Installation } from '../tests/support/installation.ts';
import { auditLedger } from '../tests/support/ledger-audit.ts';
import { TEXT_MARKS } from '../tests/support/marked-pictures.ts';
import { type People, type Tally, Traffic } from '../tests/support/traffic.ts';

export interface ScenarioReport {
  name: string;
  /** Milliseconds from the end of the fault until a new visitor's picture was read, by faulty part. */
  backAfter: Record<string, { times: number; median: number; most: number }>;
  tally: Tally;
  slowest: Tally;
  /** Extractions and paying customers whose acknowledgment was verified in the database. */
  acknowledged: { extractions: number; payments: number };
  /** Extractions without a response, which may or may not be counted. */
  open: number;
  /** Milliseconds until `/readyz` reported the failed part; null if none should be reported. */
  toldAfter: number | null;
  /** Milliseconds until no picture was left in Redis. No picture may ever be on a disk. */
  cleanAfter: number;
  /** Detected violations. */
  wrong: string[];
}

export interface ScenarioOptions {
  say: (line: string) => void;
}

/** Daily limit of the free plan. */
const LIMIT = 3;
const RECOVERY_LIMIT_MS = 60_000;
/** Results stay in Redis for at most half a minute. */
const CLEANUP_LIMIT_MS = 40_000;
/** Maximum time until a request is rejected. */
const REFUSAL_LIMIT_MS = 20_000;
const REPORT_LIMIT_MS = 15_000;

interface KillTarget {
  name: string;
  kill: () => Promise<void> | void;
}

/** The processes of an installation that are killed, in order. */
function killTargetsOf(installation: Installation): KillTarget[] {
  const { webs, readers, postgres, redis } = installation;
  const killing = (one: Installation['webs'][number]): KillTarget => ({
    name: one.name,
    kill: () => one.kill(),
  });
  if (postgres && redis) {
    const rounds = webs.map((web, at) => [web, readers[at % readers.length] ?? web, postgres, redis]);
    return rounds.flat().map(killing);
  }
  return webs.flatMap((web) => [
    killing(web),
    { name: 'its recognition process', kill: () => installation.killRecognizer(web) },
  ]);
}

/** Kills one process after another; waits after each until a picture is read again. */
export async function killInTurn(
  name: string,
  installation: Installation,
  { kills, say, people }: ScenarioOptions & { kills: number; people?: People },
): Promise<ScenarioReport> {
  const watch = new Watch(name, installation, { say, ...(people && { people }) });
  const targets = killTargetsOf(installation);
  for (let at = 0; at < kills; at++) {
    const victim = targets[at % targets.length];
    if (!victim) break;
    // Kills at a random moment while requests are in progress.
    await delay(randomInt(200, 1_200));
    await victim.kill();
    const took = await watch.untilRead(victim.name.replace(/ \d+$/, ''));
    say(`  ${at + 1} of ${kills}: ${victim.name}, read again after ${(took / 1000).toFixed(1)} s`);
  }
  return watch.conclude();
}

export interface Outage {
  name: string;
  /** The part that `/readyz` must report. If absent, the service must continue undisturbed. */
  part?: 'redis' | 'database' | 'engine';
  seconds: number;
  begin: () => Promise<void> | void;
  end: () => Promise<void> | void;
  /** Whether the engine is paused: pictures in progress may be aborted, but only after their time limit. */
  canTimeOut?: boolean;
}

/** Makes a part unavailable for a while. */
export async function runOutage(
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

/** Simulates the users of one scenario and checks the installation. */
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
    this.#traffic = new Traffic({ ...options, canTimeOut, onViolation: (what) => this.#addViolation(what) });
    this.#traffic.start(people);
  }

  #addViolation(what: string): void {
    // Lists a repeated violation once.
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
    const took = await this.#traffic.timeToRead(RECOVERY_LIMIT_MS);
    this.#backAfter[what] = [...(this.#backAfter[what] ?? []), took];
    return took;
  }

  async askReadiness({ part, canTimeOut }: Outage, began: number): Promise<void> {
    const [port = 0] = this.#installation.webPorts;
    const readiness = await this.#installation.readiness(port);
    if (part === undefined) {
      // While an aborted process is replaced, no reader is available.
      if (readiness?.status !== 200 && !canTimeOut)
        this.#addViolation(`/readyz says ${readiness?.status} ${JSON.stringify(readiness?.parts)}`);
    } else if (readiness?.status === 503 && readiness.parts[part] === 'failed') {
      this.#toldAfter ??= performance.now() - began;
    }
  }

  /** Opens the home page as a new visitor. */
  async openHome(): Promise<void> {
    const [port = 0] = this.#installation.webPorts;
    const home = await new Client().send({ port, path: '/', timeoutMs: 10_000 });
    if (home.kind !== 'answer' || home.status !== 200)
      this.#addViolation(`the home page: ${home.kind === 'answer' ? home.status : home.reason}`);
  }

  async conclude(part?: Outage['part']): Promise<ScenarioReport> {
    const { ledger, tally, slowest } = this.#traffic;
    await this.#traffic.stop();
    await Promise.all([this.#installation.redis, this.#installation.postgres].map((one) => one?.ready()));
    const { query, webs, readers } = this.#installation;
    for (const one of new Set([...webs, ...readers]))
      for (const death of one.unexpectedExits.splice(0)) this.#addViolation(death);
    for (const wrong of await auditLedger(ledger, { limit: LIMIT, query })) this.#addViolation(wrong);
    const cleanAfter = await this.#untilClean();
    const refused = slowest.upload?.['503 with Retry-After'] ?? 0;
    if (part && (this.#toldAfter === null || this.#toldAfter > REPORT_LIMIT_MS))
      this.#addViolation(`/readyz named ${part} after ${this.#toldAfter?.toFixed(0) ?? 'never'} ms`);
    if (part && refused > REFUSAL_LIMIT_MS) this.#addViolation(`a rejection came only after ${refused} ms`);
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
      if (onDisk || took > CLEANUP_LIMIT_MS) {
        for (const place of places) this.#addViolation(`left behind in ${place}`);
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
