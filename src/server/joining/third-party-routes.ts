import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  demoSignInRequestSchema,
  demoSignInResponseSchema,
  linkIdentityResponseSchema,
} from '#contract/account';
import { AUTH_RETURNS, homeAfter, PAYMENT_RETURNS } from '#contract/landings';
import { API } from '#contract/paths';
import { readBody } from '../http/body.ts';
import { notFound } from '../http/errors.ts';
import type { Browser } from '../people/browser.ts';
import type { AccountRoutesOptions } from '../people/routes.ts';
import type { Accounts } from '../people/users.ts';
import { signInProviderMissing } from './errors.ts';
import type { HeldRegistration } from './held-registration.ts';
import type { ProvenIdentity } from './identity-provider.ts';
import type { ThirdPartySignIn } from './identity-providers.ts';
import type { Registrations } from './registrations.ts';
import type { PaymentOf } from './service.ts';
import type { SignInJourneys } from './sign-in-journey.ts';
import { welcomeIdentity } from './third-party.ts';

interface ThirdPartyRoutesOptions {
  signInFor: (request: FastifyRequest) => ThirdPartySignIn | undefined;
  /** The provider that the page's button names, configured or not. */
  providerName: string;
  accounts: Accounts;
  registrations: Registrations;
  paymentOf: PaymentOf;
  browser: Browser;
  held: HeldRegistration;
  admit: AccountRoutesOptions['admit'];
  journeys: SignInJourneys;
  canPay: (request: FastifyRequest) => boolean;
  publicUrl: string;
}

const paramsSchema = z.object({ provider: z.string().max(50) });

export const thirdPartyRoutes: FastifyPluginAsyncZod<ThirdPartyRoutesOptions> = async (app, options) => {
  const {
    signInFor,
    providerName,
    accounts,
    registrations,
    paymentOf,
    browser,
    held,
    admit,
    journeys,
    canPay,
    publicUrl,
  } = options;
  const visitor = { config: { access: 'visitor' as const }, schema: { params: paramsSchema } };

  const home = (reply: FastifyReply, outcome: Parameters<typeof homeAfter>[0]) =>
    reply.redirect(homeAfter(outcome), 303);

  async function link(
    request: FastifyRequest,
    reply: FastifyReply,
    identity: ProvenIdentity,
    userId: string,
  ) {
    const person = await browser.person(request);
    if (person?.userId !== userId) return home(reply, { auth: AUTH_RETURNS.failed });
    const linked = await accounts.link(userId, identity);
    return home(reply, { auth: linked ? AUTH_RETURNS.linked : AUTH_RETURNS.failed });
  }

  async function arrive(request: FastifyRequest, reply: FastifyReply, identity: ProvenIdentity) {
    const own = held.id(request);
    const arrival = await welcomeIdentity(identity, own, canPay(request), {
      accounts,
      registrations,
      paymentOf,
    });
    switch (arrival.kind) {
      case 'known':
        return home(reply, {
          auth: (await admit(request, reply, arrival.user))
            ? AUTH_RETURNS.signedIn
            : AUTH_RETURNS.secondFactor,
        });
      case 'registered':
        held.hold(reply, arrival.registration);
        return home(reply, { payment: PAYMENT_RETURNS.required, email: arrival.registration.email });
      case 'under-way':
        return home(reply, { payment: PAYMENT_RETURNS.waiting });
      case 'unpayable':
        return home(reply, { auth: AUTH_RETURNS.unpayable });
      case 'exists':
        return home(reply, { auth: AUTH_RETURNS.exists });
    }
  }

  app.get(API.signIn, visitor, async (request, reply) => {
    if (request.params.provider !== providerName) throw notFound();
    const provider = signInFor(request)?.provider;
    if (!provider) {
      request.log.warn(
        'third-party sign-in is not configured: set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET',
      );
      return home(reply, { auth: AUTH_RETURNS.failed });
    }
    try {
      const { redirectUrl, checks } = await provider.begin();
      journeys.begin(request, reply, { ...checks, linkFor: null });
      return reply.redirect(redirectUrl, 303);
    } catch (error) {
      request.log.warn({ err: error }, 'third-party sign-in could not begin');
      return home(reply, { auth: AUTH_RETURNS.failed });
    }
  });

  const callback = { ...visitor, config: { ...visitor.config, longAddress: true } };
  app.get(`${API.signIn}/callback`, callback, async (request, reply) => {
    const provider = signInFor(request)?.provider;
    if (!provider || request.params.provider !== provider.name) throw notFound();
    try {
      const journey = await journeys.end(request, reply);
      const identity = await provider.finish(new URL(request.url, publicUrl), journey);
      return journey.linkFor === null
        ? await arrive(request, reply, identity)
        : await link(request, reply, identity, journey.linkFor);
    } catch (error) {
      request.log.warn({ err: error }, 'third-party sign-in failed');
      return home(reply, { auth: AUTH_RETURNS.failed });
    }
  });

  app.post(
    API.demoSignIn,
    {
      config: { access: 'visitor' },
      schema: { response: { 200: demoSignInResponseSchema } },
    },
    async (request) => {
      const signIn = signInFor(request);
      if (signIn?.kind !== 'demo') throw notFound();
      return { redirectUrl: signIn.provider.authorize(readBody(demoSignInRequestSchema, request.body)) };
    },
  );

  app.post(
    API.identities,
    { config: { access: 'user' }, schema: { response: { 200: linkIdentityResponseSchema } } },
    async (request, reply) => {
      const provider = signInFor(request)?.provider;
      if (!provider) throw signInProviderMissing();
      const { userId } = await browser.requirePerson(request);
      const { redirectUrl, checks } = await provider.begin();
      journeys.begin(request, reply, { ...checks, linkFor: userId });
      return { redirectUrl };
    },
  );
};
