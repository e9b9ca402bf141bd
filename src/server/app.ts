import { randomUUID } from 'node:crypto';
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
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { Engine } from '#ocr';
import type { Config } from './config.ts';
import type { ArticleLibrary } from './content/articles.ts';
import { contentRoutes } from './content/routes.ts';
import { registerRoutesWithAccess } from './http/access.ts';
import { groupAddress, trustedBy, warnOfUntrustedForwarding } from './http/address.ts';
import { admitRequests } from './http/admission.ts';
import { createBrokenRequestHandler, ignoreExpectations } from './http/broken-requests.ts';
import { closeQuietConnections } from './http/connections.ts';
import { sendError } from './http/errors.ts';
import { createNonce, createSecurityHeaders, registerSecurityHeaders } from './http/headers.ts';
import { registerHealth } from './http/health.ts';
import { registerPages, type Web } from './http/pages.ts';
import { policyReportRoutes } from './http/policy-reports.ts';
import { createRateLimiter } from './http/rate-limit.ts';
import { pathOf } from './http/target.ts';
import { refuseUnkeepableText } from './http/unkeepable-text.ts';
import { createMembership, type Membership, registerMembership } from './membership.ts';
import type { PasswordHasher } from './people/password.ts';
import { refuseChangedPerson } from './people/shown-person.ts';
import type { Clock } from './platform/clock.ts';
import { type Database, pingDatabase } from './platform/database.ts';
import type { Logger } from './platform/logger.ts';
import type { Mailer } from './platform/mailer.ts';
import type { Secrets } from './platform/secrets.ts';
import { type Subject, utcDay } from './recognition/allowance.ts';
import { createIntake } from './recognition/intake.ts';
import { createProgressHub } from './recognition/progress.ts';
import { createQuota } from './recognition/quota.ts';
import { recognitionRoutes } from './recognition/routes.ts';
import { createRecognitionService, longestExtractionMs } from './recognition/service.ts';
import { forgetPastQuotas } from './recognition/upkeep.ts';
import { longestUploadMs, type Pace } from './recognition/upload.ts';

export interface AppDependencies {
  config: Config;
  secrets: Secrets;
  database: Database;
  engine: Engine;
  clock: Clock;
  logger: Logger;
  web: Web;
  articles: ArticleLibrary;
  mailer: Mailer;
  passwordHasher: PasswordHasher;
  mailRequestsWithinMs?: number | undefined;
  /** True once the server should take no more requests; those that run are finished. */
  isStopping: () => boolean;
}

declare module 'fastify' {
  interface FastifyInstance {
    membership: Membership;
  }
}

/** JSON bodies are a few fields; pictures do not count here. */
const BODY_BYTES = 64 * 1024;

