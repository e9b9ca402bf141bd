import type { FastifyInstance, FastifyRequest } from 'fastify';
import { dropRegistration, register } from '#contract/calls/registration';
import { route } from '../http/route.ts';
import { registrationUnavailable } from './registration.errors.ts';
import type { RegistrationService } from './registration.service.ts';
import type { RegistrationCookie } from './registration-cookie.ts';

interface RegistrationRoutesOptions {
  service: RegistrationService;
  registrationCookie: RegistrationCookie;
  ipHashOf: (request: FastifyRequest) => string;
  /** Whether a payment, and so a registration, is possible. */
  canPay: (request: FastifyRequest) => boolean;
}

export async function registrationRoutes(
  app: FastifyInstance,
  options: RegistrationRoutesOptions,
): Promise<void> {
  const { service, registrationCookie, ipHashOf, canPay } = options;

  route(app, register, async ({ request, reply, body }) => {
    if (!canPay(request)) throw registrationUnavailable();
    const registration = await service.register(body, registrationCookie.id(request), ipHashOf(request));
    registrationCookie.set(reply, registration);
    return {
      error: 'Payment required',
      code: 'accounts.payment_required' as const,
      requiresPayment: true as const,
      email: registration.email,
    };
  });

  route(app, dropRegistration, async ({ request, reply }) => {
    const id = registrationCookie.id(request);
    if (id !== undefined) await service.dropRegistration(id);
    registrationCookie.clear(reply);
  });
}
