import { randomInt } from 'node:crypto';
import { proposeUsernames } from '../accounts/username.ts';
import type { Accounts, User } from '../accounts/users.repository.ts';
import type { VerifiedIdentity } from './identity-provider.ts';
import { isUsernameTaken } from './registration.errors.ts';
import type { Registration, Registrations } from './registration.repository.ts';
import type { PaymentOf } from './registration.service.ts';

/**
 * - `known`: the identity belongs to an account, or was linked to the one with the same address
 * - `registered`: a registration that waits for its payment
 * - `pending`: the user has a registration in another browser, with a payment that may still arrive
 * - `payment-unavailable`: a new user, but this server has no payment provider: nothing is stored
 * - `exists`: the address has an account, but provider and account have not both verified it: its owner links it in the
 *   settings
 */
export type IdentityResolution =
  | { kind: 'known'; user: User }
  | { kind: 'registered'; registration: Registration }
  | { kind: 'pending' }
  | { kind: 'payment-unavailable' }
  | { kind: 'exists' };

/** State of the browser that returns from the provider. */
interface CallbackContext {
  /** Id of the registration in this browser, if any. */
  ownRegistrationId: string | undefined;
  /** Id of the registration that the first of several identical requests created. */
  createdId: string | null;
  canPay: boolean;
}

const TRIES = 20;

export async function resolveIdentity(
  identity: VerifiedIdentity,
  { ownRegistrationId, createdId, canPay }: CallbackContext,
  address: string,
  {
    accounts,
    registrations,
    paymentOf,
  }: {
    accounts: Accounts;
    registrations: Registrations;
    paymentOf: PaymentOf;
  },
): Promise<IdentityResolution> {
  const known = await accounts.findByIdentity(identity.provider, identity.subject);
  if (known) return { kind: 'known', user: known };

  const owner = await accounts.findByEmail(identity.email);
  if (owner) {
    // If only one side has verified the address, the other account could belong to someone else.
    const bothVerified = identity.emailVerified && owner.email_verified_at !== null;
    if (bothVerified && (await accounts.link(owner.id, identity))) return { kind: 'known', user: owner };
    return { kind: 'exists' };
  }

  if (!canPay) return { kind: 'payment-unavailable' };
  const { provider, subject, email, emailVerified, name, preferredUsername } = identity;
  // The provider has proven the identity: a registration from another browser continues in this one.
  const pending = await registrations.findByIdentity(provider, subject);
  if (pending && pending.id === createdId) return { kind: 'registered', registration: pending };
  const resumed = pending && pending.id !== ownRegistrationId ? pending : undefined;
  if (resumed) {
    const payment = await paymentOf(resumed.id);
    if (payment === 'pending') return { kind: 'pending' };
    const finished = payment === 'arrived' && (await accounts.findByIdentity(provider, subject));
    if (finished) return { kind: 'known', user: finished };
  }
  let tries = 0;
  for (const username of proposeUsernames({ email, name, preferredUsername }, () =>
    randomInt(1000, 10_000),
  )) {
    try {
      const registration = await registrations.save(
        { username, email, passwordHash: null, identity: { provider, subject, emailVerified }, address },
        ownRegistrationId,
        resumed,
      );
      return { kind: 'registered', registration };
    } catch (error) {
      if (!isUsernameTaken(error) || ++tries === TRIES) throw error;
    }
  }
  throw new Error('no username could be derived');
}
