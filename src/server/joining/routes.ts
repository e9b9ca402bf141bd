import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  type RegistrationPending,
  registerRequestSchema,
  registrationPendingSchema,
} from '#contract/account';
import { API } from '#contract/paths';
import { readBody } from '../http/body.ts';
import { registrationUnavailable } from './errors.ts';
import type { HeldRegistration } from './held-registration.ts';
import type { JoiningService } from './service.ts';

interface JoiningRoutesOptions {
  service: JoiningService;
  held: HeldRegistration;
  /** The caller's network address, hashed. */
  addressOf: (request: FastifyRequest) => string;
  /** Whether somebody who registers could pay, and so become a user. */
  canPay: (request: FastifyRequest) => boolean;
}

export const joiningRoutes: FastifyPluginAsyncZod<JoiningRoutesOptions> = async (app, options) => {
  const { service, held, addressOf, canPay } = options;
  const visitor = { config: { access: 'visitor' as const } };

  app.post(
    API.register,
    { ...visitor, schema: { response: { 402: registrationPendingSchema } } },
    async (request, reply) => {
      const input = readBody(registerRequestSchema, request.body);
      if (!canPay(request)) throw registrationUnavailable();
      const registration = await service.register(input, held.id(request), addressOf(request));
      held.hold(reply, registration);
      const body: RegistrationPending = {
        error: 'Payment required',
        requiresPayment: true,
        email: registration.email,
      };
      return reply.code(402).send(body);
    },
  );

  app.post(API.dropRegistration, visitor, async (request, reply) => {
    const id = held.id(request);
    if (id !== undefined) await service.dropRegistration(id);
    held.release(reply);
    return {};
  });
};
