import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import type { Engine } from '#ocr';
import type { Config } from './config.ts';
import { showEngine, showUp } from './gauges.ts';
import { registerRoutesWithAccess } from './http/access.ts';
import { notFound, sendError } from './http/errors.ts';
import { registerHealth } from './http/health.ts';
import { registerMetrics } from './http/metrics.ts';
import type { Logger } from './platform/logger.ts';
import type { MetricsPage } from './platform/metrics.ts';
import type { RedisLink } from './platform/redis.ts';

interface WorkerHealthOptions {
  config: Pick<Config, 'host' | 'metricsToken'>;
  port: number;
  metrics: MetricsPage | undefined;
  engine: Engine;
  link: RedisLink;
  logger: Logger;
}

/** HTTP server of a worker with `/healthz`, `/readyz` and `/metrics` only. */
export async function listenForHealth(options: WorkerHealthOptions): Promise<{ close(): Promise<void> }> {
  const { config, port, metrics, engine, link, logger } = options;
  const { host, metricsToken } = config;
  const app = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024,
    requestTimeout: 10_000,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
  });
  app.setErrorHandler(sendError);
  app.setNotFoundHandler(() => {
    throw notFound();
  });
  registerRoutesWithAccess(app);
  registerHealth(app, {
    checks: {
      redis: () => link.ping(),
      engine: async () => {
        const { state } = engine.status();
        if (state !== 'ready') throw new Error(`the engine is ${state}`);
      },
    },
    isDraining: () => false,
    now: () => new Date(),
  });
  if (metrics) {
    // A worker has no public URL, only the address on which it listens.
    registerMetrics(app, {
      page: metrics,
      token: metricsToken,
      host,
      publicUrl: `http://${host.includes(':') ? `[${host}]` : host}`,
    });
    showEngine(metrics, engine);
    showUp(metrics, 'glyphlift_redis_up', () => link.ping());
  }
  await app.listen({ port, host });
  const address = app.server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  logger.info({ host, port: bound }, 'the worker reports its health');
  return { close: () => app.close() };
}
