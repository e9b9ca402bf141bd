import { describe, expect, it } from 'vitest';
import { eventually } from '../../../tests/support/eventually.ts';
import { createTestClock } from '../../../tests/support/server-app.ts';
import { sharedRedis } from '../../../tests/support/shared-redis.ts';
import { createLogger } from '../platform/logger.ts';
import { createRedisWebhookLimiter } from './redis-webhook-limiter.ts';
import { createWebhookLimiter, type WebhookLimiter } from './webhook-limiter.ts';

/** The limits of one process and of several; `webhook-limiter.integration.test.ts` tests a whole server. */

const clock = createTestClock();
const kept = sharedRedis();

const own = async () => createWebhookLimiter(clock);

/** The ceiling of one web process. */
async function shared(): Promise<WebhookLimiter> {
  return createRedisWebhookLimiter(await own(), await kept.link(), createLogger('silent'));
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
const forged = (limiter: WebhookLimiter, address: string) =>
  statusOf(limiter.run(address, () => Promise.reject(new Error('forged'))));
const genuine = (limiter: WebhookLimiter, address: string) =>
  statusOf(limiter.run(address, () => Promise.resolve('applied')));

/** Number of calls to the provider. */
async function asked(times: number, send: (at: number) => Promise<number>): Promise<number> {
  let count = 0;
  for (let at = 0; at < times; at++) if ((await send(at)) === 400) count++;
  return count;
}

/** An event in progress until the test ends it. */
async function registrationCookie(
  limiter: WebhookLimiter,
  address: string,
): Promise<{ end(): Promise<void> }> {
  let finish = () => {};
  let ended: Promise<unknown> = Promise.resolve();
  await new Promise<void>((started, refused) => {
    ended = limiter.run(address, () => {
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
  it('allows twenty failed events a minute per address, independent of other addresses', async () => {
    const limiter = await open();
    expect(await asked(50, () => forged(limiter, 'attacker'))).toBe(20);
    expect(await forged(limiter, 'attacker')).toBe(429);
    const error = await limiter.run('attacker', async () => {}).catch((refused) => refused);
    expect(error.details.retryAfter).toBeGreaterThan(0);
    expect(error.details.retryAfter).toBeLessThanOrEqual(60);
    expect(await genuine(limiter, 'provider')).toBe(200);
    await aMinuteGoesBy();
    expect(await forged(limiter, 'attacker')).toBe(400);
  });

  it('allows sixty failed events of all unproven addresses, and further ones of a proven address', async () => {
    const limiter = await open();
    expect(await genuine(limiter, 'provider')).toBe(200);
    expect(await asked(100, (at) => forged(limiter, `attacker ${at}`))).toBe(60);
    expect(await genuine(limiter, 'another provider')).toBe(429);
    for (let count = 0; count < 30; count++) expect(await genuine(limiter, 'provider')).toBe(200);
    expect(await asked(30, () => forged(limiter, 'provider'))).toBe(20);
  });

  it('allows four parallel events of unproven addresses, and sixteen in total', async () => {
    const limiter = await open();
    expect(await genuine(limiter, 'provider')).toBe(200);
    const unproven = [];
    for (const at of [1, 2, 3, 4]) unproven.push(await registrationCookie(limiter, `unproven ${at}`));
    expect(await genuine(limiter, 'unproven 5')).toBe(503);
    const known = [];
    for (let at = 0; at < 12; at++) known.push(await registrationCookie(limiter, 'provider'));
    expect(await genuine(limiter, 'provider')).toBe(503);
    await known.pop()?.end();
    expect(await genuine(limiter, 'provider')).toBe(200);
    await Promise.all([...unproven, ...known].map((event) => event.end()));
    expect(await genuine(limiter, 'unproven 5')).toBe(200);
  });
});

describe('several processes', () => {
  it('share the limits and the proven addresses', async () => {
    const [here, there] = [await shared(), await shared()];
    const eitherOf = (at: number) => (at % 2 ? here : there);
    expect(await genuine(here, 'provider')).toBe(200);
    expect(await asked(50, (at) => forged(eitherOf(at), 'attacker'))).toBe(20);
    expect(await asked(100, (at) => forged(eitherOf(at), `attacker ${at}`))).toBe(40);
    expect(await genuine(there, 'provider')).toBe(200);
    const unproven = [];
    await aMinuteGoesBy();
    for (const at of [1, 2, 3, 4]) unproven.push(await registrationCookie(eitherOf(at), `unproven ${at}`));
    expect(await genuine(here, 'unproven 5')).toBe(503);
    await Promise.all(unproven.map((event) => event.end()));
  });

  it('free the places of a killed process, and leave no key without an expiry', async () => {
    const [dying, other] = [await shared(), await shared()];
    expect(await genuine(other, 'provider')).toBe(200);
    for (const at of [1, 2, 3, 4]) await registrationCookie(dying, `unproven ${at}`);
    await kept.links[0]?.close();
    expect(await genuine(other, 'unproven 5')).toBe(503);
    for (const key of await kept.redis.keys('*')) expect(await kept.redis.pttl(key)).toBeGreaterThan(0);
    // The leases expire.
    const work = 'glyphlift:webhooks:work';
    for (const event of await kept.redis.zrange(work, 0, -1)) await kept.redis.zadd(work, 1, event);
    expect(await genuine(other, 'unproven 5')).toBe(200);
  });

  it('each have their own limits while Redis is unavailable', async () => {
    const [here, there] = [await shared(), await shared()];
    await kept.server.kill();
    await eventually(() => kept.links.every((link) => link.unavailableFor() > 0));
    expect(await asked(30, () => forged(here, 'attacker'))).toBe(20);
    expect(await genuine(there, 'provider')).toBe(200);
    await kept.server.restart();
  });
});
