import type { FastifyRequest } from 'fastify';
import type { Browser } from '../../accounts/browser.ts';
import type { AddressGroups } from '../../http/address.ts';
import type {} from '../../http/caller.ts';
import type { Subject } from './allowance.ts';

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
