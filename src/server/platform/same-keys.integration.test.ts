import { afterEach, expect, it } from 'vitest';
import { eventually } from '../../../tests/support/eventually.ts';
import { redisOfThisFile } from '../../../tests/support/redis-of-this-file.ts';
import { createLogger } from './logger.ts';
import { compareKeys } from './same-keys.ts';
import type { Secrets } from './secrets.ts';

const [OLD, NEW, OTHER] = ['old', 'new', 'other'].map((name) => name.padEnd(40, '-')) as [
  string,
  string,
  string,
];
const redis = redisOfThisFile();
const started: (() => void)[] = [];
afterEach(() => {
  for (const stop of started.splice(0)) stop();
});

/** Starts one more web process; what it says of the others. */
async function start(secrets: Partial<Secrets>): Promise<string[]> {
  const lines: string[] = [];
  const logger = createLogger('warn', { write: (line) => void lines.push(JSON.parse(line).msg) });
  const before = await redis.redis.hlen('glyphlift:keys');
  const whole = { cookieKeys: [OLD], cookieKey: undefined, addressKey: OLD, metricsToken: undefined };
  started.push(compareKeys(await redis.link(), { ...whole, ...secrets }, logger));
  await eventually(async () => (await redis.redis.hlen('glyphlift:keys')) > before);
  return lines;
}

it('web processes with the same keys say nothing', async () => {
  expect([await start({}), await start({})]).toEqual([[], []]);
});

it('one that does not know by which key another signs says so, and so does one that hashes addresses otherwise', async () => {
  await start({});
  expect(await start({ cookieKeys: [OTHER] })).toEqual([expect.stringContaining('COOKIE_KEYS')]);
  expect(await start({ cookieKeys: [OTHER, OLD], addressKey: OTHER })).toEqual([
    expect.stringContaining('ADDRESS_KEY'),
  ]);
});

it('while keys are exchanged nothing is said: what signs elsewhere is believed here', async () => {
  await start({ cookieKeys: [], cookieKey: OLD });
  expect(await start({ cookieKeys: [NEW], cookieKey: OLD })).toEqual([]);
  expect(await start({ cookieKeys: [NEW, OLD] })).toEqual([]);
});

it('a process that has ended, or was silent for minutes, is not compared with', async () => {
  await start({ cookieKeys: [OTHER] });
  started.pop()?.();
  await eventually(async () => (await redis.redis.exists('glyphlift:keys')) === 0);
  await redis.redis.hset('glyphlift:keys', 'gone', JSON.stringify({ signs: 'x', addresses: 'y', at: 1 }));
  expect(await start({})).toEqual([]);
});

it('nothing of a key stands in Redis', async () => {
  await start({ cookieKeys: [NEW, OLD], addressKey: OTHER });
  const kept = JSON.stringify(await redis.redis.hgetall('glyphlift:keys'));
  for (const key of [OLD, NEW, OTHER]) expect(kept).not.toContain(key.slice(0, 5));
  expect(await redis.redis.ttl('glyphlift:keys')).toBeGreaterThan(0);
});
