import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { SecondFactorProof } from '#contract/second-factor';
import { createToken, hashToken } from '../../platform/keyring.ts';
import type { Browser, SignInOptions } from '../browser.ts';
import { createOneTimeCookie, type OneTimeCookieTools } from '../one-time-cookie.ts';
import type { Accounts, User } from '../users.repository.ts';
import { signInOver } from './second-factor.errors.ts';
import type { SecondFactorService } from './second-factor.service.ts';

/** A pending sign-in before its second factor. */
const pendingSchema = z.object({
  id: z.string(),
  userId: z.string(),
  /** Hash of the password hash, so that a password change cancels pending sign-ins. */
  password: z.string(),
});
type PendingSignIn = z.infer<typeof pendingSchema>;

export interface SecondFactorSignIn {
  /** Signs in an authenticated user; false if a second factor is required first. */
  continueSignIn(
    request: FastifyRequest,
    reply: FastifyReply,
    user: User,
    options?: SignInOptions,
  ): Promise<boolean>;
  /** Finishes a pending sign-in with a code. Returns the user id. @throws {AppError} 401, 429. */
  finish(request: FastifyRequest, reply: FastifyReply, proof: SecondFactorProof): Promise<string>;
}

interface SecondFactorSignInDependencies extends OneTimeCookieTools {
  service: SecondFactorService;
  browser: Browser;
  accounts: Accounts;
}

const LIFETIME_MS = 10 * 60 * 1000;

export function createSecondFactorSignIn(dependencies: SecondFactorSignInDependencies): SecondFactorSignIn {
  const { service, browser, accounts } = dependencies;
  const cookie = createOneTimeCookie(dependencies, {
    name: 'second-factor',
    content: pendingSchema,
    idOf: ({ id }) => id,
    lifetimeMs: LIFETIME_MS,
  });
  const passwordOf = (user: User) => hashToken(user.password_hash ?? '');

  async function read(request: FastifyRequest): Promise<{ pending: PendingSignIn; user: User }> {
    const pending = cookie.read(request);
    const user = pending && (await accounts.find(pending.userId));
    if (!user || pending.password !== passwordOf(user)) throw signInOver();
    return { pending, user };
  }

  return {
    async continueSignIn(request, reply, user, options) {
      if (!(await service.isOn(user.id))) {
        await browser.signIn(request, reply, user.id, options);
        return true;
      }
      cookie.set(request, reply, { id: createToken(), userId: user.id, password: passwordOf(user) });
      return false;
    },

    async finish(request, reply, proof) {
      const { pending, user } = await read(request);
      if (!(await service.isOn(user.id))) throw signInOver();
      await service.prove(user.id, proof);
      if (!(await cookie.consume(pending))) throw signInOver();
      cookie.clear(reply);
      await browser.signIn(request, reply, user.id);
      return user.id;
    },
  };
}
