import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { SecondFactorProof } from '#contract/second-factor';
import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { createToken, hashToken } from '../../platform/token.ts';
import type { Browser } from '../browser.ts';
import type { Throttle } from '../throttle.ts';
import type { Accounts, User } from '../users.ts';
import { signInOver } from './errors.ts';
import type { SecondFactorService } from './service.ts';

/** A sign-in that waits for its second factor. */
const waitingSchema = z.object({
  id: z.string(),
  userId: z.string(),
  /** The password that was right, as a hash of its hash: another one ends what waits. */
  password: z.string(),
  /** The visitor who has signed in so far. */
  visitor: z.string(),
  until: z.number(),
});
type Waiting = z.infer<typeof waitingSchema>;

export interface SecondFactorSignIn {
  /** Signs in somebody whose password or provider is right; false: the account asks for a second factor first. */
  admit(request: FastifyRequest, reply: FastifyReply, user: User): Promise<boolean>;
  /** Signs in whoever was not admitted before. Their id. @throws {AppError} 401, 429. */
  finish(request: FastifyRequest, reply: FastifyReply, proof: SecondFactorProof): Promise<string>;
}

interface SecondFactorSignInDependencies {
  service: SecondFactorService;
  browser: Browser;
  accounts: Accounts;
  throttle: Throttle;
  keyring: Keyring;
  clock: Clock;
  /** Whether the server is reached by https. */
  secure: boolean;
}

/** How long somebody may look for their code. */
const PATIENCE_MS = 10 * 60 * 1000;

/** Between password and code, the browser holds a signed cookie that is good for this visitor, once, and nothing else. */
export function createSecondFactorSignIn(dependencies: SecondFactorSignInDependencies): SecondFactorSignIn {
  const { service, browser, accounts, throttle, keyring, clock, secure } = dependencies;
  const cookieName = secure ? '__Host-second-factor' : 'second-factor';
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  const passwordOf = (user: User) => hashToken(user.password_hash ?? '');

  async function read(request: FastifyRequest): Promise<{ waiting: Waiting; user: User }> {
    const kept = request.cookies[cookieName];
    const signed = kept ? keyring.verify('second-factor', kept) : undefined;
    if (!signed) throw signInOver();
    const waiting = waitingSchema.parse(JSON.parse(signed.text));
    const user = await accounts.find(waiting.userId);
    const valid =
      user !== undefined &&
      waiting.until > clock.now().getTime() &&
      waiting.visitor === request.visitorId &&
      waiting.password === passwordOf(user);
    if (!valid) throw signInOver();
    return { waiting, user };
  }

  return {
    async admit(request, reply, user) {
      if (!(await service.isOn(user.id))) {
        await browser.signIn(request, reply, user.id);
        return true;
      }
      const waiting: Waiting = {
        id: createToken(),
        userId: user.id,
        password: passwordOf(user),
        visitor: request.visitorId,
        until: clock.now().getTime() + PATIENCE_MS,
      };
      reply.setCookie(cookieName, keyring.sign('second-factor', JSON.stringify(waiting)), {
        ...cookie,
        maxAge: PATIENCE_MS / 1000,
      });
      return false;
    },

    async finish(request, reply, proof) {
      const { waiting, user } = await read(request);
      if (!(await service.isOn(user.id))) throw signInOver();
      await service.prove(user.id, proof);
      const once = { key: `second-factor:sign-in:${hashToken(waiting.id)}`, limit: 1, windowMs: PATIENCE_MS };
      if ((await throttle.spend([once])) !== undefined) throw signInOver();
      reply.clearCookie(cookieName, cookie);
      await browser.signIn(request, reply, user.id);
      return user.id;
    },
  };
}
