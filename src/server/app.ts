import type { Server } from 'node:http';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { JOB_LIMITS } from '#contract/job';
import type { Engine } from '#ocr';
import { accountRoutes } from './accounts/accounts.routes.ts';
import { requireUser } from './accounts/browser.ts';
import { secondFactorRoutes } from './accounts/second-factor/second-factor.routes.ts';
import { settingsRoutes } from './accounts/settings.routes.ts';
import { refuseChangedPerson } from './accounts/shown-person.ts';
import { apiKeysRoutes } from './api-keys/api-keys.routes.ts';
import { billingRoutes } from './billing/billing.routes.ts';
import type { Config } from './config.ts';
import type { ArticleLibrary } from './content/articles.ts';
import { contentRoutes } from './content/content.routes.ts';
import {
  showDatabase,
  showEngine,
  showJobs,
  showMails,
  showQueue,
  showUploads,
  showWebhooks,
} from './gauges.ts';
import { registerRoutesWithAccess } from './http/access.ts';
import { createAddressOf, trustedBy, warnOfUntrustedForwarding } from './http/address.ts';
import { admitRequests, LONGEST_ADDRESS } from './http/admission.ts';
import { limitBodyTime } from './http/body-deadline.ts';
import { createBrokenRequestHandler, ignoreExpectations } from './http/broken-requests.ts';
import type { SignedIn } from './http/caller.ts';
import { watchConnections } from './http/connections.ts';
import { describeRoutes } from './http/description.ts';
import { sendError } from './http/errors.ts';
import { createSecurityHeaders, registerSecurityHeaders } from './http/headers.ts';
import { registerHealth } from './http/health.ts';
import { registerMetrics } from './http/metrics.ts';
import { registerPages, type Web } from './http/pages.ts';
import { policyReportRoutes } from './http/policy-reports.ts';
import { createProgramLimiter, createRateLimiter } from './http/rate-limit.ts';
import { createRedisRateLimits } from './http/redis-rate-limit.ts';
import { createProxyCheck, createRequestIds, REQUEST_ID_HEADER, tellRequestIds } from './http/request-id.ts';
import { refuseUnkeepableText } from './http/unkeepable-text.ts';
import { watchRequests } from './http/watched-requests.ts';
import { jobsRoutes } from './jobs/jobs.routes.ts';
import type { Clock } from './platform/clock.ts';
import { pingDatabase, requireWritable } from './platform/database.ts';
import type { Logger } from './platform/logger.ts';
import { type MetricsPage, NO_METRICS } from './platform/metrics.ts';
import { compareKeys } from './platform/same-keys.ts';
import type { Secrets } from './platform/secrets.ts';
import { requireRoom } from './platform/sqlite.ts';
import { NO_TRACING, type Tracing } from './platform/tracing.ts';
import { createProgressHub } from './recognition/progress.ts';
import { createSubjectOf } from './recognition/quota/subject.ts';
import { recognitionRoutes } from './recognition/recognition.routes.ts';
import { longestAnswerMs, paceOf } from './recognition/recognition.settings.ts';
import type { SharedRecognition } from './recognition/redis/shared-recognition.ts';
import { createCountedUpload } from './recognition/upload/counted-upload.ts';
import { createIntake } from './recognition/upload/intake.ts';
import { longestUploadMs } from './recognition/upload/upload.ts';
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
  /** What this process has in common with others; without it there is this one alone. */
  shared?: SharedRecognition | undefined;
  clock: Clock;
  logger: Logger;
  /** Without it nothing is measured. */
  metrics?: MetricsPage | undefined;
  /** Without it nothing is traced. */
  tracing?: Tracing | undefined;
  web: Web;
  articles: ArticleLibrary;
  /** True once the server should be sent no more requests; those that come are served all the same. */
  isLeaving: () => boolean;
  /** True once the server takes no more requests; those that run are finished. */
  isStopping: () => boolean;
}

/** JSON bodies are a few fields; pictures do not count here. */
const BODY_BYTES = 64 * 1024;

