import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  forgotPasswordRequestSchema,
  loginRequestSchema,
  type RegistrationPending,
  registerRequestSchema,
  registrationPendingSchema,
  resetPasswordRequestSchema,
} from '#contract/account';
import { API } from '#contract/paths';
import { type User as ShownUser, userResponseSchema } from '#contract/user';
import { readBody } from '../http/body.ts';
import type { Registration } from '../joining/registrations.ts';
import type { Browser } from './browser.ts';
import { registrationUnavailable, secondFactorRequired, signInRequired } from './errors.ts';
import type { AccountsService } from './service.ts';
import type { User } from './users.ts';

export interface AccountRoutesOptions {
  service: AccountsService;
  browser: Browser;
  /** A person as the page shows them; null when there is no such account (any more). */
  present: (userId: string) => Promise<ShownUser | null>;
  /** Signs in somebody whose password is right; false: their account asks for a second factor first. */
  admit: (request: FastifyRequest, reply: FastifyReply, user: User) => Promise<boolean>;
  /** The caller's network address, hashed. */
  addressOf: (request: FastifyRequest) => string;
  /** Whether somebody who registers could pay, and so become a user. */
  canPay: (request: FastifyRequest) => boolean;
}

/** A registration waits: 402, and the browser holds its id. */
export function answerPending(reply: FastifyReply, browser: Browser, registration: Registration) {
  browser.bindRegistration(reply, registration.id);
  const body: RegistrationPending = {
    error: 'Payment required',
    requiresPayment: true,
    email: registration.email,
  };
  return reply.code(402).send(body);
}

export const accountRoutes: FastifyPluginAsyncZod<AccountRoutesOptions> = async (app, options) => {
  const { service, browser, present, admit, addressOf, canPay } = options;
  const visitor = { config: { access: 'visitor' as const } };

  app.get(API.user, { ...visitor, schema: { response: { 200: userResponseSchema } } }, async (request) => {
    const person = await browser.person(request);
    const user = person && (await present(person.userId));
    if (!user) throw signInRequired();
    return { user };
  });

  app.post(
    API.register,
    { ...visitor, schema: { response: { 402: registrationPendingSchema } } },
    async (request, reply) => {
      const input = readBody(registerRequestSchema, request.body);
      if (!canPay(request)) throw registrationUnavailable();
      const registration = await service.register(input, browser.registrationId(request), addressOf(request));
      return answerPending(reply, browser, registration);
    },
  );

  app.post(API.dropRegistration, visitor, async (request, reply) => {
    const id = browser.registrationId(request);
    if (id !== undefined) await service.dropRegistration(id);
    browser.releaseRegistration(reply);
    return {};
  });

  app.post(
    API.login,
    { ...visitor, schema: { response: { 200: userResponseSchema } } },
    async (request, reply) => {
      const { username, password } = readBody(loginRequestSchema, request.body);
      const person = await service.login(username, password, addressOf(request));
      if (!(await admit(request, reply, person))) throw secondFactorRequired();
      // What this browser was to be told of its registration, its owner knows by now.
      if ((await browser.registration(request))?.user_id === person.id) browser.releaseRegistration(reply);
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
