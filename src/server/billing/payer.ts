import type { FastifyRequest } from 'fastify';
import type { Browser } from '../accounts/browser.ts';
import type { SignedIn } from '../http/caller.ts';
import type { Registration } from '../registration/registration.repository.ts';
import type { RegistrationCookie } from '../registration/registration-cookie.ts';
import type { Beneficiary } from './billing.repository.ts';

/** The payer of a browser: a session takes precedence over a pending registration. */
export type Payer =
  | { kind: 'person'; person: SignedIn }
  | { kind: 'registration'; registration: Registration }
  | { kind: 'none' };

export interface Payers {
  at(request: FastifyRequest): Promise<Payer>;
  /** All accounts and registrations for which this browser may pay. */
  beneficiariesAt(request: FastifyRequest): Promise<Beneficiary[]>;
}

export function createPayers(browser: Browser, registrationCookie: RegistrationCookie): Payers {
  return {
    async at(request) {
      const person = await browser.user(request);
      if (person) return { kind: 'person', person };
      const registration = await registrationCookie.find(request);
      return registration ? { kind: 'registration', registration } : { kind: 'none' };
    },

    async beneficiariesAt(request) {
      const person = await browser.user(request);
      const registration = await registrationCookie.find(request);
      const settled = registrationCookie.completedId(request);
      return [
        ...(settled === undefined ? [] : [{ registrationId: settled }]),
        ...(person ? [{ userId: person.userId }] : []),
        ...(registration ? [{ registrationId: registration.id }] : []),
      ];
    },
  };
}
