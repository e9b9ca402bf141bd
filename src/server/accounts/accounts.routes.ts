import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { forgotPassword, getUser, login, logout, resetPassword } from '#contract/calls/accounts';
import { route } from '../http/route.ts';
import { secondFactorRequired, signInRequired } from './accounts.errors.ts';
import type { AccountsService } from './accounts.service.ts';
import type { Browser, PublicUserLookup, SignInOptions } from './browser.ts';
import type { User } from './users.repository.ts';

export interface AccountRoutesOptions {
  service: AccountsService;
  browser: Browser;
  findPublicUser: PublicUserLookup;
  /** Signs in a user with a correct password; false if a second factor is required first. */
  continueSignIn: (
    request: FastifyRequest,
    reply: FastifyReply,
    user: User,
    options?: SignInOptions,
  ) => Promise<boolean>;
  ipHashOf: (request: FastifyRequest) => string;
  /** Called after a sign-in by password. */
  signedIn: (userId: string, request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

export async function accountRoutes(app: FastifyInstance, options: AccountRoutesOptions): Promise<void> {
  const { service, browser, findPublicUser, continueSignIn, ipHashOf, signedIn } = options;

  route(app, getUser, async ({ request }) => {
    const { caller } = request;
    const user = caller?.kind === 'user' && (await findPublicUser(caller.user.userId));
    if (!user) throw signInRequired();
    return { user };
  });

  route(app, login, async ({ request, reply, body: { username, password } }) => {
    const person = await service.login(username, password, ipHashOf(request));
    if (!(await continueSignIn(request, reply, person))) throw secondFactorRequired();
    await signedIn(person.id, request, reply);
    const user = await findPublicUser(person.id);
    if (!user) throw signInRequired();
    return { user };
  });

  route(app, logout, async ({ request, reply }) => {
    await browser.signOut(request, reply);
  });

  route(app, forgotPassword, async ({ request, body }) => {
    await service.forgotPassword(body.email, ipHashOf(request));
  });

  route(app, resetPassword, async ({ request, reply, body }) => {
    await service.resetPassword(body, ipHashOf(request));
    await browser.signOut(request, reply);
  });
}
