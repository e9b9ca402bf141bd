import { describe, expect, it } from 'vitest';
import { eventually } from '../../../../tests/support/eventually.ts';
import { sharedRedis } from '../../../../tests/support/shared-redis.ts';
import { createLogger } from '../../platform/logger.ts';
import { createRedisUploadLimiter } from '../redis/redis-upload-limiter.ts';
import { createUploadLimiter, type UploadLimiter } from './upload-limiter.ts';

const MB = 1024 * 1024;

const kept = sharedRedis();

const own = async (memoryBytes = 512 * MB): Promise<UploadLimiter> => createUploadLimiter({ memoryBytes });

/** The upload limiter of one web process. */
async function shared(memoryBytes?: number): Promise<UploadLimiter> {
  return createRedisUploadLimiter(await own(memoryBytes), await kept.link(), createLogger('silent'));
}

const refusalOf = async (work: () => unknown) => {
  try {
    await work();
  } catch (error) {
    return (error as { code: string }).code;
  }
  return undefined;
};

/** Opens slots one after the other, because the order decides which ones are rejected. */
async function openSlot(
  uploadLimiters: UploadLimiter[],
  count: number,
  whose: (at: number) => [string, string],
) {
  for (let at = 0; at < count; at++) await uploadLimiters[at % uploadLimiters.length]?.openSlot(...whose(at));
}

describe.each([
  ['of one process', own],
  ['that counts over Redis', shared],
])('the upload limiter %s', (_which, open) => {
  it('admits a hundred parallel uploads per address, independent of other addresses', async () => {
    const uploadLimiter = await open();
    await openSlot([uploadLimiter], 100, (at) => [`visitor ${at}`, 'office']);
    expect(await refusalOf(() => uploadLimiter.openSlot('one more', 'office'))).toBe(
      'recognition.too_many_uploads_from_network',
    );
    expect(await refusalOf(() => uploadLimiter.openSlot('stranger', 'elsewhere'))).toBeUndefined();
  });

  it('admits sixty parallel uploads per visitor, from any addresses', async () => {
    const uploadLimiter = await open();
    await openSlot([uploadLimiter], 60, (at) => ['busy', `address ${at}`]);
    expect(await refusalOf(() => uploadLimiter.openSlot('busy', 'home'))).toBe(
      'recognition.too_many_uploads_of_one',
    );
  });

  it('limits the received bytes per visitor, per address and in total', async () => {
    const uploadLimiter = await open(80 * MB);
    const reserveMemory = async (visitor: string, address: string, bytes: number) =>
      (await uploadLimiter.openSlot(visitor, address)).reserveMemory(bytes);
    const mine = await uploadLimiter.openSlot('me', 'office');
    mine.reserveMemory(10 * MB);
    expect(await refusalOf(() => mine.reserveMemory(1))).toBe('recognition.too_many_uploads_of_one');
    await reserveMemory('colleague', 'office', 10 * MB);
    expect(await refusalOf(() => reserveMemory('third', 'office', 1))).toBe(
      'recognition.too_many_uploads_from_network',
    );
    for (let count = 0; count < 6; count++) await reserveMemory(`visitor ${count}`, `${count}`, 10 * MB);
    expect(await refusalOf(() => reserveMemory('last', 'last', 1))).toBe('recognition.too_many_uploads');
  });

  it('frees the bytes of finished uploads', async () => {
    const uploadLimiter = await open(80 * MB);
    const first = await uploadLimiter.openSlot('me', 'office');
    first.reserveMemory(10 * MB);
    first.release();
    first.release();
    await openSlot([uploadLimiter], 58, () => ['me', 'office']);
    const last = await uploadLimiter.openSlot('me', 'office');
    last.reserveMemory(10 * MB);
    expect(await refusalOf(() => last.reserveMemory(1))).toBe('recognition.too_many_uploads_of_one');
    expect(await refusalOf(() => uploadLimiter.openSlot('me', 'office'))).toBeUndefined();
    expect(await refusalOf(() => uploadLimiter.openSlot('me', 'office'))).toBe(
      'recognition.too_many_uploads_of_one',
    );
  });
});

describe('several processes', () => {
  it('count a visitor’s uploads and an address’ together', async () => {
    const both = [await shared(), await shared()];
    await openSlot(both, 60, (at) => ['busy', `address ${at}`]);
    await openSlot(both, 100, (at) => [`visitor ${at}`, 'office']);
    for (const uploadLimiter of both) {
      expect(await refusalOf(() => uploadLimiter.openSlot('busy', 'home'))).toBe(
        'recognition.too_many_uploads_of_one',
      );
      expect(await refusalOf(() => uploadLimiter.openSlot('one more', 'office'))).toBe(
        'recognition.too_many_uploads_from_network',
      );
    }
  });

  it('stop counting the uploads of a killed process within its lease', async () => {
    const [dying, other] = [await shared(), await shared()];
    await openSlot([dying], 60, () => ['busy', 'home']);
    await kept.links[0]?.close();
    const keys = await kept.redis.keys('*');
    expect(keys).toHaveLength(2);
    for (const key of keys) {
      expect(await kept.redis.pttl(key)).toBeGreaterThan(0);
      // The leases expire.
      for (const upload of await kept.redis.zrange(key, 0, -1)) await kept.redis.zadd(key, 1, upload);
    }
    expect(await refusalOf(() => other.openSlot('busy', 'home'))).toBeUndefined();
  });

  it('count separately while Redis is unavailable, and restore shared counts when it is back', async () => {
    const [here, there] = [await shared(), await shared()];
    await openSlot([here], 60, () => ['busy', 'home']);
    await kept.server.kill();
    await eventually(() => kept.links.every((link) => link.unavailableFor() > 0));
    expect(await refusalOf(() => here.openSlot('busy', 'home'))).toBe('recognition.too_many_uploads_of_one');
    expect(await refusalOf(() => there.openSlot('busy', 'home'))).toBeUndefined();
    await kept.server.restart();
    await eventually(() => kept.links.every((link) => link.unavailableFor() === 0));
    // Each process restores its own uploads.
    await eventually(async () => {
      const keys = await kept.redis.keys('*');
      const counts = await Promise.all(keys.map((key) => kept.redis.zcard(key)));
      return keys.length === 2 && Math.min(...counts) >= 60;
    });
    expect(await refusalOf(() => there.openSlot('busy', 'home'))).toBe('recognition.too_many_uploads_of_one');
  });
});
