/** Grace period of a late renewal, because payment providers retry for days. */
export const GRACE_DAYS = 3;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The same day of the month `months` later, or the last day of a shorter month. All in UTC. */
export function addMonths(date: Date, months: number): Date {
  const result = new Date(date);
  result.setUTCDate(1);
  result.setUTCMonth(result.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(result.getUTCFullYear(), result.getUTCMonth() + 1, 0)).getUTCDate();
  result.setUTCDate(Math.min(date.getUTCDate(), lastDay));
  return result;
}

/**
 * The billing month of `now`, counted from the start day of the subscription. It does not depend on the day of a renewal,
 * so a late payment neither shortens nor lengthens a month.
 */
export function billingMonth(startedAt: Date, now: Date): { start: Date; end: Date } {
  let months =
    (now.getUTCFullYear() - startedAt.getUTCFullYear()) * 12 + now.getUTCMonth() - startedAt.getUTCMonth();
  if (addMonths(startedAt, months) > now) months--;
  months = Math.max(0, months);
  return { start: addMonths(startedAt, months), end: addMonths(startedAt, months + 1) };
}

/** Ordered: later states are final over earlier ones, because providers never undo an end. */
export const SUBSCRIPTION_STATUSES = ['active', 'cancelled', 'ended'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export interface SubscriptionPeriod {
  status: SubscriptionStatus;
  periodEnd: Date;
}

/**
 * Merges two states of one subscription, in either order: an end stays, and paid periods stay paid. So states may be
 * repeated, late or out of order.
 */
export function mergePeriods(known: SubscriptionPeriod, next: SubscriptionPeriod): SubscriptionPeriod {
  const rank = (status: SubscriptionStatus) => SUBSCRIPTION_STATUSES.indexOf(status);
  return {
    status: rank(next.status) > rank(known.status) ? next.status : known.status,
    periodEnd: new Date(Math.max(next.periodEnd.getTime(), known.periodEnd.getTime())),
  };
}

/** When premium ends without a further payment: after the grace period if active, after the paid period if cancelled. */
export function premiumUntil({ status, periodEnd }: SubscriptionPeriod): Date | undefined {
  switch (status) {
    case 'active':
      return new Date(periodEnd.getTime() + GRACE_DAYS * DAY_MS);
    case 'cancelled':
      return periodEnd;
    case 'ended':
      return undefined;
  }
}

export function isPremium(period: SubscriptionPeriod, now: Date): boolean {
  const until = premiumUntil(period);
  return until !== undefined && now < until;
}
