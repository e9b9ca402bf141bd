import { describe, expect, it } from 'vitest';
import { eventually } from '../../../tests/support/eventually.ts';
import { redisOfThisFile } from '../../../tests/support/redis-of-this-file.ts';
import { createTestClock } from '../../../tests/support/server-app.ts';
import { createLogger } from '../platform/logger.ts';
import { createRedisWebhookCeiling } from './redis-webhook-ceiling.ts';
import { createWebhookCeiling, type WebhookCeiling } from './webhook-ceiling.ts';

/** What every ceiling for webhooks keeps, of one process or of all; `webhook-ceiling.test.ts` asks a whole server. */

const clock = createTestClock();
const kept = redisOfThisFile();

const own = async () => createWebhookCeiling(clock);

/** As one web process has it. */
async function shared(): Promise<WebhookCeiling> {
  return createRedisWebhookCeiling(await own(), await kept.link(), createLogger('silent'));
}

async function aMinuteGoesBy(): Promise<void> {
  clock.advance(60_000);
  await kept.redis.del('glyphlift:webhooks:window');
}

const statusOf = (event: Promise<unknown>) =>
  event.then(
    () => 200,
    (error) => error.status ?? 400,
  );
const forged = (ceiling: WebhookCeiling, address: string) =>
  statusOf(ceiling.run(address, () => Promise.reject(new Error('forged'))));
const genuine = (ceiling: WebhookCeiling, address: string) =>
  statusOf(ceiling.run(address, () => Promise.resolve('applied')));

/** How often the provider would be asked. */
async function asked(times: number, send: (at: number) => Promise<number>): Promise<number> {
  let count = 0;
  for (let at = 0; at < times; at++) if ((await send(at)) === 400) count++;
  return count;
}

/** An event that is in work until it is ended. */
async function held(ceiling: WebhookCeiling, address: string): Promise<{ end(): Promise<void> }> {
  let finish = () => {};
  let ended: Promise<unknown> = Promise.resolve();
  await new Promise<void>((started, refused) => {
    ended = ceiling.run(address, () => {
      started();
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    ended.catch(refused);
  });
  return {
    async end() {
      finish();
      await ended;
    },
  };
}

describe.each([
  ['of one process', own],
  ['over Redis', shared],
])('a ceiling for webhooks %s', (_which, open) => {
  it('has the provider asked about twenty a minute of one address, and about those of others still', async () => {
    const ceiling = await open();
    expect(await asked(50, () => forged(ceiling, 'attacker'))).toBe(20);
    expect(await forged(ceiling, 'attacker')).toBe(429);
    const error = await ceiling.run('attacker', async () => {}).catch((refused) => refused);
    expect(error.details.retryAfter).toBeGreaterThan(0);
    expect(error.details.retryAfter).toBeLessThanOrEqual(60);
    expect(await genuine(ceiling, 'provider')).toBe(200);
    await aMinuteGoesBy();
    expect(await forged(ceiling, 'attacker')).toBe(400);
  });

  it('has it asked about sixty of strangers, and of one that is none as well', async () => {
    const ceiling = await open();
    expect(await genuine(ceiling, 'provider')).toBe(200);
    expect(await asked(100, (at) => forged(ceiling, `attacker ${at}`))).toBe(60);
    expect(await genuine(ceiling, 'another provider')).toBe(429);
    for (let count = 0; count < 30; count++) expect(await genuine(ceiling, 'provider')).toBe(200);
    expect(await asked(30, () => forged(ceiling, 'provider'))).toBe(20);
  });

  it('lets four of strangers be in work at once, and sixteen of all', async () => {
    const ceiling = await open();
    expect(await genuine(ceiling, 'provider')).toBe(200);
    const strangers = [];
    for (const at of [1, 2, 3, 4]) strangers.push(await held(ceiling, `stranger ${at}`));
    expect(await genuine(ceiling, 'stranger 5')).toBe(503);
    const known = [];
    for (let at = 0; at < 12; at++) known.push(await held(ceiling, 'provider'));
    expect(await genuine(ceiling, 'provider')).toBe(503);
    await known.pop()?.end();
    expect(await genuine(ceiling, 'provider')).toBe(200);
    await Promise.all([...strangers, ...known].map((event) => event.end()));
    expect(await genuine(ceiling, 'stranger 5')).toBe(200);
  });
});

describe('several processes', () => {
  it('have the provider asked no more often than one has, and know what another has proven', async () => {
    const [here, there] = [await shared(), await shared()];
    const eitherOf = (at: number) => (at % 2 ? here : there);
    expect(await genuine(here, 'provider')).toBe(200);
    expect(await asked(50, (at) => forged(eitherOf(at), 'attacker'))).toBe(20);
    expect(await asked(100, (at) => forged(eitherOf(at), `attacker ${at}`))).toBe(40);
    expect(await genuine(there, 'provider')).toBe(200);
    const strangers = [];
    await aMinuteGoesBy();
    for (const at of [1, 2, 3, 4]) strangers.push(await held(eitherOf(at), `stranger ${at}`));
    expect(await genuine(here, 'stranger 5')).toBe(503);
    await Promise.all(strangers.map((event) => event.end()));
  });

  it('give back the places of one that was killed, and leave nothing in Redis that does not expire', async () => {
    const [dying, other] = [await shared(), await shared()];
    expect(await genuine(other, 'provider')).toBe(200);
    for (const at of [1, 2, 3, 4]) await held(dying, `stranger ${at}`);
    await kept.links[0]?.close();
    expect(await genuine(other, 'stranger 5')).toBe(503);
    for (const key of await kept.redis.keys('*')) expect(await kept.redis.pttl(key)).toBeGreaterThan(0);
    // That while, gone by.
    const work = 'glyphlift:webhooks:work';
    for (const event of await kept.redis.zrange(work, 0, -1)) await kept.redis.zadd(work, 1, event);
    expect(await genuine(other, 'stranger 5')).toBe(200);
  });

  it('have a ceiling each while Redis is away', async () => {
    const [here, there] = [await shared(), await shared()];
    await kept.server.kill();
    await eventually(() => kept.links.every((link) => link.awayFor() > 0));
    expect(await asked(30, () => forged(here, 'attacker'))).toBe(20);
    expect(await genuine(there, 'provider')).toBe(200);
    await kept.server.startAgain();
  });
});
