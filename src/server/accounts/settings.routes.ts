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
import { jsonObjectStream, route } from '../http/route.ts';
import type { AccountRoutesOptions } from './accounts.routes.ts';
import { requireUser } from './browser.ts';
import type { PersonalData } from './personal-data.ts';
import type { Sessions } from './sessions.ts';

interface SettingsRoutesOptions extends Pick<AccountRoutesOptions, 'service' | 'browser' | 'ipHashOf'> {
  sessions: Sessions;
  personalData: PersonalData;
  /** Streams the user's texts for the data export. */
  textsOf: (userId: string) => AsyncIterable<unknown>;
}

/** Account settings of a signed-in user. */
export async function settingsRoutes(app: FastifyInstance, options: SettingsRoutesOptions): Promise<void> {
  const { service, browser, sessions, ipHashOf, personalData, textsOf } = options;

  route(app, getAccount, async ({ request }) => service.account(requireUser(request)));

  route(app, listSessions, async ({ request }) => ({
    sessions: await sessions.list(requireUser(request)),
  }));

  route(app, endOtherSessions, async ({ request }) => {
    await sessions.endOthers(requireUser(request));
  });

  route(app, endSession, async ({ request, params }) => {
    if (!(await sessions.end(requireUser(request), params.id))) throw notFound();
  });

  route(app, verifyEmail, async ({ request, body }) => {
    await service.verifyEmail(requireUser(request), body.token);
  });

  route(app, resendVerification, async ({ request }) => {
    await service.requestVerification(requireUser(request), ipHashOf(request));
  });

  route(app, changePassword, async ({ request, reply, body: { currentPassword, newPassword } }) => {
    const person = requireUser(request);
    browser.setSession(reply, await service.changePassword(person, currentPassword, newPassword));
  });

  route(app, changeEmail, async ({ request, body: { email, currentPassword } }) => {
    const person = requireUser(request);
    await service.changeEmail(person, email, currentPassword, ipHashOf(request));
  });

  route(app, takeAccountData, async ({ request, reply }) => {
    const { userId } = requireUser(request);
    return reply
      .header('content-disposition', 'attachment; filename="glyphlift-data.json"')
      .type('application/json; charset=utf-8')
      .send(jsonObjectStream(await personalData(userId), 'savedTexts', textsOf(userId)));
  });

  route(app, deleteAccount, async ({ request, reply, body: { username, currentPassword } }) => {
    await service.deleteAccount(requireUser(request), username, currentPassword);
    await browser.signOut(request, reply);
  });

  route(app, unlinkIdentity, async ({ request, params }) => {
    await service.unlinkIdentity(requireUser(request), params.provider);
  });
}
