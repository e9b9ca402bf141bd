import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  forgotPasswordRequestSchema,
  loginRequestSchema,
  resetPasswordRequestSchema,
} from '#contract/account';
import { API } from '#contract/paths';
import { userResponseSchema } from '#contract/user';
import { readBody } from '../http/body.ts';
import type { Browser } from './browser.ts';
import { secondFactorRequired, signInRequired } from './errors.ts';
import type { AccountsService } from './service.ts';
import type { Present } from './shown-person.ts';
import type { User } from './users.ts';

export interface AccountRoutesOptions {
  service: AccountsService;
  browser: Browser;
  present: Present;
  /** Signs in somebody whose password is right; false: their account asks for a second factor first. */
  admit: (request: FastifyRequest, reply: FastifyReply, user: User) => Promise<boolean>;
  /** The caller's network address, hashed. */
  addressOf: (request: FastifyRequest) => string;
  /** What else is to be done once somebody has signed in by their password. */
  signedIn: (userId: string, request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

export const accountRoutes: FastifyPluginAsyncZod<AccountRoutesOptions> = async (app, options) => {
  const { service, browser, present, admit, addressOf, signedIn } = options;
  const visitor = { config: { access: 'visitor' as const } };

  app.get(API.user, { ...visitor, schema: { response: { 200: userResponseSchema } } }, async (request) => {
    const person = await browser.person(request);
    const user = person && (await present(person.userId));
    if (!user) throw signInRequired();
    return { user };
  });

  app.post(
    API.login,
    { ...visitor, schema: { response: { 200: userResponseSchema } } },
    async (request, reply) => {
      const { username, password } = readBody(loginRequestSchema, request.body);
      const person = await service.login(username, password, addressOf(request));
      if (!(await admit(request, reply, person))) throw secondFactorRequired();
      await signedIn(person.id, request, reply);
      const user = await present(person.id);
      if (!user) throw signInRequired();
      return { user };
    },
  );

  app.post(API.logout, visitor, async (request, reply) => {
    await browser.signOut(request, reply);
    return {};
  });

  app.post(API.forgotPassword, visitor, async (request) => {
    const { email } = readBody(forgotPasswordRequestSchema, request.body);
    await service.forgotPassword(email, addressOf(request));
    return {};
  });

  app.post(API.resetPassword, visitor, async (request, reply) => {
    const { token, password } = readBody(resetPasswordRequestSchema, request.body);
    await service.resetPassword(token, password, addressOf(request));
    await browser.signOut(request, reply);
    return {};
  });
};
