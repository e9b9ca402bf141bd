import { expect, it } from 'vitest';
import type { AppError } from '../http/errors.ts';
import { createConcurrencyLimiter, createPasswordHasher, refuseWeakPassword } from './password.ts';

const person = { username: 'Zoë.Harbour', email: 'zoe.lights@mail.example' };
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };

it.each([
  [
    'one of the most common ones',
    ['123456', 'password', 'QWERTY', 'iloveyou', 'football', 'ｐａｓｓｗｏｒｄ', 'ＰａｓｓＷｏｒｄ１'],
  ],
  ['username', ['zoë.harbour', 'ZOE\u0308.HARBOUR', 'ｚｏë．ｈａｒｂｏｕｒ']],
  [
    'email address',
    ['zoe.lights@mail.example', 'Zoe.Lights@Mail.example', 'zoe.lights', 'ＺＯＥ．ＬＩＧＨＴＳ'],
  ],
  ['name of this service', ['glyphlift', 'GlyphLift', 'ｇｌｙｐｈｌｉｆｔ']],
])('refuseWeakPassword: rejects the %s in any case and width', (what, passwords) => {
  for (const password of passwords) {
    const refusal = expect.objectContaining<Partial<AppError>>({
      userMessage: expect.stringContaining(what) as string,
    });
    expect(() => refuseWeakPassword(password, person), password).toThrow(refusal as Error);
  }
});

it.each(['harbour lights 7', 'xk7-qqlm', 'naïve café', 'zoë.harbour 7', 'glyphlifting'])(
  'refuseWeakPassword: accepts %j',
  (rare) => {
    expect(() => refuseWeakPassword(rare, person)).not.toThrow();
  },
);

it('refuseWeakPassword: accepts a password that contains a very short username', () => {
  expect(() =>
    refuseWeakPassword('harbour lights 7', { username: 'zo', email: 'z@mail.example' }),
  ).not.toThrow();
});

it('createPasswordHasher: given a full queue, rejects with Retry-After', async () => {
  const hasher = createPasswordHasher(CHEAP, { concurrency: 2, maxQueued: 8 });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 30 }, () => hasher.hash('harbour lights 7')),
  );
  expect(outcomes.map(({ status }) => status)).toEqual([
    ...Array<string>(10).fill('fulfilled'),
    ...Array<string>(20).fill('rejected'),
  ]);
  const [refused] = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as AppError] : []));
  expect(refused).toMatchObject({ status: 503, details: { retryAfter: expect.any(Number) as number } });
  await expect(hasher.hash('harbour lights 7')).resolves.toContain('argon2id');
});

it('createPasswordHasher: queues comparisons together with hashes', async () => {
  const hasher = createPasswordHasher(CHEAP, { concurrency: 1, maxQueued: 1 });
  const kept = await hasher.hash('harbour lights 7');
  const outcomes = await Promise.allSettled([
    hasher.matches(kept, 'harbour lights 7'),
    hasher.matches(null, 'nobody has this password'),
    hasher.matches(kept, 'a third one'),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
});

it('createPasswordHasher: hashes with argon2id, 19 MiB and two passes', async () => {
  expect(await createPasswordHasher().hash('harbour lights 7')).toMatch(
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/,
  );
});

it('createPasswordHasher: matches another Unicode composition of the same password', async () => {
  const hasher = createPasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 });
  const kept = await hasher.hash('caf\u00e9 noir');
  expect(await hasher.matches(kept, 'cafe\u0301 noir')).toBe(true);
  expect(await hasher.matches(kept, 'cafe noir')).toBe(false);
});

it('createPasswordHasher: given no stored hash, rejects and takes as long as for a wrong password', async () => {
  const hasher = createPasswordHasher();
  const kept = await hasher.hash('harbour lights 7');
  /** Processor time in microseconds, independent of other programs. */
  const work = async (hash: string | null) => {
    const before = process.cpuUsage();
    expect(await hasher.matches(hash, 'nobody has this password')).toBe(false);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  await work(null);
  // Alternating, so that load affects both; the median ignores outliers.
  const times = { wrong: [] as number[], unknown: [] as number[] };
  for (let round = 0; round < 9; round++) {
    times.wrong.push(await work(kept));
    times.unknown.push(await work(null));
  }
  const [wrong, unknown] = [times.wrong, times.unknown].map((all) => all.sort((a, b) => a - b)[4]!);
  expect(unknown! / wrong!).toBeGreaterThan(0.5);
  expect(unknown! / wrong!).toBeLessThan(2);
});

/** Work that ends when the test calls `endOne`. */
function createWork() {
  let ended = 0;
  const running: Array<() => void> = [];
  return {
    work: () => new Promise<number>((resolve) => running.push(() => resolve(++ended))),
    running,
    endOne: () => running.shift()?.(),
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('createConcurrencyLimiter: given more work than its limit, runs the queued work in order', async () => {
  const limited = createConcurrencyLimiter({
    concurrency: 2,
    maxQueued: 10,
    queueFull: () => new Error('full'),
  });
  const { work, running, endOne } = createWork();
  const results = [1, 2, 3, 4, 5].map(() => limited(work));
  for (const expected of [2, 2, 2, 2, 1]) {
    expect(running).toHaveLength(expected);
    endOne();
    await settled();
  }
  expect(await Promise.all(results)).toEqual([1, 2, 3, 4, 5]);
});

it('createConcurrencyLimiter: given a full queue, rejects work until a slot is free', async () => {
  const limited = createConcurrencyLimiter({
    concurrency: 1,
    maxQueued: 1,
    queueFull: () => new Error('full'),
  });
  const { work, endOne } = createWork();
  const first = limited(work);
  const second = limited(work);
  await expect(limited(work)).rejects.toThrow('full');
  endOne();
  await first;
  const third = limited(work);
  endOne();
  await second;
  endOne();
  await expect(third).resolves.toBe(3);
});

it('createConcurrencyLimiter: given work that fails, continues with the next', async () => {
  const limited = createConcurrencyLimiter({
    concurrency: 1,
    maxQueued: 1,
    queueFull: () => new Error('full'),
  });
  const failing = limited(() => Promise.reject(new Error('broken')));
  const next = limited(async () => 'fine');
  await expect(failing).rejects.toThrow('broken');
  await expect(next).resolves.toBe('fine');
});
