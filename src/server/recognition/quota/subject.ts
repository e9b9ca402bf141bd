import type { FastifyRequest } from 'fastify';
import type { Browser } from '../../accounts/browser.ts';
import type { AddressGroups } from '../../http/address.ts';
import type {} from '../../http/program.ts';
import type { Subject } from './allowance.ts';

/** Whose quota a request takes from. `premiumMonth`: the running billing month of somebody who has premium. */
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
    const person = request.apiCaller ?? (await browser.person(request));
    if (!person) {
      const { visitorId: id, isNewVisitor: isNew } = request;
      return { kind: 'visitor', id, isNew, address: addressOf(request) };
    }
    const month = await premiumMonth(person.userId);
    if (month) return { kind: 'premium-user', id: person.userId, month };
    return { kind: 'free-user', id: person.userId, address: addressOf(request) };
  };
}
