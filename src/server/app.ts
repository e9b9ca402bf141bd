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
import { refuseChangedPerson, requireUser } from './accounts/browser.ts';
import { showDatabase, showEngine, showMails, showQueue } from './gauges.ts';
import { registerRoutesWithAccess } from './http/access.ts';
import { createAddressOf, trustedBy, warnOfUntrustedForwarding } from './http/address.ts';
import { admitRequests, MAX_TARGET_LENGTH } from './http/admission.ts';
import { limitBodyTime } from './http/body-deadline.ts';
import {
  createBrokenRequestHandler,
  ignoreExpectations,
  rejectNulCharacters,
} from './http/broken-requests.ts';
import { watchConnections } from './http/connections.ts';
import { sendError } from './http/errors.ts';
import { createSecurityHeaders, registerSecurityHeaders } from './http/headers.ts';
import { registerHealth } from './http/health.ts';
import { registerMetrics } from './http/metrics.ts';
import { registerPages } from './http/pages.ts';
import { createProgramLimiter, createRateLimiter } from './http/rate-limit.ts';
import { createRedisRateLimits } from './http/redis-rate-limit.ts';
import { createProxyCheck, createRequestIds, REQUEST_ID_HEADER, sendRequestIds } from './http/request-id.ts';
import { watchRequests } from './http/watched-requests.ts';
import { pageOptions } from './page-options.ts';
import { pingDatabase, requireWritable } from './platform/database.ts';
import { compareKeys } from './platform/key-comparison.ts';
import { NO_METRICS } from './platform/metrics.ts';
import { requireDiskSpace } from './platform/sqlite.ts';
import { NO_TRACING } from './platform/tracing.ts';
import { minimumRateOf } from './recognition/recognition.settings.ts';
import { longestUploadMs } from './recognition/upload/upload.ts';
import { type AppDependencies, registerSlices } from './slices.ts';

/** Limit of JSON bodies. Uploads have their own limit. */
const BODY_BYTES = 64 * 1024;

/** The whole application without a port. Registers request checks, then slices, then pages; the order matters. */
export async function createApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { config, secrets, services, clock } = dependencies;
  const headers = createSecurityHeaders({
    secure: config.publicUrl.startsWith('https:'),
    development: config.environment === 'development',
    inline: dependencies.web.inline,
  });
  const app = Fastify(fastifyOptions(dependencies, headers));
  app.setErrorHandler(sendError);
  registerRoutesWithAccess(app);
  await registerHttp(app, dependencies, headers);
  registerHealthAndMetrics(app, dependencies);

  const addressGroupsOf = createAddressOf(clock, secrets.addressKey);
  const addressOf = (request: FastifyRequest) => addressGroupsOf(request).address;
  const limiterOf = (name: string, perMinute: number) =>
    createRateLimiter(app, { name, perMinute, addressOf });
  admitRequests(app, {
    publicUrl: config.publicUrl,
    keyring: services.keyring,
    isStopping: dependencies.isStopping,
    callLimiter: limiterOf('api', config.rateLimitPerMinute),
    programLimiter: createProgramLimiter(app, config.rateLimitPerMinute),
    checkKey: (key, scope, request) => services.apiKeys.authenticate(key, scope, addressOf(request)),
    allowsOrigin: services.apiKeys.allowsOrigin,
    findUser: services.browser.user,
    refuseChangedPerson,
    requireUser,
  });
  rejectNulCharacters(app);
  runInBackground(app, dependencies);
  const slices = await registerSlices(app, { ...dependencies, addressGroupsOf, addressOf, limiterOf });
  await registerPages(app, pageOptions(app, dependencies, { ...slices, limiterOf }));
  return app;
}

