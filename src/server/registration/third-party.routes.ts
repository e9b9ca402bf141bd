import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { demoSignIn, linkIdentity, signIn, signInCallback } from '#contract/calls/registration';
import { AUTH_OUTCOMES, homeUrlAfter, PAYMENT_OUTCOMES } from '#contract/return-urls';
import type { AccountRoutesOptions } from '../accounts/accounts.routes.ts';
import { requireUser } from '../accounts/browser.ts';
import type { Accounts } from '../accounts/users.repository.ts';
import { notFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import type { CallbackOutcome, CallbackOutcomes } from './callback-outcomes.ts';
import type { IdentityProvider, VerifiedIdentity } from './identity-provider.ts';
import type { ThirdPartySignIn } from './identity-providers.ts';
import { signInProviderMissing } from './registration.errors.ts';
import type { Registrations } from './registration.repository.ts';
import type { PaymentOf } from './registration.service.ts';
import type { RegistrationCookie } from './registration-cookie.ts';
import type { SignInStates } from './sign-in-state.ts';
import { resolveIdentity } from './third-party.ts';

type Outcome = Parameters<typeof homeUrlAfter>[0];

interface ThirdPartyRoutesOptions {
  signInFor: (request: FastifyRequest) => ThirdPartySignIn | undefined;
  /** Name of the provider on the page's button, configured or not. */
  providerName: string;
  accounts: Accounts;
  registrations: Registrations;
  paymentOf: PaymentOf;
  registrationCookie: RegistrationCookie;
  continueSignIn: AccountRoutesOptions['continueSignIn'];
  signInStates: SignInStates;
  callbackOutcomes: CallbackOutcomes;
  addressOf: (request: FastifyRequest) => string;
  canPay: (request: FastifyRequest) => boolean;
  publicUrl: string;
}

export async function thirdPartyRoutes(
  app: FastifyInstance,
  options: ThirdPartyRoutesOptions,
): Promise<void> {
  const { signInFor, providerName, signInStates } = options;
  const finishSignIn = createSignInFinish(options);

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
      const { redirectUrl, checks } = await provider.start();
      signInStates.start(request, reply, { ...checks, linkFor: null });
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
      return home(reply, await finishSignIn(request, reply, provider));
    } catch (error) {
      request.log.warn({ err: error }, 'third-party sign-in failed');
      return home(reply, { auth: AUTH_OUTCOMES.failed });
    }
  });

  route(
    app,
    demoSignIn,
    ({ request, body }) => ({ redirectUrl: demoFor(request).authorize(body) }),
    // Without a demo the call does not exist, for any body.
    { preHandler: async (request) => void demoFor(request) },
  );

  route(app, linkIdentity, async ({ request, reply }) => {
    const provider = signInFor(request)?.provider;
    if (!provider) throw signInProviderMissing();
    const { userId } = requireUser(request);
    const { redirectUrl, checks } = await provider.start();
    signInStates.start(request, reply, { ...checks, linkFor: userId });
    return { redirectUrl };
  });
}

type FinishSignIn = (
  request: FastifyRequest,
  reply: FastifyReply,
  provider: IdentityProvider,
) => Promise<Outcome>;

/** Finishes the sign-in of a browser that returns from the provider. Rejects unverified answers. */
function createSignInFinish({
  accounts,
  registrations,
  paymentOf,
  registrationCookie,
  continueSignIn,
  signInStates,
  callbackOutcomes,
  addressOf,
  canPay,
  publicUrl,
}: ThirdPartyRoutesOptions): FinishSignIn {
  async function link(request: FastifyRequest, identity: VerifiedIdentity, userId: string): Promise<Outcome> {
    const { caller } = request;
    const isSame = caller?.kind === 'user' && caller.user.userId === userId;
    const linked = isSame && (await accounts.link(userId, identity));
    return { auth: linked ? AUTH_OUTCOMES.linked : AUTH_OUTCOMES.failed };
  }

  async function replyToIdentity(
    request: FastifyRequest,
    reply: FastifyReply,
    identity: VerifiedIdentity,
    earlier: CallbackOutcome | undefined,
  ): Promise<{ outcome: Outcome; registrationId: string | null }> {
    const context = {
      ownRegistrationId: registrationCookie.id(request),
      createdId: earlier?.registrationId ?? null,
      canPay: canPay(request),
    };
    const resolution = await resolveIdentity(identity, context, addressOf(request), {
      accounts,
      registrations,
      paymentOf,
    });
    const withoutRegistration = (outcome: Outcome) => ({ outcome, registrationId: null });
    switch (resolution.kind) {
      case 'known': {
        const isRepeated = earlier !== undefined;
        const isAdmitted = await continueSignIn(request, reply, resolution.user, { isRepeated });
        return withoutRegistration({
          auth: isAdmitted ? AUTH_OUTCOMES.signedIn : AUTH_OUTCOMES.secondFactor,
        });
      }
      case 'registered': {
        const { id, email } = resolution.registration;
        registrationCookie.set(reply, resolution.registration);
        return { outcome: { payment: PAYMENT_OUTCOMES.required, email }, registrationId: id };
      }
      case 'pending':
        return withoutRegistration({ payment: PAYMENT_OUTCOMES.waiting });
      case 'payment-unavailable':
        return withoutRegistration({ auth: AUTH_OUTCOMES.unpayable });
      case 'exists':
        return withoutRegistration({ auth: AUTH_OUTCOMES.exists });
    }
  }

  return async function finishSignIn(
    request: FastifyRequest,
    reply: FastifyReply,
    provider: IdentityProvider,
  ): Promise<Outcome> {
    const signInState = signInStates.read(request);
    if (!signInState) throw new Error('this browser has no pending sign-in');
    const address = new URL(request.url, publicUrl);
    if (address.searchParams.get('state') !== signInState.state) {
      throw new Error('the state does not belong to this browser');
    }
    const { linkFor, state } = signInState;
    const complete = async (identity: VerifiedIdentity, earlier?: CallbackOutcome) =>
      linkFor === null
        ? replyToIdentity(request, reply, identity, earlier)
        : { outcome: await link(request, identity, linkFor), registrationId: null };
    if (!(await callbackOutcomes.claim(state))) {
      const found = await callbackOutcomes.wait(state);
      return (await complete(found.identity, found)).outcome;
    }
    let found: CallbackOutcome | null = null;
    try {
      if (!(await signInStates.consume(signInState))) throw new Error('the sign-in was already finished');
      const identity = await provider.finish(address, signInState);
      const { outcome, registrationId } = await complete(identity);
      found = { identity, registrationId };
      return outcome;
    } finally {
      // Stored last, so that a concurrent request finds the account or the registration.
      await callbackOutcomes
        .store(state, found)
        .catch((error) => request.log.warn({ err: error }, 'the outcome of a sign-in could not be stored'));
    }
  };
}
