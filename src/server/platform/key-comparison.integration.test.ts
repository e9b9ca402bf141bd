import { afterEach, expect, it } from 'vitest';
import { eventually } from '../../../tests/support/eventually.ts';
import { sharedRedis } from '../../../tests/support/shared-redis.ts';
import { compareKeys } from './key-comparison.ts';
import { createLogger } from './logger.ts';
import type { Secrets } from './secrets.ts';

const [OLD, NEW, OTHER] = ['old', 'new', 'other'].map((name) => name.padEnd(40, '-')) as [
  string,
  string,
  string,
];
const redis = sharedRedis();
const started: (() => void)[] = [];
afterEach(() => {
  for (const stop of started.splice(0)) stop();
});

/** Starts another web process and returns its warnings. */
async function start(secrets: Partial<Secrets>): Promise<string[]> {
  const lines: string[] = [];
  const logger = createLogger('warn', { write: (line) => void lines.push(JSON.parse(line).msg) });
  const before = await redis.redis.hlen('glyphlift:keys');
  const whole = { cookieKeys: [OLD], cookieKey: undefined, addressKey: OLD, metricsToken: undefined };
  started.push(compareKeys(await redis.link(), { ...whole, ...secrets }, logger));
  await eventually(async () => (await redis.redis.hlen('glyphlift:keys')) > before);
  return lines;
}

it('key comparison: given web processes with the same keys, logs nothing', async () => {
  expect([await start({}), await start({})]).toEqual([[], []]);
});

it('key comparison: given processes with different signing or address keys, logs a warning', async () => {
  await start({});
  expect(await start({ cookieKeys: [OTHER] })).toEqual([expect.stringContaining('COOKIE_KEYS')]);
  expect(await start({ cookieKeys: [OTHER, OLD], addressKey: OTHER })).toEqual([
    expect.stringContaining('ADDRESS_KEY'),
  ]);
});

it('key comparison: given a rotation in progress, logs nothing', async () => {
  await start({ cookieKeys: [], cookieKey: OLD });
  expect(await start({ cookieKeys: [NEW], cookieKey: OLD })).toEqual([]);
  expect(await start({ cookieKeys: [NEW, OLD] })).toEqual([]);
});

it('key comparison: ignores a process that ended or that published nothing for minutes', async () => {
  await start({ cookieKeys: [OTHER] });
  started.pop()?.();
  await eventually(async () => (await redis.redis.exists('glyphlift:keys')) === 0);
  await redis.redis.hset('glyphlift:keys', 'gone', JSON.stringify({ signs: 'x', addresses: 'y', at: 1 }));
  expect(await start({})).toEqual([]);
});

it('key comparison: stores no part of a key in Redis', async () => {
  await start({ cookieKeys: [NEW, OLD], addressKey: OTHER });
  const kept = JSON.stringify(await redis.redis.hgetall('glyphlift:keys'));
  for (const key of [OLD, NEW, OTHER]) expect(kept).not.toContain(key.slice(0, 5));
  expect(await redis.redis.ttl('glyphlift:keys')).toBeGreaterThan(0);
});
