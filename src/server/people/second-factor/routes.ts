import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { API } from '#contract/paths';
import {
  changeSecondFactorRequestSchema,
  confirmSecondFactorRequestSchema,
  loginSecondFactorRequestSchema,
  recoveryCodesResponseSchema,
  secondFactorStatusSchema,
  startSecondFactorRequestSchema,
  startSecondFactorResponseSchema,
} from '#contract/second-factor';
import { userResponseSchema } from '#contract/user';
import { readBody } from '../../http/body.ts';
import type { Browser } from '../browser.ts';
import { signInRequired } from '../errors.ts';
import type { Present } from '../shown-person.ts';
import type { SecondFactorService } from './service.ts';
import type { SecondFactorSignIn } from './sign-in.ts';

interface SecondFactorRoutesOptions {
  service: SecondFactorService;
  signIn: SecondFactorSignIn;
  browser: Browser;
  present: Present;
}

export const secondFactorRoutes: FastifyPluginAsyncZod<SecondFactorRoutesOptions> = async (app, options) => {
  const { service, signIn, browser, present } = options;
  const user = { access: 'user' as const };

  app.post(
    API.loginSecondFactor,
    { config: { access: 'visitor' }, schema: { response: { 200: userResponseSchema } } },
    async (request, reply) => {
      const proof = readBody(loginSecondFactorRequestSchema, request.body);
      const person = await present(await signIn.finish(request, reply, proof));
      if (!person) throw signInRequired();
      return { user: person };
    },
  );

  app.get(
    API.secondFactor,
    { config: user, schema: { response: { 200: secondFactorStatusSchema } } },
    async (request) => ({
      secondFactor: await service.status((await browser.requirePerson(request)).userId),
    }),
  );

  app.post(
    API.startSecondFactor,
    { config: user, schema: { response: { 200: startSecondFactorResponseSchema } } },
    async (request) => {
      const { currentPassword } = readBody(startSecondFactorRequestSchema, request.body);
      return service.start(await browser.requirePerson(request), currentPassword);
    },
  );

  app.post(
    API.secondFactor,
    { config: user, schema: { response: { 200: recoveryCodesResponseSchema } } },
    async (request) => {
      const { code } = readBody(confirmSecondFactorRequestSchema, request.body);
      return { recoveryCodes: await service.confirm(await browser.requirePerson(request), code) };
    },
  );

  app.post(API.stopSecondFactor, { config: user }, async (request) => {
    const { currentPassword, ...proof } = readBody(changeSecondFactorRequestSchema, request.body);
    await service.stop(await browser.requirePerson(request), currentPassword, proof);
    return {};
  });

  app.post(
    API.recoveryCodes,
    { config: user, schema: { response: { 200: recoveryCodesResponseSchema } } },
    async (request) => {
      const { currentPassword, ...proof } = readBody(changeSecondFactorRequestSchema, request.body);
      const person = await browser.requirePerson(request);
      return { recoveryCodes: await service.renewCodes(person, currentPassword, proof) };
    },
  );
};
