import { describe, expect, it } from 'vitest';
import { eventually } from '../../../../tests/support/eventually.ts';
import { redisOfThisFile } from '../../../../tests/support/redis-of-this-file.ts';
import { createLogger } from '../../platform/logger.ts';
import { createRedisIntake } from '../redis/redis-intake.ts';
import { createIntake, type Intake } from './intake.ts';

const MB = 1024 * 1024;

const kept = redisOfThisFile();

const own = async (memoryBytes = 512 * MB): Promise<Intake> => createIntake({ memoryBytes });

/** The intake of one web process. */
async function shared(memoryBytes?: number): Promise<Intake> {
  return createRedisIntake(await own(memoryBytes), await kept.link(), createLogger('silent'));
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
async function openSlot(intakes: Intake[], count: number, whose: (at: number) => [string, string]) {
  for (let at = 0; at < count; at++) await intakes[at % intakes.length]?.openSlot(...whose(at));
}

describe.each([
  ['of one process', own],
  ['that counts over Redis', shared],
])('the intake of pictures %s', (_which, open) => {
  it('admits a hundred parallel uploads per address, independent of other addresses', async () => {
    const intake = await open();
    await openSlot([intake], 100, (at) => [`visitor ${at}`, 'office']);
    expect(await refusalOf(() => intake.openSlot('one more', 'office'))).toBe(
      'recognition.too_many_uploads_from_network',
    );
    expect(await refusalOf(() => intake.openSlot('stranger', 'elsewhere'))).toBeUndefined();
  });

  it('admits sixty parallel uploads per visitor, from any addresses', async () => {
    const intake = await open();
    await openSlot([intake], 60, (at) => ['busy', `address ${at}`]);
    expect(await refusalOf(() => intake.openSlot('busy', 'home'))).toBe(
      'recognition.too_many_uploads_of_one',
    );
  });

  it('limits the received bytes per visitor, per address and in total', async () => {
    const intake = await open(80 * MB);
    const keep = async (visitor: string, address: string, bytes: number) =>
      (await intake.openSlot(visitor, address)).keep(bytes);
    const mine = await intake.openSlot('me', 'office');
    mine.keep(10 * MB);
    expect(await refusalOf(() => mine.keep(1))).toBe('recognition.too_many_uploads_of_one');
    await keep('colleague', 'office', 10 * MB);
    expect(await refusalOf(() => keep('third', 'office', 1))).toBe(
      'recognition.too_many_uploads_from_network',
    );
    for (let count = 0; count < 6; count++) await keep(`visitor ${count}`, `${count}`, 10 * MB);
    expect(await refusalOf(() => keep('last', 'last', 1))).toBe('recognition.too_many_uploads');
  });

  it('frees the bytes of finished uploads', async () => {
    const intake = await open(80 * MB);
    const first = await intake.openSlot('me', 'office');
    first.keep(10 * MB);
    first.release();
    first.release();
    await openSlot([intake], 58, () => ['me', 'office']);
    const last = await intake.openSlot('me', 'office');
    last.keep(10 * MB);
    expect(await refusalOf(() => last.keep(1))).toBe('recognition.too_many_uploads_of_one');
    expect(await refusalOf(() => intake.openSlot('me', 'office'))).toBeUndefined();
    expect(await refusalOf(() => intake.openSlot('me', 'office'))).toBe(
      'recognition.too_many_uploads_of_one',
    );
  });
});

describe('several processes', () => {
  it('count a visitor’s uploads and an address’ together', async () => {
    const both = [await shared(), await shared()];
    await openSlot(both, 60, (at) => ['busy', `address ${at}`]);
    await openSlot(both, 100, (at) => [`visitor ${at}`, 'office']);
    for (const intake of both) {
      expect(await refusalOf(() => intake.openSlot('busy', 'home'))).toBe(
        'recognition.too_many_uploads_of_one',
      );
      expect(await refusalOf(() => intake.openSlot('one more', 'office'))).toBe(
        'recognition.too_many_uploads_from_network',
      );
    }
  });

  it('soon stop counting the uploads of a killed process', async () => {
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

  it('count for themselves while Redis is away, and restore shared counts when it is back', async () => {
    const [here, there] = [await shared(), await shared()];
    await openSlot([here], 60, () => ['busy', 'home']);
    await kept.server.kill();
    await eventually(() => kept.links.every((link) => link.awayFor() > 0));
    expect(await refusalOf(() => here.openSlot('busy', 'home'))).toBe('recognition.too_many_uploads_of_one');
    expect(await refusalOf(() => there.openSlot('busy', 'home'))).toBeUndefined();
    await kept.server.startAgain();
    await eventually(() => kept.links.every((link) => link.awayFor() === 0));
    // Each process restores its own.
    await eventually(async () => {
      const keys = await kept.redis.keys('*');
      const counts = await Promise.all(keys.map((key) => kept.redis.zcard(key)));
      return keys.length === 2 && Math.min(...counts) >= 60;
    });
    expect(await refusalOf(() => there.openSlot('busy', 'home'))).toBe('recognition.too_many_uploads_of_one');
  });
});