/** What every request meets, and every route, but nothing that listens. */
export async function createApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const {
    config,
    secrets,
    services,
    database,
    engine,
    shared,
    clock,
    logger,
    metrics = NO_METRICS,
    web,
    articles,
    isLeaving,
    isStopping,
  } = dependencies;
  const { browser, billing, present } = services;
  const isFromProxy = createProxyCheck(config.trustProxy);
  const secure = config.publicUrl.startsWith('https:');
  const headers = createSecurityHeaders({
    secure,
    development: config.environment === 'development',
    inline: web.inline,
  });
  const options: FastifyHttpOptions<Server, FastifyBaseLogger> = {
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedBy(config.trustProxy),
    bodyLimit: BODY_BYTES,
    // A slow upload is answered in time by whoever reads it, and any other body by its deadline; this ends what slips through.
    requestTimeout: Math.ceil(longestUploadMs(paceOf(config), JOB_LIMITS.bytes)) + 10_000,
    genReqId: createRequestIds(isFromProxy),
    // What is longer than a call takes is refused by its own schema, and not taken for another address.
    routerOptions: { maxParamLength: LONGEST_ADDRESS },
    exposeHeadRoutes: true,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // An address that no router can read gets to no hook.
    frameworkErrors: (error, request, reply) =>
      sendError(error, request, reply.headers({ ...headers, [REQUEST_ID_HEADER]: request.id })),
    clientErrorHandler: createBrokenRequestHandler(headers),
    // Node itself would refuse it, without a word and without headers.
    http: { requireHostHeader: false },
  };
  const app = Fastify(options);
  app.setErrorHandler(sendError);

  registerRoutesWithAccess(app);
  watchConnections(app, { most: config.maxConnections, trustProxy: config.trustProxy });
  limitBodyTime(app, { milliseconds: config.bodyTimeoutSeconds * 1000, pace: paceOf(config) });
  ignoreExpectations(app);
  watchRequests(app, { metrics, tracing: dependencies.tracing ?? NO_TRACING, isFromProxy });
  tellRequestIds(app);
  await app.register(cookie);
  await app.register(rateLimit, {
    global: false,
    ...(shared && { store: createRedisRateLimits(shared.link, logger) }),
  });
  await app.register(multipart);
  registerSecurityHeaders(app, headers);
  warnOfUntrustedForwarding(app, config.trustProxy);
  registerHealth(app, {
    checks: {
      database: async () => {
        await pingDatabase(database);
        requireWritable(database);
        if (config.databaseUrl === undefined) await requireRoom(config.dataDir);
      },
      ...(shared && { redis: () => shared.ping() }),
      engine: () => answering(engine),
    },
    isLeaving,
    details: () => confinementDetails(engine),
    now: () => clock.now(),
  });

  if (dependencies.metrics) {
    const { host, publicUrl } = config;
    registerMetrics(app, { page: dependencies.metrics, token: secrets.metricsToken, host, publicUrl });
  }
  if (!shared) showEngine(metrics, engine);
  showQueue(metrics, engine, shared, config);
  showDatabase(metrics, database);
  showMails(metrics, services.mails);

  const groupsOf = createAddressOf(clock, secrets.addressKey);
  const addressOf = (request: FastifyRequest) => groupsOf(request).address;
  const perMinute = config.rateLimitPerMinute;
  const limiterOf = (name: string, most: number) =>
    createRateLimiter(app, { name, perMinute: most, addressOf });
  admitRequests(app, {
    publicUrl: config.publicUrl,
    keyring: services.keyring,
    isStopping,
    callLimiter: limiterOf('api', perMinute),
    programLimiter: createProgramLimiter(app, perMinute),
    checkKey: (key, scope, request) => services.apiKeys.authenticate(key, scope, addressOf(request)),
    findUser: browser.user,
    refuseChangedPerson,
    requireUser,
  });
  refuseUnkeepableText(app);
  // Only a server that listens looks after mails and payments; one that is built to be asked a question does not.
  app.addHook('onListen', async () => services.upkeep.start());
  app.addHook('onClose', () => services.upkeep.stop());
  if (shared) {
    let stopComparing = () => {};
    app.addHook('onListen', async () => {
      stopComparing = compareKeys(shared.link, secrets, logger);
    });
    app.addHook('onClose', async () => stopComparing());
  }
  app.addHook('onSend', async (_request, reply) => {
    if (isLeaving()) reply.header('connection', 'close');
  });

  const intake = createIntake({ memoryBytes: config.uploadMemoryMb * 1024 * 1024 });
  showUploads(metrics, intake, config);
  const recognition = buildRecognition(services, dependencies);
  const subjectOf = createSubjectOf({
    browser,
    premiumMonth: billing.premiumMonth,
    addressOf: groupsOf,
  });
  const pace = paceOf(config);
  const countedUpload = createCountedUpload({
    addressOf,
    intake: shared ? shared.intakeOfAll(intake) : intake,
    pace,
  });
  await app.register(recognitionRoutes, {
    service: recognition,
    progress: shared?.progress ?? createProgressHub(),
    subjectOf,
    previewLimiter: limiterOf('preview', Math.ceil(perMinute / 4)),
    countedUpload,
    pace,
    addressOf,
    watchTimeoutMs: longestAnswerMs(config),
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
    pace,
  });
  await app.register(webhooksRoutes, { secrets: services.webhookSecrets });
  const { continueSignIn } = services.secondFactorSignIn;
  const canPay = (request: FastifyRequest) => services.providers.for(request) !== undefined;
  await app.register(accountRoutes, {
    service: services.accountsService,
    browser,
    present,
    continueSignIn,
    addressOf,
    signedIn: (userId, request, reply) => services.held.releaseOf(userId, request, reply),
  });
  await app.register(settingsRoutes, {
    service: services.accountsService,
    browser,
    sessions: services.sessions,
    addressOf,
    factsOf: services.personalData,
    textsOf: services.texts.all,
  });
  await app.register(secondFactorRoutes, {
    service: services.secondFactor,
    signIn: services.secondFactorSignIn,
    present,
  });
  await app.register(registrationRoutes, {
    service: services.registration,
    held: services.held,
    addressOf,
    canPay,
  });
  await app.register(thirdPartyRoutes, {
    signInFor: services.thirdPartySignIn,
    providerName: config.oidcProvider,
    accounts: services.accounts,
    registrations: services.registrations,
    paymentOf: billing.paymentOf,
    held: services.held,
    continueSignIn,
    journeys: services.journeys,
    finished: services.finishedSignIns,
    addressOf,
    canPay,
    publicUrl: config.publicUrl,
  });
  await app.register(billingRoutes, {
    service: billing,
    held: services.held,
    payers: services.payers,
    addressOf,
    providers: services.providers,
    ceiling: services.webhookCeiling,
  });
  await app.register(savedTextsRoutes, { texts: services.texts, isPremium: billing.isPremium });
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
    limiter: limiterOf('policy-report', Math.ceil(perMinute / 12)),
    clock,
  });
  const usageAt = async (request: FastifyRequest) => recognition.usage(await subjectOf(request));
  const paymentAt = async (request: FastifyRequest) =>
    billing.context(await services.payers.at(request), services.providers.for(request));
  const ofPerson =
    <Answer>(request: FastifyRequest, answer: (person: SignedIn) => Promise<Answer>) =>
    async () => {
      const person = await browser.user(request);
      return person && answer(person);
    };
  const description = describeRoutes(app, { publicUrl: config.publicUrl, secure });
  await registerPages(app, {
    web,
    limiter: limiterOf('page', config.pageLimitPerMinute),
    siteFor: (request) => ({
      publicUrl: config.publicUrl,
      supportEmail: config.supportEmail,
      premiumAvailability: services.providers.for(request) ? config.premiumAvailability : 'coming-soon',
      signInProvider: config.oidcProvider,
      thirdPartySignIn: services.thirdPartySignIn(request)?.kind ?? null,
      worksOffline: config.serviceWorker === 'on' && config.environment !== 'development',
      freeDailyLimit: config.freeDailyLimit,
      premiumMonthlyLimit: config.premiumMonthlyLimit,
    }),
    now: () => clock.now(),
    commonData: {
      articles: async () => articles.list(),
      article: async (slug) => articles.find(slug),
      description: async () => description,
      languages: async () => (await recognition.languages()).map(({ code, name }) => ({ code, name })),
    },
    anonymousVisitorAt: async (request) => {
      const payer = await services.payers.at(request);
      if (payer.kind !== 'nobody') return undefined;
      return { usage: await usageAt(request), payment: await paymentAt(request) };
    },
    visitorData: (request) => ({
      user: ofPerson(request, ({ userId }) => present(userId)),
      usage: () => usageAt(request),
      payment: () => paymentAt(request),
      subscription: ofPerson(request, ({ userId }) => billing.subscription(userId)),
      account: ofPerson(request, (person) => services.accountsService.account(person)),
      savedTexts: ofPerson(request, (person) => services.texts.list(person, {})),
      savedText: (id) => ofPerson(request, (person) => services.texts.find(person, id))(),
      sessions: ofPerson(request, async (person) => ({ sessions: await services.sessions.list(person) })),
      secondFactor: ofPerson(request, async ({ userId }) => ({
        secondFactor: await services.secondFactor.status(userId),
      })),
      apiKeys: ofPerson(request, async ({ userId }) => ({ keys: await services.apiKeys.list(userId) })),
      webhookSecret: ofPerson(request, ({ userId }) => services.webhookSecrets.state(userId)),
    }),
  });
  return app;
}

/** Looks only: whoever asks for the server's health, however often, must not start what is resting after a failure. */
async function answering(engine: Engine): Promise<void> {
  const { state } = engine.status();
  if (state !== 'ready') throw new Error(`the engine is ${state}`);
}

/** Which walls stand around recognition, in two words. Why one does not is told in the log alone. */
function confinementDetails(engine: Engine): { confinement?: Record<string, 'on' | 'off'> } {
  const { confinement } = engine.status();
  if (confinement === undefined) return {};
  const standing = confinement.on.map((wall) => [wall, 'on'] as const);
  const missing = Object.keys(confinement.off).map((wall) => [wall, 'off'] as const);
  return { confinement: Object.fromEntries([...standing, ...missing]) };
}
