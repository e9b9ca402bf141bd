import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from './platform/logger.ts';
import { NO_METRICS } from './platform/metrics.ts';
import { openObservability } from './platform/observability.ts';
import { openRedis } from './platform/redis.ts';
import { packageRoot, readConfig, stopOnSignal } from './process-life.ts';
import { instrumentEngine } from './recognition/engine/instrumented-engine.ts';
import { createLocalEngine } from './recognition/engine/local-engine.ts';
import { longestWorkerStopMs } from './recognition/recognition.settings.ts';
import { startPictureWorker } from './recognition/redis/queue-worker.ts';

/**
 * A process that reads images for web processes. Any number of workers may run, on any machines that reach the same Redis. A
 * worker needs neither the database nor secrets, and listens only on the optional health port.
 */

const root = packageRoot();
const config = readConfig(root);
const logger = createLogger(config.logLevel);
const RETRY_MS = 2_000;

if (config.redisUrl === undefined) {
  process.stderr.write(
    'A worker needs REDIS_URL: the same Redis as the servers that it reads pictures for.\n',
  );
  process.exit(1);
}
await work(config.redisUrl);

async function work(redisUrl: string): Promise<void> {
  // A sandboxed process sees only folders that existed at its start.
  await mkdir(join(config.dataDir, 'languages'), { recursive: true }).catch(() => {});
  const { metrics, tracing } = await openObservability(config, { process: 'glyphlift-worker', root, logger });
  const concurrency = config.ocrConcurrency ?? availableParallelism();
  const workMs = config.ocrTimeoutSeconds * 1000;
  // Redis enforces the queue limits, so the engine of this process accepts every image.
  const engine = createLocalEngine(
    { ...config, ocrQueueLimit: 2 * concurrency, ocrPremiumReserve: 0, ocrWaitSeconds: (2 * workMs) / 1000 },
    logger,
    metrics,
  );
  let stopping = false;
  let close = async (): Promise<void> => {};
  stopOnSignal({
    logger,
    timeoutMs: longestWorkerStopMs(config),
    onRequest: () => {
      stopping = true;
    },
    async stop() {
      await close();
      await engine.close();
      await tracing.close();
    },
  });

  // Images are only taken while the engine is ready.
  while (!stopping) {
    try {
      await engine.ready();
      break;
    } catch (error) {
      logger.error({ err: error }, 'recognition could not start');
      if (config.ocrConfinement === 'require') process.exit(1);
      await delay(RETRY_MS);
    }
  }
  if (stopping) return;
  const link = await openRedis(redisUrl, logger);
  const watched = { metrics: metrics ?? NO_METRICS, tracing, logger, countsWaiting: false };
  const worker = startPictureWorker({ link, engine: instrumentEngine(engine, watched), concurrency, logger });
  const port = config.workerMetricsPort;
  const health =
    port === undefined
      ? undefined
      : await (await import('./worker-health.ts')).listenForHealth({
          config,
          port,
          metrics,
          engine,
          link,
          logger,
        });
  close = async () => {
    await health?.close();
    await worker.close();
    await link.close();
  };
  logger.info({ concurrency }, 'Glyphlift’s worker is ready');
}
