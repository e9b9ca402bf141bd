import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithPgbouncer } from '../../../../tests/support/server-databases.ts';
import type { Database } from '../../schema.ts';
import { type Claim, createQuota, FREE_REPEATS, type Quota, type Reserved } from './quota.repository.ts';

const NOON = new Date('2026-05-04T12:00:00Z');
const later = (seconds: number) => new Date(NOON.getTime() + seconds * 1000);
const MIDNIGHT = new Date('2026-05-05T00:00:00Z');
const LEASE_ENDS = later(60);

function claim(holder: string, limit: number, more: Partial<Claim> = {}): Claim {
  return { holder, period: '2026-05-04', periodEnds: MIDNIGHT, limit, ...more };
}

function granted(reserved: Reserved) {
  if (!reserved.granted) throw new Error(`refused: ${reserved.reason} for ${reserved.claim.holder}`);
  return reserved.reservation;
}

describeWithPgbouncer('the quota', (testDatabase) => {
  let database: Database;
  let other: Database;
  let quota: Quota;
  let elsewhere: Quota;

  beforeAll(async () => {
    // Two servers start in parallel on an empty database.
    [database, other] = await Promise.all([testDatabase().open(), testDatabase().open()]);
    quota = createQuota(database);
    elsewhere = createQuota(other);
  });
  afterAll(async () => {
    await Promise.all([database.destroy(), other.destroy()]);
  });

  it('never exceeds the limit with fifty parallel requests on two servers', async () => {
    const mine = claim('visitor:fifty', 3);
    granted(await quota.reserve([mine], NOON, LEASE_ENDS));
    granted(await elsewhere.reserve([mine], NOON, LEASE_ENDS));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? quota : elsewhere).reserve([mine], NOON, LEASE_ENDS),
      ),
    );
    expect(answers.filter((answer) => answer.granted)).toHaveLength(1);
    expect(await quota.used(mine, NOON)).toBe(3);
  });

  it('charges all claims or none', async () => {
    const visitor = claim('visitor:both', 3);
    const address = claim('address:both', 1);
    granted(await quota.reserve([visitor, address], NOON, LEASE_ENDS));
    const refused = await quota.reserve([visitor, address], NOON, LEASE_ENDS);
    expect(refused).toEqual({ granted: false, claim: address, reason: 'used-up' });
    expect(await quota.used(visitor, NOON)).toBe(1);
  });

  it('does not deadlock on requests with the same claims in another order', async () => {
    const one = claim('visitor:x', 1000);
    const two = claim('address:y', 1000);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 ? quota : elsewhere).reserve(index % 3 ? [one, two] : [two, one], NOON, LEASE_ENDS),
      ),
    );
    expect(answers.every((answer) => answer.granted)).toBe(true);
  });

  it('counts a committed extraction after its lease has ended', async () => {
    const mine = claim('visitor:commit', 3);
    const reservation = granted(await quota.reserve([mine], NOON, LEASE_ENDS));
    expect(await quota.commit(reservation, later(59))).toBe(true);
    expect(await quota.used(mine, later(3600))).toBe(1);
  });

  it('gives a released extraction back', async () => {
    const mine = claim('visitor:release', 1);
    const reservation = granted(await quota.reserve([mine], NOON, LEASE_ENDS));
    await quota.release(reservation, 0);
    expect(await quota.used(mine, NOON)).toBe(0);
    granted(await quota.reserve([mine], NOON, LEASE_ENDS));
  });

  it('does not take a committed extraction back', async () => {
    const mine = claim('visitor:committed', 1);
    const reservation = granted(await quota.reserve([mine], NOON, LEASE_ENDS));
    await quota.commit(reservation, later(1));
    await quota.release(reservation, 5000);
    expect(await quota.used(mine, later(2))).toBe(1);
  });

  it('releases an extraction when its lease expires, and no longer commits it', async () => {
    const mine = claim('visitor:lease', 1);
    const reservation = granted(await quota.reserve([mine], NOON, LEASE_ENDS));
    expect(await quota.used(mine, later(60))).toBe(0);
    expect(await quota.commit(reservation, later(60))).toBe(false);
    granted(await quota.reserve([mine], later(60), later(120)));
  });

  it('charges an image once per sender, and allows five free repeats', async () => {
    const mine = claim('visitor:same', 2);
    const address = claim('address:same', 100);
    const read = async (picture: string, seconds: number, claims = [mine, address]) => {
      const reservation = granted(
        await (seconds % 2 ? quota : elsewhere).reserve(claims, later(seconds), later(seconds + 60), {
          picture,
        }),
      );
      if (!reservation.alreadyCharged) await quota.commit(reservation, later(seconds));
      return reservation.alreadyCharged;
    };
    expect(await read('a', 0)).toBe(false);
    for (let again = 1; again <= FREE_REPEATS; again += 1) expect(await read('a', again)).toBe(true);
    expect(await quota.used(mine, later(10))).toBe(1);
    expect(await quota.used(address, later(10))).toBe(1);
    expect(await read('a', 10)).toBe(false);
    // A repeat works even with an exhausted quota.
    expect(await quota.reserve([mine, address], later(11), later(71), { picture: 'b' })).toMatchObject({
      granted: false,
      reason: 'used-up',
    });
    expect(await read('a', 12)).toBe(true);
    expect(await read('a', 13, [claim('visitor:not-the-same', 2), address])).toBe(false);
  });

  it('allows repeats only of a charged image, and only in the same period', async () => {
    const mine = claim('visitor:same-later', 5);
    const failed = granted(await quota.reserve([mine], NOON, LEASE_ENDS, { picture: 'a' }));
    const beside = granted(await quota.reserve([mine], NOON, LEASE_ENDS, { picture: 'a' }));
    expect(beside.alreadyCharged).toBe(false);
    await quota.release(failed, 0);
    await quota.release(beside, 0);
    const charged = granted(await quota.reserve([mine], later(1), later(61), { picture: 'a' }));
    expect(charged.alreadyCharged).toBe(false);
    await quota.commit(charged, later(2));
    const tomorrow = { ...mine, period: '2026-05-05', periodEnds: new Date('2026-05-06') };
    expect(
      granted(await quota.reserve([tomorrow], MIDNIGHT, LEASE_ENDS, { picture: 'a' })).alreadyCharged,
    ).toBe(false);
  });

  it('charges the period in which an extraction was reserved', async () => {
    const monday = claim('visitor:midnight', 1);
    const tuesday = claim('visitor:midnight', 1, {
      period: '2026-05-05',
      periodEnds: new Date('2026-05-06'),
    });
    const before = new Date('2026-05-04T23:59:50Z');
    const after = new Date('2026-05-05T00:00:10Z');
    const reservation = granted(await quota.reserve([monday], before, new Date('2026-05-05T00:00:50Z')));
    await quota.forget(after);
    expect(await quota.commit(reservation, after)).toBe(true);
    expect(await quota.used(tuesday, after)).toBe(0);
    expect(await quota.used(monday, after)).toBe(1);
  });

  it('rejects an address at its limit of unpaid work', async () => {
    const address = claim('address:unpaid', 100, { unpaidMsLimit: 10_000 });
    for (const milliseconds of [4000, 5999.6]) {
      const reservation = granted(await quota.reserve([address], NOON, LEASE_ENDS));
      await quota.release(reservation, milliseconds);
    }
    const refused = await quota.reserve([address], NOON, LEASE_ENDS);
    expect(refused).toEqual({ granted: false, claim: address, reason: 'too-much-unpaid-work' });
  });

  it('deletes expired periods, and nothing else', async () => {
    const old = claim('visitor:old', 3);
    const current = claim('visitor:current', 3, { period: '2026-05-06', periodEnds: new Date('2026-05-07') });
    await quota.commit(granted(await quota.reserve([old], NOON, LEASE_ENDS)), later(1));
    const inTwoDays = new Date('2026-05-06T12:00:00Z');
    const lease = new Date('2026-05-06T12:01:00Z');
    await quota.commit(granted(await quota.reserve([current], inTwoDays, lease)), inTwoDays);
    await quota.forget(inTwoDays);
    expect(await quota.used(old, inTwoDays)).toBe(0);
    expect(await quota.used(current, inTwoDays)).toBe(1);
  });

  it('deletes the holders of a day in batches', async () => {
    const many = Array.from({ length: 2_500 }, (_, index) => ({
      holder: `visitor:many-${index}`,
      period: '2026-05-04',
      period_ends: MIDNIGHT.toISOString(),
      unpaid_ms: 0,
    }));
    for (let from = 0; from < many.length; from += 500) {
      await database
        .insertInto('quota_holders')
        .values(many.slice(from, from + 500))
        .execute();
    }
    await quota.forget(MIDNIGHT);
    const left = await database
      .selectFrom('quota_holders')
      .select('holder')
      .where('holder', 'like', 'visitor:many-%')
      .execute();
    expect(left).toEqual([]);
  });
});