function fastifyOptions(
  { config, logger }: AppDependencies,
  headers: Record<string, string>,
): FastifyHttpOptions<Server, FastifyBaseLogger> {
  return {
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedBy(config.trustProxy),
    bodyLimit: BODY_BYTES,
    // Slow uploads and bodies have their own deadlines; this is the fallback.
    requestTimeout: Math.ceil(longestUploadMs(minimumRateOf(config), JOB_LIMITS.bytes)) + 10_000,
    genReqId: createRequestIds(createProxyCheck(config.trustProxy)),
    // Longer parameters are rejected by the schema of their call.
    routerOptions: { maxParamLength: MAX_TARGET_LENGTH },
    exposeHeadRoutes: true,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Paths that the router cannot parse do not reach hooks.
    frameworkErrors: (error, request, reply) =>
      sendError(error, request, reply.headers({ ...headers, [REQUEST_ID_HEADER]: request.id })),
    clientErrorHandler: createBrokenRequestHandler(headers),
    // Node would reject a missing Host without our body and headers, so `admitRequests` does it.
    http: { requireHostHeader: false },
  };
}

/** Plugins and hooks for every request. */
async function registerHttp(
  app: FastifyInstance,
  { config, shared, logger, metrics, tracing = NO_TRACING, isDraining }: AppDependencies,
  headers: Record<string, string>,
): Promise<void> {
  watchConnections(app, { max: config.maxConnections, trustProxy: config.trustProxy });
  limitBodyTime(app, { milliseconds: config.bodyTimeoutSeconds * 1000, minimumRate: minimumRateOf(config) });
  ignoreExpectations(app);
  watchRequests(app, {
    metrics: metrics ?? NO_METRICS,
    tracing,
    isFromProxy: createProxyCheck(config.trustProxy),
  });
  sendRequestIds(app);
  await app.register(cookie);
  await app.register(rateLimit, {
    global: false,
    ...(shared && { store: createRedisRateLimits(shared.link, logger) }),
  });
  await app.register(multipart);
  registerSecurityHeaders(app, headers);
  warnOfUntrustedForwarding(app, config.trustProxy);
  app.addHook('onSend', async (_request, reply) => {
    if (isDraining()) reply.header('connection', 'close');
  });
}

function registerHealthAndMetrics(app: FastifyInstance, dependencies: AppDependencies): void {
  const { config, secrets, services, database, engine, shared, clock, isDraining } = dependencies;
  registerHealth(app, {
    checks: {
      database: async () => {
        await pingDatabase(database);
        requireWritable(database);
        if (config.databaseUrl === undefined) await requireDiskSpace(config.dataDir);
      },
      ...(shared && { redis: () => shared.ping() }),
      engine: () => requireReady(engine),
    },
    isDraining,
    details: () => confinementDetails(engine),
    now: () => clock.now(),
  });
  if (dependencies.metrics) {
    const { host, publicUrl } = config;
    registerMetrics(app, { page: dependencies.metrics, token: secrets.metricsToken, host, publicUrl });
  }
  const metrics = dependencies.metrics ?? NO_METRICS;
  if (!shared) showEngine(metrics, engine);
  showQueue(metrics, engine, shared, config);
  showDatabase(metrics, database);
  showMails(metrics, services.mails);
}

/** Background tasks run only in a listening server. */
function runInBackground(
  app: FastifyInstance,
  { services, shared, secrets, logger }: Pick<AppDependencies, 'services' | 'shared' | 'secrets' | 'logger'>,
): void {
  app.addHook('onListen', async () => services.maintenance.start());
  app.addHook('onClose', () => services.maintenance.stop());
  if (!shared) return;
  let stopComparing = () => {};
  app.addHook('onListen', async () => {
    stopComparing = compareKeys(shared.link, secrets, logger);
  });
  app.addHook('onClose', async () => stopComparing());
}

/** Reads the state of the engine, because a health check must not start an engine that pauses after a failure. */
async function requireReady(engine: Engine): Promise<void> {
  const { state } = engine.status();
  if (state !== 'ready') throw new Error(`the engine is ${state}`);
}

/** States of the sandbox layers. Only the log contains the reasons for inactive layers. */
function confinementDetails(engine: Engine): { confinement?: Record<string, 'on' | 'off'> } {
  const { confinement } = engine.status();
  if (confinement === undefined) return {};
  const on = confinement.on.map((layer) => [layer, 'on'] as const);
  const off = Object.keys(confinement.off).map((layer) => [layer, 'off'] as const);
  return { confinement: Object.fromEntries([...on, ...off]) };
}
