import { emailTaken, isTooManyAttempts } from '../accounts/accounts.errors.ts';
import { type PasswordCheck, type PasswordHasher, refuseWeakPassword } from '../accounts/password.ts';
import { HOUR_MS, MINUTE_MS, type RateLimit, type Throttle } from '../accounts/throttle.ts';
import { emailKey, usernameKey } from '../accounts/username.ts';
import type { Accounts } from '../accounts/users.repository.ts';
import { alreadyRegistered, paymentUnderWay, usernameTaken } from './registration.errors.ts';
import type { Registration, Registrations } from './registration.repository.ts';

export type PaymentOf = (registrationId: string) => Promise<'none' | 'pending' | 'arrived'>;

interface RegistrationServiceDependencies {
  accounts: Accounts;
  registrations: Registrations;
  throttle: Throttle;
  hasher: PasswordHasher;
  checkPassword: PasswordCheck;
  paymentOf: PaymentOf;
}

export type RegistrationService = ReturnType<typeof createRegistrationService>;

/** `address`: the caller's hashed network address. */
const limits = {
  register: (ipHash: string): RateLimit[] => [
    { key: `register:address:${ipHash}`, limit: 120, windowMs: HOUR_MS },
  ],
  /** Limits per name, whether it exists or not, so that the limit reveals nothing. */
  resume: (username: string): RateLimit[] => [
    { key: `resume:name:${usernameKey(username)}`, limit: 10, windowMs: 15 * MINUTE_MS },
  ],
};

/** Creates and drops unpaid registrations. */
export function createRegistrationService(dependencies: RegistrationServiceDependencies) {
  const { accounts, registrations, throttle, hasher, checkPassword, paymentOf } = dependencies;

  /**
   * Takes a registration over from another browser, for a caller who knows its address and its password. All other attempts
   * at its name cost the same work and get the same answer. After too many guesses, no password is checked.
   */
  async function resume(
    pending: Registration,
    input: { username: string; email: string; password: string },
    own: string | undefined,
    ipHash: string,
  ): Promise<Registration> {
    const passwordHash = pending.email_key === emailKey(input.email) ? pending.password_hash : null;
    const tried = limits.resume(input.username);
    const isOwner = await checkPassword(tried, passwordHash, input.password).catch((error: unknown) => {
      throw isTooManyAttempts(error) ? usernameTaken() : error;
    });
    if (!isOwner) throw usernameTaken();
    const payment = await paymentOf(pending.id);
    if (payment === 'pending') throw paymentUnderWay();
    if (payment === 'arrived') throw alreadyRegistered();
    const { username, email } = input;
    return registrations.save(
      { username, email, passwordHash: passwordHash, identity: null, address: ipHash },
      own,
      pending,
    );
  }

  return {
    /**
     * Stores a registration until it is paid. `own`: the registration of this browser. A registration that the same person
     * started in another browser is taken over.
     * @throws {AppError} 400 for a weak password, 409 for a taken name or address, 429.
     */
    async register(
      input: { username: string; email: string; password: string },
      own: string | undefined,
      address: string,
    ): Promise<Registration> {
      await throttle.countOrThrow(limits.register(address));
      refuseWeakPassword(input.password, input);
      // Reserving the name checks this again; checking it here first can save the expensive hash.
      if (await accounts.findByEmail(input.email)) throw emailTaken();
      if (await accounts.findByLogin(input.username)) throw usernameTaken();
      const holder = await registrations.findByName(input.username);
      if (holder && holder.id !== own) return resume(holder, input, own, address);
      const passwordHash = await hasher.hash(input.password);
      return registrations.save({ ...input, passwordHash, identity: null, address }, own);
    },

    /** Drops an unpaid registration. @throws {AppError} 409 if its payment has arrived. */
    async dropRegistration(id: string): Promise<void> {
      // If the provider does not answer, no money is lost: a later payment still creates the account.
      const payment = await paymentOf(id).catch(() => 'pending' as const);
      if (payment === 'arrived') throw alreadyRegistered();
      await registrations.drop(id);
    },
  };
}
