import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  accountSchema,
  changeEmailRequestSchema,
  changePasswordRequestSchema,
  deleteAccountRequestSchema,
  sessionsResponseSchema,
  verifyEmailRequestSchema,
} from '#contract/account';
import { API } from '#contract/paths';
import { readBody } from '../http/body.ts';
import { notFound } from '../http/errors.ts';
import { jsonObjectStream } from '../http/json-stream.ts';
import type { PersonalData } from './personal-data.ts';
import type { AccountRoutesOptions } from './routes.ts';
import type { Sessions } from './sessions.ts';

interface SettingsRoutesOptions extends Pick<AccountRoutesOptions, 'service' | 'browser' | 'addressOf'> {
  sessions: Sessions;
  factsOf: PersonalData;
  /** Their texts one by one, to take away with the facts. */
  textsOf: (userId: string) => AsyncIterable<unknown>;
}

/** What somebody who is signed in may see and change about their account. */
export const settingsRoutes: FastifyPluginAsyncZod<SettingsRoutesOptions> = async (app, options) => {
  const { service, browser, sessions, addressOf, factsOf, textsOf } = options;
  const user = { config: { access: 'user' as const } };

  app.get(API.account, { ...user, schema: { response: { 200: accountSchema } } }, async (request) =>
    service.account(await browser.requirePerson(request)),
  );

  app.get(
    API.sessions,
    { ...user, schema: { response: { 200: sessionsResponseSchema } } },
    async (request) => ({ sessions: await sessions.list(await browser.requirePerson(request)) }),
  );

  app.post(API.endSessions, user, async (request) => {
    await sessions.endOthers(await browser.requirePerson(request));
    return {};
  });

  app.delete(
    `${API.sessions}/:id`,
    { ...user, schema: { params: z.object({ id: z.string().max(100) }) } },
    async (request) => {
      const ended = await sessions.end(await browser.requirePerson(request), request.params.id);
      if (!ended) throw notFound();
      return {};
    },
  );

  app.post(API.verifyEmail, user, async (request) => {
    const { token } = readBody(verifyEmailRequestSchema, request.body);
    await service.verifyEmail(await browser.requirePerson(request), token);
    return {};
  });

  app.post(API.resendVerification, user, async (request) => {
    await service.requestVerification(await browser.requirePerson(request), addressOf(request));
    return {};
  });

  app.post(API.changePassword, user, async (request, reply) => {
    const { currentPassword, newPassword } = readBody(changePasswordRequestSchema, request.body);
    const person = await browser.requirePerson(request);
    browser.holdSession(reply, await service.changePassword(person, currentPassword, newPassword));
    return {};
  });

  app.post(API.changeEmail, user, async (request) => {
    const { email, currentPassword } = readBody(changeEmailRequestSchema, request.body);
    const person = await browser.requirePerson(request);
    await service.changeEmail(person, email, currentPassword, addressOf(request));
    return {};
  });

  app.get(API.accountData, user, async (request, reply) => {
    const { userId } = await browser.requirePerson(request);
    return reply
      .header('content-disposition', 'attachment; filename="glyphlift-data.json"')
      .type('application/json; charset=utf-8')
      .send(jsonObjectStream(await factsOf(userId), 'savedTexts', textsOf(userId)));
  });

  app.post(API.deleteAccount, user, async (request, reply) => {
    const { username, currentPassword } = readBody(deleteAccountRequestSchema, request.body);
    await service.deleteAccount(await browser.requirePerson(request), username, currentPassword);
    await browser.signOut(request, reply);
    return {};
  });

  app.delete(
    `${API.identities}/:provider`,
    { ...user, schema: { params: z.object({ provider: z.string().max(50) }) } },
    async (request) => {
      await service.unlinkIdentity(await browser.requirePerson(request), request.params.provider);
      return {};
    },
  );
};
