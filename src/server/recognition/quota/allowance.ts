import type { FastifyRequest } from 'fastify';
import { nextDay } from '#contract/usage';
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
      /** Nothing can be charged to them yet. */
      isNew?: boolean;
      address: AddressGroups;
    }
  | { kind: 'free-user'; id: string; address: AddressGroups }
  | {
      kind: 'premium-user';
      id: string;
      /** The billing month that is running. */
      month: { starts: Date; ends: Date };
    };

export interface AllowanceLimits {
  freeDailyLimit: number;
  premiumMonthlyLimit: number;
  /** How many visitors' limits one address may use up. */
  addressLimitFactor: number;
  /**
   * Milliseconds of recognition a day that an address, or a person who is signed in, may spend without being charged: failed,
   * without text, repeated, and what only looks into a file.
   */
  unpaidMsPerDay: number;
}

/** A premium user's account of unpaid time runs for a month. */
const DAYS_OF_MONTH = 30;

/** A customer's whole IPv6 network may use this many times what one of its parts may. */
const NETWORK_FACTOR = 4;

export interface Allowance {
  /** The subject's own claim: the one that is shown as usage. */
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
    // A visitor is only as lasting as a cookie: their time counts for the address alone.
    ...(subject.kind === 'free-user' && { unpaidMsLimit: limits.unpaidMsPerDay }),
  };
  const perAddress = limits.freeDailyLimit * limits.addressLimitFactor;
  const shared = (holder: string, factor: number): Claim => ({
    holder,
    period: day.name,
    periodEnds: day.ends,
    // An account is not made by throwing a cookie away: only what is unpaid counts for its address.
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

/** Part of an account of unpaid time that previews may use up, so that they leave some to pictures that are read. */
const PREVIEW_SHARE = 1 / 2;
/** And part of it that a single visitor may. */
const ONE_VISITORS_SHARE = 1 / 5;
/** The claims of unpaid time that a preview counts against, each with the ceiling for previews. */
export function previewClaims(subject: Subject, limits: AllowanceLimits, now: Date): Claim[] {
  const { own, claims, period } = allowanceOf(subject, limits, now);
  const ofOwn = limits.unpaidMsPerDay * (period === 'month' ? DAYS_OF_MONTH : 1) * ONE_VISITORS_SHARE;
  return claims.map((claim) => ({
    ...claim,
    unpaidMsLimit: claim === own ? ofOwn : (claim.unpaidMsLimit ?? limits.unpaidMsPerDay) * PREVIEW_SHARE,
  }));
}

export function refusalOf(
  subject: Subject,
  allowance: Allowance,
  refused: { claim: Claim; because: 'used-up' | 'too-much-unpaid-work' },
  now: Date,
): AppError {
  if (refused.because === 'too-much-unpaid-work') {
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

/** Whose quota a request takes from. `premiumMonth`: the current billing month of a premium user. */
export function createSubjectOf({
  browser,
  premiumMonth,
  addressOf,
}: {
  browser: Browser;
  premiumMonth: (userId: string) => Promise<{ starts: Date; ends: Date } | null>;
  addressOf: (request: FastifyRequest) => AddressGroups;
}): (request: FastifyRequest) => Promise<Subject> {
  return async (request) => {
    const caller = await browser.caller(request);
    if (caller.kind === 'visitor') {
      return { kind: 'visitor', id: caller.visitorId, isNew: caller.isNew, address: addressOf(request) };
    }
    const id = caller.kind === 'apiKey' ? caller.userId : caller.user.userId;
    const month = await premiumMonth(id);
    if (month) return { kind: 'premium-user', id, month };
    return { kind: 'free-user', id, address: addressOf(request) };
  };
}
