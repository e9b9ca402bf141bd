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

it('same keys: given web processes with the same keys, logs nothing', async () => {
  expect([await start({}), await start({})]).toEqual([[], []]);
});

it('same keys: given a process whose signing or address key another lacks, logs it', async () => {
  await start({});
  expect(await start({ cookieKeys: [OTHER] })).toEqual([expect.stringContaining('COOKIE_KEYS')]);
  expect(await start({ cookieKeys: [OTHER, OLD], addressKey: OTHER })).toEqual([
    expect.stringContaining('ADDRESS_KEY'),
  ]);
});

it('same keys: given a rotation in progress, logs nothing', async () => {
  await start({ cookieKeys: [], cookieKey: OLD });
  expect(await start({ cookieKeys: [NEW], cookieKey: OLD })).toEqual([]);
  expect(await start({ cookieKeys: [NEW, OLD] })).toEqual([]);
});

it('same keys: given a process that ended or was silent for minutes, ignores it', async () => {
  await start({ cookieKeys: [OTHER] });
  started.pop()?.();
  await eventually(async () => (await redis.redis.exists('glyphlift:keys')) === 0);
  await redis.redis.hset('glyphlift:keys', 'gone', JSON.stringify({ signs: 'x', addresses: 'y', at: 1 }));
  expect(await start({})).toEqual([]);
});

it('same keys: stores no part of a key in Redis', async () => {
  await start({ cookieKeys: [NEW, OLD], addressKey: OTHER });
  const kept = JSON.stringify(await redis.redis.hgetall('glyphlift:keys'));
  for (const key of [OLD, NEW, OTHER]) expect(kept).not.toContain(key.slice(0, 5));
  expect(await redis.redis.ttl('glyphlift:keys')).toBeGreaterThan(0);
});
