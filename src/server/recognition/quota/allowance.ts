import type { FastifyRequest } from 'fastify';
import { nextDay } from '#contract/extraction';
import type { Browser } from '../../accounts/browser.ts';
import type { AddressGroups } from '../../http/address.ts';
import type { AppError } from '../../http/errors.ts';
import {
  addressFailedTooMuch,
  addressUsedUp,
  failedTooMuch,
  premiumQuotaUsedUp,
  quotaUsedUp,
} from '../recognition.errors.ts';
import type { Claim } from './quota.repository.ts';

export type Subject =
  | {
      kind: 'visitor';
      id: string;
      /** Whether this request sets the visitor's cookie, so that nothing can be charged to them yet. */
      isNew?: boolean;
      address: AddressGroups;
    }
  | { kind: 'free-user'; id: string; address: AddressGroups }
  | {
      kind: 'premium-user';
      id: string;
      /** The current billing month. */
      month: { starts: Date; ends: Date };
    };

export interface AllowanceLimits {
  freeDailyLimit: number;
  premiumMonthlyLimit: number;
  /** Limit of an address, as a multiple of a visitor's limit. */
  addressLimitFactor: number;
  /**
   * Uncharged recognition time per day of an address or a signed-in user, in milliseconds: failed and empty extractions,
   * free repeats, previews and page counts.
   */
  unpaidMsPerDay: number;
}

/** A premium user's unpaid time is counted per month. */
const DAYS_OF_MONTH = 30;

/** Limit of a whole IPv6 network (/48), as a multiple of the limit of a /64. */
const NETWORK_FACTOR = 4;

export interface Allowance {
  /** The subject's own claim, which is shown as usage. */
  own: Claim;
  claims: readonly Claim[];
  period: 'day' | 'month';
}

export function allowanceOf(subject: Subject, limits: AllowanceLimits, now: Date): Allowance {
  if (subject.kind === 'premium-user') {
    const own: Claim = {
      holder: `premium:${subject.id}`,
      period: subject.month.starts.toISOString(),
      periodEnds: subject.month.ends,
      limit: limits.premiumMonthlyLimit,
      unpaidMsLimit: limits.unpaidMsPerDay * DAYS_OF_MONTH,
    };
    return { own, claims: [own], period: 'month' };
  }

  const day = utcDay(now);
  const own: Claim = {
    holder: `${subject.kind === 'visitor' ? 'visitor' : 'user'}:${subject.id}`,
    period: day.name,
    periodEnds: day.ends,
    limit: limits.freeDailyLimit,
    // Visitors can delete their cookies, so their unpaid time counts for the address only.
    ...(subject.kind === 'free-user' && { unpaidMsLimit: limits.unpaidMsPerDay }),
  };
  const perAddress = limits.freeDailyLimit * limits.addressLimitFactor;
  const shared = (holder: string, factor: number): Claim => ({
    holder,
    period: day.name,
    periodEnds: day.ends,
    // Users cannot create accounts at will, so only their unpaid time counts for the address.
    limit: subject.kind === 'visitor' ? perAddress * factor : Number.POSITIVE_INFINITY,
    unpaidMsLimit: limits.unpaidMsPerDay * factor,
  });
  const { address, network } = subject.address;
  return {
    own,
    claims: [
      own,
      shared(`address:${address}`, 1),
      ...(network ? [shared(`network:${network}`, NETWORK_FACTOR)] : []),
    ],
    period: 'day',
  };
}

/** Share of the unpaid time that previews may use, so that they leave some for extractions. */
const PREVIEW_SHARE = 1 / 2;
/** Share of the unpaid time that a single visitor may use for previews. */
const SINGLE_VISITOR_SHARE = 1 / 5;
/** The unpaid-time claims of a preview, each with the limit for previews. */
export function previewClaims(subject: Subject, limits: AllowanceLimits, now: Date): Claim[] {
  const { own, claims, period } = allowanceOf(subject, limits, now);
  const ofOwn = limits.unpaidMsPerDay * (period === 'month' ? DAYS_OF_MONTH : 1) * SINGLE_VISITOR_SHARE;
  return claims.map((claim) => ({
    ...claim,
    unpaidMsLimit: claim === own ? ofOwn : (claim.unpaidMsLimit ?? limits.unpaidMsPerDay) * PREVIEW_SHARE,
  }));
}

export function refusalOf(
  subject: Subject,
  allowance: Allowance,
  refused: { claim: Claim; reason: 'used-up' | 'too-much-unpaid-work' },
  now: Date,
): AppError {
  if (refused.reason === 'too-much-unpaid-work') {
    const secondsLeft = (refused.claim.periodEnds.getTime() - now.getTime()) / 1000;
    return refused.claim === allowance.own
      ? failedTooMuch(allowance.period, secondsLeft)
      : addressFailedTooMuch(secondsLeft);
  }
  if (refused.claim !== allowance.own) return addressUsedUp();
  switch (subject.kind) {
    case 'visitor':
      return quotaUsedUp({ requiresAuth: true });
    case 'free-user':
      return quotaUsedUp({ requiresPayment: true });
    case 'premium-user':
      return premiumQuotaUsedUp(refused.claim.periodEnds);
  }
}

/** A day is a UTC day: `2026-01-31`, until the next midnight. */
export function utcDay(now: Date): { name: string; ends: Date } {
  return { name: now.toISOString().slice(0, 10), ends: nextDay(now) };
}

/** The subject whose quota a request uses. `premiumMonth`: the current billing month of a premium user. */
export function createSubjectOf({
  browser,
  premiumMonth,
  addressGroupsOf,
}: {
  browser: Browser;
  premiumMonth: (userId: string) => Promise<{ starts: Date; ends: Date } | null>;
  addressGroupsOf: (request: FastifyRequest) => AddressGroups;
}): (request: FastifyRequest) => Promise<Subject> {
  return async (request) => {
    const caller = await browser.caller(request);
    if (caller.kind === 'visitor') {
      return {
        kind: 'visitor',
        id: caller.visitorId,
        isNew: caller.isNew,
        address: addressGroupsOf(request),
      };
    }
    const id = caller.kind === 'apiKey' ? caller.userId : caller.user.userId;
    const month = await premiumMonth(id);
    if (month) return { kind: 'premium-user', id, month };
    return { kind: 'free-user', id, address: addressGroupsOf(request) };
  };
}
