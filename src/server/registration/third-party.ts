import { randomInt } from 'node:crypto';
import { proposeUsernames } from '../accounts/username.ts';
import type { Accounts, User } from '../accounts/users.repository.ts';
import type { ProvenIdentity } from './identity-provider.ts';
import { isUsernameTaken } from './registration.errors.ts';
import type { Registration, Registrations } from './registration.repository.ts';
import type { PaymentOf } from './registration.service.ts';

/**
 * - `known`: the identity belongs to an account, or was linked to the one with the same address
 * - `registered`: a registration that waits for its payment
 * - `pending`: their registration waits in another browser, with a payment that may still arrive
 * - `unpayable`: a new user where nothing can be paid: nothing is stored of them
 * - `exists`: the address has an account, but not both sides have verified it: its owner links it in the settings
 */
export type Arrival =
  | { kind: 'known'; user: User }
  | { kind: 'registered'; registration: Registration }
  | { kind: 'pending' }
  | { kind: 'unpayable' }
  | { kind: 'exists' };

/** The browser that a user arrives with. */
interface CallbackContext {
  /** The registration that it holds. */
  own: string | undefined;
  /** The registration that was made for it when it came with the same answer a moment before. */
  made: string | null;
  canPay: boolean;
}

const TRIES = 20;

export async function welcomeIdentity(
  identity: ProvenIdentity,
  { own, made, canPay }: CallbackContext,
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
): Promise<Arrival> {
  const known = await accounts.findByIdentity(identity.provider, identity.subject);
  if (known) return { kind: 'known', user: known };

  const namesake = await accounts.findByEmail(identity.email);
  if (namesake) {
    // Either side alone could be a stranger's claim to the address.
    const proven = identity.emailVerified && namesake.email_verified_at !== null;
    if (proven && (await accounts.link(namesake.id, identity))) return { kind: 'known', user: namesake };
    return { kind: 'exists' };
  }

  if (!canPay) return { kind: 'unpayable' };
  const { provider, subject, email, emailVerified, name, preferredUsername } = identity;
  // The provider has proven the identity: a registration from another browser continues in this one.
  const waiting = await registrations.findByIdentity(provider, subject);
  if (waiting && waiting.id === made) return { kind: 'registered', registration: waiting };
  const resumed = waiting && waiting.id !== own ? waiting : undefined;
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
      const registration = await registrations.keep(
        { username, email, passwordHash: null, identity: { provider, subject, emailVerified }, address },
        own,
        resumed,
      );
      return { kind: 'registered', registration };
    } catch (error) {
      if (!isUsernameTaken(error) || ++tries === TRIES) throw error;
    }
  }
  throw new Error('no username could be derived');
}