/** The whole server, except that it does not listen. */
export async function createApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { config, secrets, database, engine, clock, logger, web, articles, isStopping } = dependencies;
  const secure = config.publicUrl.startsWith('https:');
  const headers = createSecurityHeaders({ secure, development: config.environment === 'development' });
  const options: FastifyHttpOptions<Server, FastifyBaseLogger> = {
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedBy(config.trustProxy),
    bodyLimit: BODY_BYTES,
    // A slow upload is answered in time by whoever reads it; this ends what slips through.
    requestTimeout: longestUploadMs(paceOf(config)) + 10_000,
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // An address that no router can read gets to no hook.
    frameworkErrors: (error, request, reply) =>
      sendError(error, request, reply.headers(headers(createNonce()))),
    clientErrorHandler: createBrokenRequestHandler(headers),
    // Node itself would refuse it, without a word and without headers.
    http: { requireHostHeader: false },
  };
  const app = Fastify(options);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(sendError);

  const addressOf = (request: FastifyRequest) =>
    groupAddress(request.ip, utcDay(clock.now()).name, secrets.addressKey);
  const membership = createMembership(dependencies);
  const { browser, billing, keyring, present } = membership;
  const subjectOf = async (request: FastifyRequest): Promise<Subject> => {
    const person = await browser.person(request);
    if (!person) return { kind: 'visitor', id: request.visitorId, address: addressOf(request) };
    const month = await billing.premiumMonth(person.userId);
    if (month) return { kind: 'premium-user', id: person.userId, month };
    return { kind: 'free-user', id: person.userId, address: addressOf(request) };
  };

  registerRoutesWithAccess(app);
  closeQuietConnections(app);
  ignoreExpectations(app);
  logRequests(app);
  await app.register(cookie);
  await app.register(rateLimit, { global: false });
  await app.register(multipart);
  registerSecurityHeaders(app, headers);
  warnOfUntrustedForwarding(app, config.trustProxy);
  registerHealth(app, {
    checks: { database: () => pingDatabase(database), engine: () => answering(engine) },
    isStopping,
    details: () => wallsAround(engine),
    now: () => clock.now(),
  });

  const perMinute = config.rateLimitPerMinute;
  const limiterOf = (name: string, most: number) =>
    createRateLimiter(app, { name, perMinute: most, addressOf: (one) => addressOf(one).address });
  admitRequests(app, {
    publicUrl: config.publicUrl,
    keyring,
    isStopping,
    callLimiter: limiterOf('api', perMinute),
    refuseChangedPerson: (request, reply) => refuseChangedPerson(request, reply, browser),
    requirePerson: (request) => browser.requirePerson(request),
  });
  refuseUnkeepableText(app);
  // Only a server that listens looks after mails and payments; one that is built to be asked a question does not.
  app.decorate('membership', membership);
  app.addHook('onListen', async () => membership.start());
  app.addHook('onClose', () => membership.stop());
  app.addHook('onSend', async (_request, reply) => {
    if (isStopping()) reply.header('connection', 'close');
  });

  const quota = createQuota(database);
  forgetPastQuotas(app, quota, clock);
  const recognition = createRecognitionService({
    engine,
    quota,
    clock,
    logger,
    limits: {
      freeDailyLimit: config.freeDailyLimit,
      premiumMonthlyLimit: config.premiumMonthlyLimit,
      addressLimitFactor: config.addressLimitFactor,
      unpaidMsPerDay: config.failedWorkSeconds * 1000,
    },
    ...timesOf(config),
  });
  await app.register(recognitionRoutes, {
    service: recognition,
    progress: createProgressHub(),
    subjectOf,
    previewLimiter: limiterOf('preview', Math.ceil(perMinute / 4)),
    addressOf: (request) => addressOf(request).address,
    intake: createIntake({ memoryBytes: config.uploadMemoryMb * 1024 * 1024 }),
    pace: paceOf(config),
    watchTimeoutMs: longestAnswerMs(config),
  });
  await registerMembership(app, membership, dependencies, (request) => addressOf(request).address);
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
  await registerPages(app, {
    web,
    limiter: limiterOf('page', config.pageLimitPerMinute),
    siteFor: (request) => ({
      publicUrl: config.publicUrl,
      supportEmail: config.supportEmail,
      premiumAvailability: membership.providerFor(request) ? config.premiumAvailability : 'coming-soon',
      signInProvider: config.oidcProvider,
      thirdPartySignIn: membership.signInFor(request)?.kind ?? null,
      freeDailyLimit: config.freeDailyLimit,
      premiumMonthlyLimit: config.premiumMonthlyLimit,
    }),
    now: () => clock.now(),
    dataFor: (request) => ({
      user: async () => {
        const person = await browser.person(request);
        return person && present(person.userId);
      },
      usage: async () => recognition.usage(await subjectOf(request)),
      payment: async () => billing.context(await browser.payer(request), membership.providerFor(request)),
      subscription: async () => {
        const person = await browser.person(request);
        return person && billing.subscription(person.userId);
      },
      articles: async () => articles.list(),
      article: async (slug) => articles.find(slug),
    }),
  });
  return app;
}

/** From the first byte of a picture to its answer. */
export function longestAnswerMs(config: Config): number {
  return longestUploadMs(paceOf(config)) + longestExtractionMs(timesOf(config));
}

function timesOf({ ocrTimeoutSeconds, ocrWaitSeconds }: Config) {
  return { workMs: ocrTimeoutSeconds * 1000, waitMs: ocrWaitSeconds * 1000 };
}

function paceOf({ uploadMinRate, uploadStallSeconds }: Config): Pace {
  return { bytesPerSecond: uploadMinRate, measuredOverMs: uploadStallSeconds * 1000 };
}

/** One line for each answer. The path without its query, and nothing of what was sent: neither is ours to keep. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        path:
          request.routeOptions.url === '/*' ? pathOf(request.url).slice(0, 200) : request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    );
  });
}

/** Looks only: whoever asks for the server's health, however often, must not start what is resting after a failure. */
async function answering(engine: Engine): Promise<void> {
  const { state } = engine.status();
  if (state !== 'ready') throw new Error(`the engine is ${state}`);
}

/** Which walls stand around recognition, in two words. Why one does not is told in the log alone. */
function wallsAround(engine: Engine): { confinement?: Record<string, 'on' | 'off'> } {
  const { confinement } = engine.status();
  if (confinement === undefined) return {};
  const standing = confinement.on.map((wall) => [wall, 'on'] as const);
  const missing = Object.keys(confinement.off).map((wall) => [wall, 'off'] as const);
  return { confinement: Object.fromEntries([...standing, ...missing]) };
}
