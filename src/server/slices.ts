import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Engine } from '#ocr';
import { accountRoutes } from './accounts/accounts.routes.ts';
import { secondFactorRoutes } from './accounts/second-factor/second-factor.routes.ts';
import { settingsRoutes } from './accounts/settings.routes.ts';
import { apiKeysRoutes } from './api-keys/api-keys.routes.ts';
import { billingRoutes } from './billing/billing.routes.ts';
import type { Config } from './config.ts';
import type { ArticleLibrary } from './content/articles.ts';
import { contentRoutes } from './content/content.routes.ts';
import { showJobs, showUploads, showWebhooks } from './gauges.ts';
import type { AddressGroups } from './http/address.ts';
import type { Web } from './http/pages.ts';
import { policyReportRoutes } from './http/policy-reports.ts';
import type { RateLimiter } from './http/rate-limit.ts';
import { jobsRoutes } from './jobs/jobs.routes.ts';
import type { Clock } from './platform/clock.ts';
import type { Logger } from './platform/logger.ts';
import { type MetricsPage, NO_METRICS } from './platform/metrics.ts';
import type { Secrets } from './platform/secrets.ts';
import type { Tracing } from './platform/tracing.ts';
import { createLanguageFiles } from './recognition/language-files.ts';
import { createProgressHub } from './recognition/progress.ts';
import { createSubjectOf, type Subject } from './recognition/quota/allowance.ts';
import { recognitionRoutes } from './recognition/recognition.routes.ts';
import type { RecognitionService } from './recognition/recognition.service.ts';
import { longestAnswerMs, minimumRateOf } from './recognition/recognition.settings.ts';
import type { SharedRecognition } from './recognition/redis/shared-recognition.ts';
import { createCountedUpload } from './recognition/upload/counted-upload.ts';
import { createUploadLimiter } from './recognition/upload/upload-limiter.ts';
import { registrationRoutes } from './registration/registration.routes.ts';
import { thirdPartyRoutes } from './registration/third-party.routes.ts';
import { savedTextsRoutes } from './saved-texts/saved-texts.routes.ts';
import type { Database } from './schema.ts';
import { buildJobs, buildRecognition, type Services } from './services.ts';
import { waitlistRoutes } from './waitlist/waitlist.routes.ts';
import { webhooksRoutes } from './webhooks/webhooks.routes.ts';

export interface AppDependencies {
  config: Config;
  secrets: Secrets;
  services: Services;
  database: Database;
  engine: Engine;
  /** State shared with other processes; undefined in a single process. */
  shared?: SharedRecognition | undefined;
  clock: Clock;
  logger: Logger;
  /** Metrics; off if left out. */
  metrics?: MetricsPage | undefined;
  /** Tracing; off if left out. */
  tracing?: Tracing | undefined;
  web: Web;
  articles: ArticleLibrary;
  /** True while the server drains: proxies should send no further requests, but the server still answers them. */
  isDraining: () => boolean;
  /** True while the server stops: new requests are rejected, running ones are finished. */
  isStopping: () => boolean;
}

interface SliceDependencies extends AppDependencies {
  /** The groups of the caller's network address, hashed. */
  addressGroupsOf: (request: FastifyRequest) => AddressGroups;
  addressOf: (request: FastifyRequest) => string;
  limiterOf: (name: string, perMinute: number) => RateLimiter;
}

/** Data of the slices for pages. */
export interface Slices {
  recognition: RecognitionService;
  subjectOf: (request: FastifyRequest) => Promise<Subject>;
}

/** Every slice of the product as a Fastify plugin with its dependencies. */
export async function registerSlices(app: FastifyInstance, dependencies: SliceDependencies): Promise<Slices> {
  const slices = await registerRecognitionAndJobs(app, dependencies);
  await registerAccounts(app, dependencies);
  const { config, services, articles, clock, addressOf, limiterOf } = dependencies;
  await app.register(billingRoutes, {
    billing: services.billing,
    registrationCookie: services.registrationCookie,
    payers: services.payers,
    addressOf,
    providers: services.providers,
    limiter: services.webhookLimiter,
  });
  await app.register(savedTextsRoutes, {
    texts: services.texts,
    isPremium: services.billing.subscriptions.isPremium,
  });
  await app.register(apiKeysRoutes, { keys: services.apiKeys });
  await app.register(waitlistRoutes, { service: services.waitlist, addressOf });
  await app.register(contentRoutes, {
    articles,
    publicUrl: config.publicUrl,
    supportEmail: config.supportEmail,
    now: () => clock.now(),
  });
  await app.register(policyReportRoutes, {
    publicUrl: config.publicUrl,
    limiter: limiterOf('policy-report', Math.ceil(config.rateLimitPerMinute / 12)),
    clock,
  });
  return slices;
}

