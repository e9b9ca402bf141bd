import type { FastifyInstance } from 'fastify';
import {
  confirmSecondFactor,
  getSecondFactor,
  loginSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
  stopSecondFactor,
} from '#contract/calls/accounts';
import { route } from '../../http/route.ts';
import { signInRequired } from '../accounts.errors.ts';
import type { PublicUserLookup } from '../browser.ts';
import { requireUser } from '../browser.ts';
import type { SecondFactorService } from './second-factor.service.ts';
import type { SecondFactorSignIn } from './sign-in.ts';

interface SecondFactorRoutesOptions {
  service: SecondFactorService;
  signIn: SecondFactorSignIn;
  findPublicUser: PublicUserLookup;
}

export async function secondFactorRoutes(
  app: FastifyInstance,
  { service, signIn, findPublicUser }: SecondFactorRoutesOptions,
): Promise<void> {
  route(app, loginSecondFactor, async ({ request, reply, body }) => {
    const user = await findPublicUser(await signIn.finish(request, reply, body));
    if (!user) throw signInRequired();
    return { user };
  });

  route(app, getSecondFactor, async ({ request }) => ({
    secondFactor: await service.status(requireUser(request).userId),
  }));

  route(app, startSecondFactor, async ({ request, body }) =>
    service.start(requireUser(request), body.currentPassword),
  );

  route(app, confirmSecondFactor, async ({ request, body }) => ({
    recoveryCodes: await service.confirm(requireUser(request), body.code),
  }));

  route(app, stopSecondFactor, async ({ request, body: { currentPassword, ...proof } }) => {
    await service.stop(requireUser(request), currentPassword, proof);
  });

  route(app, renewRecoveryCodes, async ({ request, body: { currentPassword, ...proof } }) => {
    const person = requireUser(request);
    return { recoveryCodes: await service.renewCodes(person, currentPassword, proof) };
  });
}
