import type { FastifyRequest } from 'fastify';
import type { Browser } from '../accounts/browser.ts';
import type { SignedIn } from '../http/caller.ts';
import type { HeldRegistration } from '../registration/held-registration.ts';
import type { Registration } from '../registration/registration.repository.ts';
import type { Beneficiary } from './billing.repository.ts';

/** The payer of a browser: a session takes precedence over a pending registration. */
export type Payer =
  | { kind: 'person'; person: SignedIn }
  | { kind: 'registration'; registration: Registration }
  | { kind: 'none' };

export interface Payers {
  at(request: FastifyRequest): Promise<Payer>;
  /** All payers of this browser: it may have a registration and a session. */
  beneficiariesAt(request: FastifyRequest): Promise<Beneficiary[]>;
}

export function createPayers(browser: Browser, held: HeldRegistration): Payers {
  return {
    async at(request) {
      const person = await browser.user(request);
      if (person) return { kind: 'person', person };
      const registration = await held.find(request);
      return registration ? { kind: 'registration', registration } : { kind: 'none' };
    },

    async beneficiariesAt(request) {
      const person = await browser.user(request);
      const registration = await held.find(request);
      const settled = held.settledId(request);
      return [
        ...(settled === undefined ? [] : [{ registrationId: settled }]),
        ...(person ? [{ userId: person.userId }] : []),
        ...(registration ? [{ registrationId: registration.id }] : []),
      ];
    },
  };
}