async function registerRecognitionAndJobs(
  app: FastifyInstance,
  dependencies: SliceDependencies,
): Promise<Slices> {
  const {
    config,
    services,
    shared,
    metrics = NO_METRICS,
    addressGroupsOf,
    addressOf,
    limiterOf,
  } = dependencies;
  const uploadLimiter = createUploadLimiter({ memoryBytes: config.uploadMemoryMb * 1024 * 1024 });
  showUploads(metrics, uploadLimiter, config);
  const recognition = buildRecognition(services, dependencies);
  const subjectOf = createSubjectOf({
    browser: services.browser,
    premiumMonth: services.billing.subscriptions.premiumMonth,
    addressOf: addressGroupsOf,
  });
  const minimumRate = minimumRateOf(config);
  const countedUpload = createCountedUpload({
    addressOf,
    uploadLimiter: shared ? shared.sharedUploadLimiter(uploadLimiter) : uploadLimiter,
    minimumRate,
  });
  await app.register(recognitionRoutes, {
    service: recognition,
    progress: shared?.progress ?? createProgressHub(),
    subjectOf,
    previewLimiter: limiterOf('preview', Math.ceil(config.rateLimitPerMinute / 4)),
    countedUpload,
    minimumRate,
    addressOf,
    watchTimeoutMs: longestAnswerMs(config),
    readsOnDevice: config.onDeviceReading === 'on',
    languageFiles: createLanguageFiles(config.ocrLanguageDirs),
  });

  const jobs = buildJobs(services, recognition, dependencies);
  showJobs(metrics, jobs.runner, services.jobs.contents);
  showWebhooks(metrics, services.webhooks);
  app.addHook('onListen', async () => {
    jobs.runner.start();
    services.webhooks.start();
  });
  app.addHook('onClose', async () => {
    await jobs.runner.stop();
    await jobs.writer.close();
    await services.webhooks.stop();
  });
  await app.register(jobsRoutes, {
    service: jobs.service,
    recognition,
    subjectOf,
    countedUpload,
    minimumRate,
  });
  await app.register(webhooksRoutes, { secrets: services.webhookSecrets });
  return { recognition, subjectOf };
}

async function registerAccounts(
  app: FastifyInstance,
  { config, services, addressOf }: SliceDependencies,
): Promise<void> {
  const { browser, findPublicUser, registrationCookie, accountsService: service } = services;
  const { continueSignIn } = services.secondFactorSignIn;
  const canPay = (request: FastifyRequest) => services.providers.for(request) !== undefined;
  await app.register(accountRoutes, {
    service,
    browser,
    findPublicUser,
    continueSignIn,
    addressOf,
    signedIn: (userId, request, reply) => registrationCookie.clearAfterSignIn(userId, request, reply),
  });
  await app.register(settingsRoutes, {
    service,
    browser,
    sessions: services.sessions,
    addressOf,
    personalData: services.personalData,
    textsOf: (userId) => services.texts.all(userId),
  });
  await app.register(secondFactorRoutes, {
    service: services.secondFactor,
    signIn: services.secondFactorSignIn,
    findPublicUser,
  });
  await app.register(registrationRoutes, {
    service: services.registration,
    registrationCookie,
    addressOf,
    canPay,
  });
  await app.register(thirdPartyRoutes, {
    signInFor: services.thirdPartySignIn,
    providerName: config.oidcProvider,
    accounts: services.accounts,
    registrations: services.registrations,
    paymentOf: services.billing.checkout.paymentOf,
    registrationCookie,
    continueSignIn,
    signInStates: services.signInStates,
    callbackOutcomes: services.callbackOutcomes,
    addressOf,
    canPay,
    publicUrl: config.publicUrl,
  });
}
