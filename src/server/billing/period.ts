/** A renewal that is late is forgiven this long: payment providers retry for days. */
export const GRACE_DAYS = 3;

const DAY_MS = 24 * 60 * 60 * 1000;

/** `months` later on the same day of the month, or on the month's last day where it is shorter. All in UTC. */
export function addMonths(date: Date, months: number): Date {
  const result = new Date(date);
  result.setUTCDate(1);
  result.setUTCMonth(result.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(result.getUTCFullYear(), result.getUTCMonth() + 1, 0)).getUTCDate();
  result.setUTCDate(Math.min(date.getUTCDate(), lastDay));
  return result;
}

/**
 * The billing month of `now`, counted from the day the subscription started: it starts on that day of each month, on
 * whatever day a renewal was collected, so that a late payment neither shortens nor lengthens a month.
 */
export function billingMonth(startedAt: Date, now: Date): { start: Date; end: Date } {
  let months =
    (now.getUTCFullYear() - startedAt.getUTCFullYear()) * 12 + now.getUTCMonth() - startedAt.getUTCMonth();
  if (addMonths(startedAt, months) > now) months--;
  months = Math.max(0, months);
  return { start: addMonths(startedAt, months), end: addMonths(startedAt, months + 1) };
}

/** Later ones are final over earlier ones; a payment provider never takes an ending back. */
export const SUBSCRIPTION_STATUSES = ['active', 'cancelled', 'ended'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

export interface SubscriptionPeriod {
  status: SubscriptionStatus;
  periodEnd: Date;
}

/**
 * Merges two readings of one subscription, in either order: an ending stays, and paid periods stay paid. So readings
 * may be repeated, late or out of order without harm.
 */
export function mergePeriods(known: SubscriptionPeriod, read: SubscriptionPeriod): SubscriptionPeriod {
  const rank = (status: SubscriptionStatus) => SUBSCRIPTION_STATUSES.indexOf(status);
  return {
    status: rank(read.status) > rank(known.status) ? read.status : known.status,
    periodEnd: new Date(Math.max(read.periodEnd.getTime(), known.periodEnd.getTime())),
  };
}

/** When premium ends unless something is paid: an active subscription has grace, a cancelled one its paid period. */
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
