import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { demoSignIn, linkIdentity, signIn, signInCallback } from '#contract/calls/joining';
import { AUTH_RETURNS, homeAfter, PAYMENT_RETURNS } from '#contract/landings';
import { notFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
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

export async function thirdPartyRoutes(
  app: FastifyInstance,
  options: ThirdPartyRoutesOptions,
): Promise<void> {
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

  const home = (reply: FastifyReply, outcome: Parameters<typeof homeAfter>[0]) =>
    reply.redirect(homeAfter(outcome), 303);

  const demoFor = (request: FastifyRequest) => {
    const found = signInFor(request);
    if (found?.kind !== 'demo') throw notFound();
    return found.provider;
  };

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

  route(app, signIn, async ({ request, reply, params }) => {
    if (params.provider !== providerName) throw notFound();
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

  route(app, signInCallback, async ({ request, reply, params }) => {
    const provider = signInFor(request)?.provider;
    if (!provider || params.provider !== provider.name) throw notFound();
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

  route(
    app,
    demoSignIn,
    ({ request, body }) => ({ redirectUrl: demoFor(request).authorize(body) }),
    // Where there is no demo there is nothing here, whatever was sent.
    { preHandler: async (request) => void demoFor(request) },
  );

  route(app, linkIdentity, async ({ request, reply }) => {
    const provider = signInFor(request)?.provider;
    if (!provider) throw signInProviderMissing();
    const { userId } = await browser.requirePerson(request);
    const { redirectUrl, checks } = await provider.begin();
    journeys.begin(request, reply, { ...checks, linkFor: userId });
    return { redirectUrl };
  });
}
