import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { demoSignIn, linkIdentity, signIn, signInCallback } from '#contract/calls/registration';
import { AUTH_OUTCOMES, homeUrlAfter, PAYMENT_OUTCOMES } from '#contract/return-urls';
import type { AccountRoutesOptions } from '../accounts/accounts.routes.ts';
import { requireUser } from '../accounts/browser.ts';
import type { Accounts } from '../accounts/users.repository.ts';
import { notFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import type { FinishedSignIn, FinishedSignIns } from './finished-sign-ins.ts';
import type { HeldRegistration } from './held-registration.ts';
import type { IdentityProvider, ProvenIdentity } from './identity-provider.ts';
import type { ThirdPartySignIn } from './identity-providers.ts';
import { signInProviderMissing } from './registration.errors.ts';
import type { Registrations } from './registration.repository.ts';
import type { PaymentOf } from './registration.service.ts';
import type { SignInJourneys } from './sign-in-journey.ts';
import { welcomeIdentity } from './third-party.ts';

type Outcome = Parameters<typeof homeUrlAfter>[0];

interface ThirdPartyRoutesOptions {
  signInFor: (request: FastifyRequest) => ThirdPartySignIn | undefined;
  /** The provider that the page's button names, configured or not. */
  providerName: string;
  accounts: Accounts;
  registrations: Registrations;
  paymentOf: PaymentOf;
  held: HeldRegistration;
  continueSignIn: AccountRoutesOptions['continueSignIn'];
  journeys: SignInJourneys;
  finished: FinishedSignIns;
  addressOf: (request: FastifyRequest) => string;
  canPay: (request: FastifyRequest) => boolean;
  publicUrl: string;
}

export async function thirdPartyRoutes(
  app: FastifyInstance,
  options: ThirdPartyRoutesOptions,
): Promise<void> {
  const { signInFor, providerName, journeys } = options;
  const comeBack = createReturn(options);

  const home = (reply: FastifyReply, outcome: Outcome) => reply.redirect(homeUrlAfter(outcome), 303);

  const demoFor = (request: FastifyRequest) => {
    const found = signInFor(request);
    if (found?.kind !== 'demo') throw notFound();
    return found.provider;
  };

  route(app, signIn, async ({ request, reply, params }) => {
    if (params.provider !== providerName) throw notFound();
    const provider = signInFor(request)?.provider;
    if (!provider) {
      request.log.warn(
        'third-party sign-in is not configured: set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET',
      );
      return home(reply, { auth: AUTH_OUTCOMES.failed });
    }
    try {
      const { redirectUrl, checks } = await provider.begin();
      journeys.begin(request, reply, { ...checks, linkFor: null });
      return reply.redirect(redirectUrl, 303);
    } catch (error) {
      request.log.warn({ err: error }, 'third-party sign-in could not start');
      return home(reply, { auth: AUTH_OUTCOMES.failed });
    }
  });

  route(app, signInCallback, async ({ request, reply, params }) => {
    const provider = signInFor(request)?.provider;
    if (!provider || params.provider !== provider.name) throw notFound();
    try {
      return home(reply, await comeBack(request, reply, provider));
    } catch (error) {
      request.log.warn({ err: error }, 'third-party sign-in failed');
      return home(reply, { auth: AUTH_OUTCOMES.failed });
    }
  });

  route(
    app,
    demoSignIn,
    ({ request, body }) => ({ redirectUrl: demoFor(request).authorize(body) }),
    // Without a demo there is nothing at this address, for any body.
    { preHandler: async (request) => void demoFor(request) },
  );

  route(app, linkIdentity, async ({ request, reply }) => {
    const provider = signInFor(request)?.provider;
    if (!provider) throw signInProviderMissing();
    const { userId } = requireUser(request);
    const { redirectUrl, checks } = await provider.begin();
    journeys.begin(request, reply, { ...checks, linkFor: userId });
    return { redirectUrl };
  });
}

type Return = (request: FastifyRequest, reply: FastifyReply, provider: IdentityProvider) => Promise<Outcome>;

/** Finishes the sign-in of a browser that is back from the provider. Rejects what is not proven. */
function createReturn({
  accounts,
  registrations,
  paymentOf,
  held,
  continueSignIn,
  journeys,
  finished,
  addressOf,
  canPay,
  publicUrl,
}: ThirdPartyRoutesOptions): Return {
  async function link(request: FastifyRequest, identity: ProvenIdentity, userId: string): Promise<Outcome> {
    const { caller } = request;
    const isSame = caller?.kind === 'user' && caller.user.userId === userId;
    const linked = isSame && (await accounts.link(userId, identity));
    return { auth: linked ? AUTH_OUTCOMES.linked : AUTH_OUTCOMES.failed };
  }

  async function arrive(
    request: FastifyRequest,
    reply: FastifyReply,
    identity: ProvenIdentity,
    former: FinishedSignIn | undefined,
  ): Promise<{ outcome: Outcome; registrationId: string | null }> {
    const visit = { own: held.id(request), made: former?.registrationId ?? null, canPay: canPay(request) };
    const arrival = await welcomeIdentity(identity, visit, addressOf(request), {
      accounts,
      registrations,
      paymentOf,
    });
    const without = (outcome: Outcome) => ({ outcome, registrationId: null });
    switch (arrival.kind) {
      case 'known': {
        const isRepeated = former !== undefined;
        const isAdmitted = await continueSignIn(request, reply, arrival.user, { isRepeated });
        return without({ auth: isAdmitted ? AUTH_OUTCOMES.signedIn : AUTH_OUTCOMES.secondFactor });
      }
      case 'registered': {
        const { id, email } = arrival.registration;
        held.hold(reply, arrival.registration);
        return { outcome: { payment: PAYMENT_OUTCOMES.required, email }, registrationId: id };
      }
      case 'under-way':
        return without({ payment: PAYMENT_OUTCOMES.waiting });
      case 'unpayable':
        return without({ auth: AUTH_OUTCOMES.unpayable });
      case 'exists':
        return without({ auth: AUTH_OUTCOMES.exists });
    }
  }

  return async function comeBack(
    request: FastifyRequest,
    reply: FastifyReply,
    provider: IdentityProvider,
  ): Promise<Outcome> {
    const journey = journeys.read(request);
    if (!journey) throw new Error('this browser has begun no sign-in, or too long ago');
    const address = new URL(request.url, publicUrl);
    if (address.searchParams.get('state') !== journey.state) {
      throw new Error('the answer is not the one that this browser asked for');
    }
    const { linkFor, state } = journey;
    const answer = async (identity: ProvenIdentity, former?: FinishedSignIn) =>
      linkFor === null
        ? arrive(request, reply, identity, former)
        : { outcome: await link(request, identity, linkFor), registrationId: null };
    if (!(await finished.begin(state))) {
      const found = await finished.wait(state);
      return (await answer(found.identity, found)).outcome;
    }
    let found: FinishedSignIn | null = null;
    try {
      if (!(await journeys.spend(journey))) throw new Error('the sign-in was ended before');
      const identity = await provider.finish(address, journey);
      const { outcome, registrationId } = await answer(identity);
      found = { identity, registrationId };
      return outcome;
    } finally {
      // Stored last, so that a concurrent request finds the account or the registration.
      await finished
        .store(state, found)
        .catch((error) => request.log.warn({ err: error }, 'what a sign-in found could not be kept'));
    }
  };
}
