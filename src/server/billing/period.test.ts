import { describe, expect, it } from 'vitest';
import { addMonths, billingMonth, isPremium, mergePeriods, type SubscriptionPeriod } from './period.ts';

const utc = (text: string) => new Date(`${text}T10:00:00.000Z`);

describe('a billing month', () => {
  it.each([
    ['2026-01-15', '2026-01-15', '2026-01-15', '2026-02-15'],
    ['2026-01-15', '2026-02-14', '2026-01-15', '2026-02-15'],
    ['2026-01-15', '2026-02-15', '2026-02-15', '2026-03-15'],
    ['2026-01-31', '2026-02-10', '2026-01-31', '2026-02-28'],
    ['2026-01-31', '2026-03-01', '2026-02-28', '2026-03-31'],
    ['2028-01-31', '2028-03-01', '2028-02-29', '2028-03-31'],
    ['2026-11-30', '2027-03-15', '2027-02-28', '2027-03-30'],
    ['2026-05-15', '2026-05-14', '2026-05-15', '2026-06-15'],
  ])('of a subscription from %s contains %s from %s to %s', (startedAt, now, start, end) => {
    expect(billingMonth(utc(startedAt), utc(now))).toEqual({ start: utc(start), end: utc(end) });
  });

  it('starts at the end of the previous one, for years', () => {
    const startedAt = utc('2026-08-31');
    for (let months = 0; months < 40; months++) {
      const { start, end } = billingMonth(startedAt, addMonths(startedAt, months));
      expect(start).toEqual(addMonths(startedAt, months));
      expect(billingMonth(startedAt, end).start).toEqual(end);
    }
  });
});

describe('states of one subscription', () => {
  const readings: SubscriptionPeriod[] = [
    { status: 'active', periodEnd: utc('2026-02-01') },
    { status: 'active', periodEnd: utc('2026-03-01') },
    { status: 'cancelled', periodEnd: utc('2026-03-01') },
    { status: 'cancelled', periodEnd: utc('2026-02-01') },
  ];
  const orders = readings.flatMap((_, index) => [
    [...readings.slice(index), ...readings.slice(0, index)],
    [...readings.slice(index), ...readings.slice(0, index)].reverse(),
  ]);

  it.each(orders)('merge to the same result in any order and number', (...order) => {
    const [first, ...rest] = order as [SubscriptionPeriod, ...SubscriptionPeriod[]];
    const end = [...rest, ...rest, first].reduce(mergePeriods, first);
    expect(end).toEqual({ status: 'cancelled', periodEnd: utc('2026-03-01') });
  });
});

describe('premium', () => {
  it.each([
    ['active', '2026-03-03', true],
    ['active', '2026-03-04', false],
    ['cancelled', '2026-02-28', true],
    ['cancelled', '2026-03-01', false],
    ['ended', '2026-02-01', false],
  ] as const)(
    'of a subscription that is %s and paid until 2026-03-01 is on %s: %s',
    (status, now, premium) => {
      expect(isPremium({ status, periodEnd: utc('2026-03-01') }, utc(now))).toBe(premium);
    },
  );
});
