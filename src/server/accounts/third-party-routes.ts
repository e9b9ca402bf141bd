import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AUTH_RETURNS, linkIdentityResponseSchema } from '#contract/account';
import { API } from '#contract/paths';
import { notFound } from '../http/errors.ts';
import type { Browser } from './browser.ts';
import { registrationUnavailable, signInProviderMissing } from './errors.ts';
import type { IdentityProvider, ProvenIdentity, SignInChecks } from './identity-provider.ts';
import type { Registrations } from './registrations.ts';
import type { Accounts } from './repository.ts';
import { welcomeIdentity } from './third-party.ts';

interface ThirdPartyRoutesOptions {
  provider: IdentityProvider | undefined;
  /** The provider that the page's button names, configured or not. */
  providerName: string;
  accounts: Accounts;
  registrations: Registrations;
  browser: Browser;
  canPay: (request: FastifyRequest) => boolean;
  publicUrl: string;
}

/** How long somebody may take at the provider. */
const PATIENCE_SECONDS = 10 * 60;

const paramsSchema = z.object({ provider: z.string().max(50) });

/** Kept in a signed cookie between leaving for the provider and coming back. */
const journeySchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  until: z.number(),
  /** The person who links the provider to their account; null for a sign-in. */
  linkFor: z.string().nullable(),
});

export const thirdPartyRoutes: FastifyPluginAsyncZod<ThirdPartyRoutesOptions> = async (app, options) => {
  const { provider, providerName, accounts, registrations, browser, canPay, publicUrl } = options;
  const secure = publicUrl.startsWith('https:');
  const cookieName = 'sign-in';
  const cookie = { path: '/api/auth', httpOnly: true, sameSite: 'lax', secure, signed: true } as const;
  const visitor = { config: { access: 'visitor' as const }, schema: { params: paramsSchema } };

  const home = (reply: FastifyReply, query: Record<string, string>) =>
    reply.redirect(`/?${new URLSearchParams(query)}`, 303);

  function remember(reply: FastifyReply, checks: SignInChecks, linkFor: string | null): void {
    const until = Date.now() + PATIENCE_SECONDS * 1000;
    reply.setCookie(cookieName, JSON.stringify({ ...checks, until, linkFor }), {
      ...cookie,
      maxAge: PATIENCE_SECONDS,
    });
  }

  /** Used up by being read: an answer works once. */
  function recall(request: FastifyRequest, reply: FastifyReply) {
    const kept = request.cookies[cookieName];
    reply.clearCookie(cookieName, { ...cookie, signed: false });
    const opened = kept ? request.unsignCookie(kept) : undefined;
    if (!opened?.valid) return undefined;
    const journey = journeySchema.parse(JSON.parse(opened.value));
    return journey.until > Date.now() ? journey : undefined;
  }

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
    const own = browser.registrationId(request);
    const arrival = await welcomeIdentity(identity, own, canPay(request), { accounts, registrations });
    switch (arrival.kind) {
      case 'known':
        await browser.signIn(request, reply, arrival.user.id);
        return home(reply, { auth: AUTH_RETURNS.signedIn });
      case 'registered':
        browser.bindRegistration(reply, arrival.registration.id);
        return home(reply, { payment: 'required', email: arrival.registration.email });
      case 'unpayable':
        throw registrationUnavailable();
      case 'exists':
        return home(reply, { auth: AUTH_RETURNS.exists });
    }
  }

  app.get(API.signIn, visitor, async (request, reply) => {
    if (request.params.provider !== providerName) throw notFound();
    if (!provider) {
      request.log.warn(
        'third-party sign-in is not configured: set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET',
      );
      return home(reply, { auth: AUTH_RETURNS.failed });
    }
    try {
      const { redirectUrl, checks } = await provider.begin();
      remember(reply, checks, null);
      return reply.redirect(redirectUrl, 303);
    } catch (error) {
      request.log.warn({ err: error }, 'third-party sign-in could not begin');
      return home(reply, { auth: AUTH_RETURNS.failed });
    }
  });

  app.get(`${API.signIn}/callback`, visitor, async (request, reply) => {
    if (!provider || request.params.provider !== provider.name) throw notFound();
    try {
      const journey = recall(request, reply);
      if (!journey) throw new Error('this browser has begun no sign-in, or too long ago');
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
    API.identities,
    { config: { access: 'user' }, schema: { response: { 200: linkIdentityResponseSchema } } },
    async (request, reply) => {
      if (!provider) throw signInProviderMissing();
      const { userId } = await browser.requirePerson(request);
      const { redirectUrl, checks } = await provider.begin();
      remember(reply, checks, userId);
      return { redirectUrl };
    },
  );
};
