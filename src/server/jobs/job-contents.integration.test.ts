import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTestClock } from '../../../tests/support/server-app.ts';
import { recognitionOf } from '../../../tests/support/server-engine.ts';
import { sharedRedis } from '../../../tests/support/shared-redis.ts';
import { toExtraction } from '../../answer/answer.ts';
import { createKeyring } from '../platform/keyring.ts';
import { createJobContents, type JobContents } from './job-contents.ts';
import { createRedisJobContents } from './redis-job-contents.ts';
import type { RestartTexts } from './restart-texts.ts';

const kept = sharedRedis();
const keyring = createKeyring({ cookieKeys: ['c'.repeat(32)], cookieKey: undefined });
const MEMORY = 4_000;

const clock = createTestClock();
const noRestart: RestartTexts = {
  put: async () => {},
  find: async () => null,
  forget: async () => {},
  deleteOld: async () => {},
};
const inMemory = async () => createJobContents(clock, { memoryBytes: MEMORY }, noRestart);
const overRedis = async () => createRedisJobContents(await kept.link(), { keyring, memoryBytes: MEMORY });

/** Moves both clocks forward: that of the process and that of Redis. */
async function pass(milliseconds: number): Promise<void> {
  clock.advance(milliseconds);
  await delay(milliseconds);
}

const file = (bytes: number) => ({ name: 'private-name.png', bytes: new Uint8Array(randomBytes(bytes)) });
const PAGE = toExtraction(recognitionOf('Zebra quartz'));
const parsed = (page: Uint8Array | null) => page && JSON.parse(Buffer.from(page).toString());

describe.each([
  ['in memory', inMemory],
  ['over Redis', overRedis],
])('job contents %s', (_where, open: () => Promise<JobContents>) => {
  it('returns what was stored, files as copies', async () => {
    const contents = await open();
    const files = [file(100), file(200)];
    expect(await contents.store('a', 'anna', files)).toBe('stored');
    const second = await contents.file('a', 2);
    expect(Buffer.from(second!)).toEqual(Buffer.from(files[1]!.bytes));
    second?.fill(0);
    expect(Buffer.from((await contents.file('a', 2))!)).toEqual(Buffer.from(files[1]!.bytes));
    expect(await contents.name('a', 1)).toBe('private-name.png');
    await contents.storePage('a', 7, PAGE);
    expect(parsed(await contents.page('a', 7))).toEqual(PAGE);
    expect(await contents.has('a')).toBe(true);
  });

  it('returns null for an unknown or deleted job', async () => {
    const contents = await open();
    await contents.store('a', 'anna', [file(100)]);
    await contents.storePage('a', 1, PAGE);
    await contents.forget('a');
    await contents.storePage('a', 2, PAGE);
    for (const id of ['a', 'b']) {
      const found = [
        await contents.has(id),
        await contents.file(id, 1),
        await contents.name(id, 1),
        await contents.page(id, 1),
        await contents.page(id, 2),
      ];
      expect(found).toEqual([false, null, null, null, null]);
    }
    expect(await contents.usedBytes()).toBe(0);
  });

  it('rejects files over the memory limit, and more than a quarter of it for one user', async () => {
    const contents = await open();
    expect(await contents.store('a', 'anna', [file(600)])).toBe('stored');
    expect(await contents.store('b', 'anna', [file(600)])).toBe('user limit');
    for (const owner of ['ben', 'carl', 'dora']) {
      expect(await contents.store(owner, owner, [file(1_000)])).toBe('stored');
    }
    expect(await contents.store('e', 'emil', [file(900)])).toBe('no memory');
    expect(await contents.usedBytes()).toBe(3_600);
    await contents.forget('a');
    expect(await contents.store('e', 'emil', [file(900)])).toBe('stored');
  });

  it('expires without renewal', async () => {
    const contents = await open();
    await contents.store('a', 'anna', [file(100)]);
    await contents.store('b', 'anna', [file(100)]);
    await contents.storePage('a', 1, PAGE);
    await contents.renewLease(['a', 'never there'], 50);
    await pass(100);
    await contents.deleteExpired();
    expect([await contents.has('a'), await contents.page('a', 1)]).toEqual([false, null]);
    expect(await contents.has('b')).toBe(true);
    expect(await contents.usedBytes()).toBe(100);
  });
});

describe('job contents in Redis', () => {
  it('are found by every web process, with texts and names encrypted', async () => {
    const [here, there] = [await overRedis(), await overRedis()];
    await here.store('a', 'anna', [file(10)]);
    await here.storePage('a', 1, PAGE);
    expect(parsed(await there.page('a', 1))).toEqual(PAGE);
    const contents = await kept.server.contents();
    for (const secret of ['Zebra', 'private-name', 'anna'])
      expect(contents.includes(secret), secret).toBe(false);
    await there.forget('a');
    expect(await kept.redis.keys('glyphlift:jobs:*')).toEqual([]);
  });

  it('leave no key without an expiry except the list of admitted jobs', async () => {
    const contents = await overRedis();
    await contents.store('a', 'anna', [file(10)]);
    await contents.storePage('a', 1, PAGE);
    for (const key of await kept.redis.keys('glyphlift:jobs:1:*:a*')) {
      expect(await kept.redis.pttl(key), key).toBeGreaterThan(0);
    }
  });
});
