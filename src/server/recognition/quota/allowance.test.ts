import { describe, expect, it } from 'vitest';
import { type Allowance, allowanceOf, refusalOf, type Subject } from './allowance.ts';

const LIMITS = {
  freeDailyLimit: 3,
  premiumMonthlyLimit: 1500,
  addressLimitFactor: 10,
  unpaidMsPerDay: 900_000,
};
const NOW = new Date('2026-12-31T23:30:00Z');

const visitor: Subject = { kind: 'visitor', id: 'v', address: { address: 'a', network: 'n' } };
const freeUser: Subject = { kind: 'free-user', id: 'u', address: { address: 'a' } };
const premium = {
  kind: 'premium-user',
  id: 'u',
  month: { starts: new Date('2026-12-15T08:00:00Z'), ends: new Date('2027-01-15T08:00:00Z') },
} satisfies Subject;

const short = ({ claims }: Allowance) => claims.map(({ holder, limit }) => `${holder} ${limit}`);

describe('the allowance', () => {
  it('of a visitor is three a day, with limits of thirty per address and four times that per network', () => {
    const allowance = allowanceOf(visitor, LIMITS, NOW);
    expect(short(allowance)).toEqual(['visitor:v 3', 'address:a 30', 'network:n 120']);
    expect(allowance.own).toMatchObject({
      period: '2026-12-31',
      periodEnds: new Date('2027-01-01T00:00:00Z'),
    });
  });

  it('of a signed-in free user is three a day, without a limit per address', () => {
    expect(short(allowanceOf(freeUser, LIMITS, NOW))).toEqual(['user:u 3', 'address:a Infinity']);
  });

  it('of a premium user is counted per billing month', () => {
    const allowance = allowanceOf(premium, LIMITS, NOW);
    expect(short(allowance)).toEqual(['premium:u 1500']);
    expect(allowance).toMatchObject({ period: 'month', own: { period: '2026-12-15T08:00:00.000Z' } });
  });
});

describe('a refused extraction', () => {
  const refuse = (
    subject: Subject,
    index: number,
    reason: 'used-up' | 'too-much-unpaid-work' = 'used-up',
  ) => {
    const allowance = allowanceOf(subject, LIMITS, NOW);
    const claim = allowance.claims[index];
    if (!claim) throw new Error('no such claim');
    return refusalOf(subject, allowance, { claim, reason }, NOW);
  };

  it('asks a visitor to sign in, a free user to pay, and a premium user for neither', () => {
    expect(refuse(visitor, 0).details.flags).toEqual({ limitExceeded: true, requiresAuth: true });
    expect(refuse(freeUser, 0).details.flags).toEqual({ limitExceeded: true, requiresPayment: true });
    expect(refuse(premium, 0).details.flags).toEqual({ limitExceeded: true });
    expect(refuse(premium, 0).userMessage).toContain('January 15, 2027');
  });

  it('at the limit of the address has its own message', () => {
    expect(refuse(visitor, 1).userMessage).not.toBe(refuse(visitor, 0).userMessage);
    expect(refuse(visitor, 2).userMessage).toBe(refuse(visitor, 1).userMessage);
  });

  it('at the limit of unpaid work has a Retry-After and no prompt to sign in or pay', () => {
    const error = refuse(visitor, 1, 'too-much-unpaid-work');
    expect(error).toMatchObject({ status: 429, details: { retryAfter: 1800 } });
    expect(error.details.flags).toBeUndefined();
    expect(refuse(freeUser, 0, 'too-much-unpaid-work').details.retryAfter).toBe(1800);
    const ofMonth = refuse(premium, 0, 'too-much-unpaid-work');
    expect(ofMonth).toMatchObject({ code: 'recognition.failed_too_much' });
    expect(ofMonth.details.flags).toBeUndefined();
    expect(ofMonth.details.retryAfter).toBe((premium.month.ends.getTime() - NOW.getTime()) / 1000);
  });
});
