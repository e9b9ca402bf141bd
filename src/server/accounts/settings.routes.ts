import type { FastifyInstance } from 'fastify';
import {
  changeEmail,
  changePassword,
  deleteAccount,
  endOtherSessions,
  endSession,
  getAccount,
  listSessions,
  resendVerification,
  takeAccountData,
  verifyEmail,
} from '#contract/calls/accounts';
import { unlinkIdentity } from '#contract/calls/registration';
import { notFound } from '../http/errors.ts';
import { jsonObjectStream } from '../http/json-stream.ts';
import { route } from '../http/route.ts';
import type { AccountRoutesOptions } from './accounts.routes.ts';
import type { PersonalData } from './personal-data.ts';
import type { Sessions } from './sessions.ts';

interface SettingsRoutesOptions extends Pick<AccountRoutesOptions, 'service' | 'browser' | 'addressOf'> {
  sessions: Sessions;
  factsOf: PersonalData;
  /** Their texts one by one, to take away with the facts. */
  textsOf: (userId: string) => AsyncIterable<unknown>;
}

/** What somebody who is signed in may see and change about their account. */
export async function settingsRoutes(app: FastifyInstance, options: SettingsRoutesOptions): Promise<void> {
  const { service, browser, sessions, addressOf, factsOf, textsOf } = options;

  route(app, getAccount, async ({ request }) => service.account(await browser.requirePerson(request)));

  route(app, listSessions, async ({ request }) => ({
    sessions: await sessions.list(await browser.requirePerson(request)),
  }));

  route(app, endOtherSessions, async ({ request }) => {
    await sessions.endOthers(await browser.requirePerson(request));
  });

  route(app, endSession, async ({ request, params }) => {
    if (!(await sessions.end(await browser.requirePerson(request), params.id))) throw notFound();
  });

  route(app, verifyEmail, async ({ request, body }) => {
    await service.verifyEmail(await browser.requirePerson(request), body.token);
  });

  route(app, resendVerification, async ({ request }) => {
    await service.requestVerification(await browser.requirePerson(request), addressOf(request));
  });

  route(app, changePassword, async ({ request, reply, body: { currentPassword, newPassword } }) => {
    const person = await browser.requirePerson(request);
    browser.holdSession(reply, await service.changePassword(person, currentPassword, newPassword));
  });

  route(app, changeEmail, async ({ request, body: { email, currentPassword } }) => {
    const person = await browser.requirePerson(request);
    await service.changeEmail(person, email, currentPassword, addressOf(request));
  });

  route(app, takeAccountData, async ({ request, reply }) => {
    const { userId } = await browser.requirePerson(request);
    return reply
      .header('content-disposition', 'attachment; filename="glyphlift-data.json"')
      .type('application/json; charset=utf-8')
      .send(jsonObjectStream(await factsOf(userId), 'savedTexts', textsOf(userId)));
  });

  route(app, deleteAccount, async ({ request, reply, body: { username, currentPassword } }) => {
    await service.deleteAccount(await browser.requirePerson(request), username, currentPassword);
    await browser.signOut(request, reply);
  });

  route(app, unlinkIdentity, async ({ request, params }) => {
    await service.unlinkIdentity(await browser.requirePerson(request), params.provider);
  });
}
