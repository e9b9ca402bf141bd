import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../../../tests/support/server-databases.ts';
import type { Database } from '../../schema.ts';
import { type Claim, createQuota, type Quota, type Reserved } from './quota.repository.ts';

const NOON = new Date('2026-05-04T12:00:00Z');
const later = (seconds: number) => new Date(NOON.getTime() + seconds * 1000);
const LEASE_ENDS = later(60);

const claim = (holder: string, limit: number): Claim => ({
  holder,
  period: '2026-05-04',
  periodEnds: new Date('2026-05-05T00:00:00Z'),
  limit,
});

function granted(reserved: Reserved) {
  if (!reserved.granted) throw new Error(`refused: ${reserved.reason} for ${reserved.claim.holder}`);
  return reserved.reservation;
}

/** Several attempts at one extraction; all but the last were interrupted. */
describeOnBothDatabases('the quota', (testDatabase) => {
  let database: Database;
  let other: Database;
  let quota: Quota;
  let elsewhere: Quota;

  beforeAll(async () => {
    [database, other] = await Promise.all([testDatabase().open(), testDatabase().open()]);
    quota = createQuota(database);
    elsewhere = createQuota(other);
  });
  afterAll(async () => {
    await Promise.all([database.destroy(), other.destroy()]);
  });

  it('lets a retry take over the lease of an attempt whose process died, and charges both once', async () => {
    const mine = claim('visitor:attempts', 1);
    const attempt = { name: 'attempts', since: later(-30) };
    const dead = granted(await quota.reserve([mine], NOON, LEASE_ENDS, { attempt }));
    // At the same moment, and with no other extraction left.
    const alive = granted(await elsewhere.reserve([mine], NOON, LEASE_ENDS, { attempt }));
    expect(await elsewhere.used(mine, NOON)).toBe(1);
    await quota.release(dead, 0);
    expect(await quota.commit(dead, later(1))).toBe(false);
    expect(await elsewhere.commit(alive, later(1))).toBe(true);
    expect(await quota.used(mine, later(1))).toBe(1);
  });

  it('charges nothing for a retry of what was committed a moment ago, and charges a later one again', async () => {
    const mine = claim('visitor:answer-lost', 2);
    const attempt = (seconds: number) => ({ name: 'answer-lost', since: later(seconds - 30) });
    await quota.commit(
      granted(await quota.reserve([mine], NOON, LEASE_ENDS, { attempt: attempt(0) })),
      later(1),
    );
    const again = granted(await elsewhere.reserve([mine], later(2), later(62), { attempt: attempt(2) }));
    expect(again.alreadyCharged).toBe(true);
    expect(await quota.used(mine, later(2))).toBe(1);
    const chargedAgain = granted(
      await quota.reserve([mine], later(40), later(100), { attempt: attempt(40) }),
    );
    expect(chargedAgain.alreadyCharged).toBe(false);
    expect(await quota.commit(chargedAgain, later(41))).toBe(true);
    expect(await quota.used(mine, later(41))).toBe(2);
  });

  it('grants one lease to fifty parallel attempts at one request', async () => {
    const mine = claim('visitor:one-thing', 3);
    const attempt = { name: 'one-thing', since: later(-30) };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? quota : elsewhere).reserve([mine], NOON, LEASE_ENDS, { attempt }),
      ),
    );
    const committed = await Promise.all(answers.map((answer) => quota.commit(granted(answer), later(1))));
    expect(committed.filter(Boolean)).toHaveLength(1);
    expect(await quota.used(mine, later(1))).toBe(1);
  });

  it('releases a lease that may have been committed, unless a retry took it over', async () => {
    const mine = claim('visitor:unsure', 2);
    const attempt = (seconds: number) => ({ name: 'unsure', since: later(seconds - 30) });
    const lost = granted(await quota.reserve([mine], NOON, LEASE_ENDS, { attempt: attempt(0) }));
    await quota.commit(lost, later(1));
    await quota.release(lost, 0, true);
    expect(await quota.used(mine, later(1))).toBe(0);
    const second = granted(await quota.reserve([mine], later(2), later(62), { attempt: attempt(2) }));
    await quota.commit(second, later(3));
    expect(
      granted(await elsewhere.reserve([mine], later(4), later(64), { attempt: attempt(4) })).alreadyCharged,
    ).toBe(true);
    await quota.release(second, 0, true);
    expect(await quota.used(mine, later(4))).toBe(1);
  });
});
