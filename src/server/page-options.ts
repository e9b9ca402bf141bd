import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CALLS } from '#contract/calls';
import { describeCalls } from '#contract/calls/site';
import { describeApi, type OpenApi } from '#contract/openapi';
import type { CommonData, VisitorData } from '#contract/page';
import { cookieName, type SignedIn } from './http/caller.ts';
import type { PagesOptions } from './http/pages.ts';
import type { RateLimiter } from './http/rate-limit.ts';
import { route } from './http/route.ts';
import type { Services } from './services.ts';
import type { AppDependencies, Slices } from './slices.ts';

interface PageDependencies extends Slices {
  limiterOf: (name: string, perMinute: number) => RateLimiter;
}

export function pageOptions(
  app: FastifyInstance,
  { config, services, web, articles, clock }: AppDependencies,
  { recognition, subjectOf, limiterOf }: PageDependencies,
): PagesOptions {
  const { publicUrl, supportEmail, freeDailyLimit, premiumMonthlyLimit } = config;
  const description = describeRoutes(app, { publicUrl, secure: publicUrl.startsWith('https:') });
  const usageOf = async (request: FastifyRequest) => recognition.usage(await subjectOf(request));
  const paymentOf = async (request: FastifyRequest) =>
    services.billing.checkout.context(await services.payers.at(request), services.providers.for(request));
  const commonData: CommonData = {
    articles: async () => articles.list(),
    article: async (slug) => articles.find(slug),
    description: async () => description,
    languages: async () => (await recognition.languages()).map(({ code, name }) => ({ code, name })),
  };
  return {
    web,
    limiter: limiterOf('page', config.pageLimitPerMinute),
    siteFor: (request) => ({
      publicUrl,
      supportEmail,
      premiumAvailability: services.providers.for(request) ? config.premiumAvailability : 'coming-soon',
      signInProvider: config.oidcProvider,
      thirdPartySignIn: services.thirdPartySignIn(request)?.kind ?? null,
      worksOffline: config.serviceWorker === 'on' && config.environment !== 'development',
      readsOnDevice: config.onDeviceReading === 'on',
      freeDailyLimit,
      premiumMonthlyLimit,
    }),
    now: () => clock.now(),
    commonData,
    anonymousVisitorAt: async (request) => {
      const payer = await services.payers.at(request);
      if (payer.kind !== 'none') return undefined;
      return { usage: await usageOf(request), payment: await paymentOf(request) };
    },
    visitorData: (request) => ({
      ...userData(services, request),
      usage: () => usageOf(request),
      payment: () => paymentOf(request),
    }),
  };
}

function userData(services: Services, request: FastifyRequest): Omit<VisitorData, 'usage' | 'payment'> {
  const ofUser =
    <Answer>(answer: (user: SignedIn) => Promise<Answer>) =>
    async () => {
      const user = await services.browser.user(request);
      return user && answer(user);
    };
  return {
    user: ofUser(({ userId }) => services.findPublicUser(userId)),
    subscription: ofUser(({ userId }) => services.billing.subscriptions.state(userId)),
    account: ofUser((user) => services.accountsService.account(user)),
    savedTexts: ofUser((user) => services.texts.list(user, {})),
    savedText: (id) => ofUser((user) => services.texts.find(user, id))(),
    sessions: ofUser(async (user) => ({ sessions: await services.sessions.list(user) })),
    secondFactor: ofUser(async ({ userId }) => ({
      secondFactor: await services.secondFactor.status(userId),
    })),
    apiKeys: ofUser(async ({ userId }) => ({ keys: await services.apiKeys.list(userId) })),
    webhookSecret: ofUser(({ userId }) => services.webhookSecrets.state(userId)),
  };
}

const VERSION = '1';

/** The OpenAPI document, and the call that serves it. */
function describeRoutes(
  app: FastifyInstance,
  { publicUrl, secure }: { publicUrl: string; secure: boolean },
): OpenApi {
  const description = describeApi(CALLS, {
    publicUrl,
    version: VERSION,
    cookies: { visitor: cookieName('visitor', secure), session: cookieName('session', secure) },
  });
  const text = JSON.stringify(description);
  // Serialized once, because the validation of the response is expensive.
  route(app, describeCalls, ({ reply }) => reply.type('application/json; charset=utf-8').send(text));
  return description;
}
