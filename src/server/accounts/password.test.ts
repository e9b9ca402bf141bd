import { expect, it } from 'vitest';
import { createPasswordHasher, refuseCommonPassword } from './password.ts';

it('refuses the most common passwords in any case, and no others', () => {
  for (const common of ['123456', 'password', 'QWERTY', 'iloveyou', 'football']) {
    expect(() => refuseCommonPassword(common), common).toThrow();
  }
  for (const rare of ['harbour lights 7', 'xk7-qqlm', 'naïve café']) {
    expect(() => refuseCommonPassword(rare), rare).not.toThrow();
  }
});

it('keeps passwords as argon2id with 19 MiB and two passes', async () => {
  expect(await createPasswordHasher().hash('harbour lights 7')).toMatch(
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/,
  );
});

it('takes a password for the same however its letters are composed', async () => {
  const hasher = createPasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 });
  const kept = await hasher.hash('caf\u00e9 noir');
  expect(await hasher.matches(kept, 'cafe\u0301 noir')).toBe(true);
  expect(await hasher.matches(kept, 'cafe noir')).toBe(false);
});

it('matches nothing for nobody, and works as long to say so as for a wrong password', async () => {
  const hasher = createPasswordHasher();
  const kept = await hasher.hash('harbour lights 7');
  /** Microseconds of processor time: other programs on the machine do not count. */
  const work = async (hash: string | null) => {
    const before = process.cpuUsage();
    expect(await hasher.matches(hash, 'nobody has this password')).toBe(false);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  await work(null);
  // In turn, so that whatever slows the machine slows both; the middle one, so that a single hiccup says nothing.
  const times = { wrong: [] as number[], unknown: [] as number[] };
  for (let round = 0; round < 9; round++) {
    times.wrong.push(await work(kept));
    times.unknown.push(await work(null));
  }
  const [wrong, unknown] = [times.wrong, times.unknown].map((all) => all.sort((a, b) => a - b)[4]!);
  expect(unknown! / wrong!).toBeGreaterThan(0.5);
  expect(unknown! / wrong!).toBeLessThan(2);
});
