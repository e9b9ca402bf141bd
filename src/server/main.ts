import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { createPasswordHasher } from './accounts/password.ts';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { loadArticles } from './content/articles.ts';
import { loadBuiltWeb } from './http/built-web.ts';
import { createLiveWeb } from './http/live-web.ts';
import { systemClock } from './platform/clock.ts';
import { createLogger } from './platform/logger.ts';
import { createMailer } from './platform/mailer.ts';
import type { Metrics } from './platform/metrics.ts';
import { openObservability } from './platform/observability.ts';
import { loadSecrets } from './platform/secrets.ts';
import type { Tracing } from './platform/tracing.ts';
import { packageRoot, readConfig, stopOnSignal } from './process-life.ts';
import { ipcEngine } from './recognition/engine/ipc-engine.ts';
import { createLocalEngine } from './recognition/engine/local-engine.ts';
import { longestStopMs } from './recognition/recognition.settings.ts';
import { openDatabase } from './schema.ts';
import { buildServices } from './services.ts';

/** x */

// Uploads are in memory, and by default V8 would run a marking phase of some 10 ms for every 16 MB. With this flag V8 marks
// when the heap is five times as large as after the last collection. Parallel scavenging threads would compete with
// recognition for a core.
setFlagsFromString('--heap-growing-percent=400');
setFlagsFromString('--no-parallel-scavenge');

const root = packageRoot();
const config = readConfig(root);
const logger = createLogger(config.logLevel);
try {
  await serve();
} catch (error) {
  logger.fatal({ err: error }, 'the server could not start');
  process.exit(1);
}

async function serve(): Promise<void> {
  const secrets = await loadSecrets(config);
  const { metrics, tracing } = await openObservability(config, { process: 'glyphlift', root, logger });
  const database = await openDatabase({ ...config, logger, onStatement: tracing.onStatement });
  const shared = await openShared(config.redisUrl, tracing);
  const engine = shared?.engine ?? (await openLocalEngine(metrics));
  const web =
    config.environment === 'development'
      ? createLiveWeb(root, join(config.dataDir, 'outbox'))
      : await loadBuiltWeb(root, config);
  const parts = { config, secrets, database, engine, shared, clock: systemClock, logger, metrics, tracing };
  const shutdown = { isDraining: false, isStopping: false };
  const app = await createApp({
    ...parts,
    services: buildServices({
      ...parts,
      mailer: createMailer(config, logger),
      passwordHasher: createPasswordHasher(),
    }),
    web,
    articles: await loadArticles(join(root, 'content', 'blog')),
    isDraining: () => shutdown.isDraining,
    isStopping: () => shutdown.isStopping,
  });
  stopOnSignal({
    logger,
    drainMs: config.drainSeconds * 1000,
    timeoutMs: longestStopMs(config),
    onRequest: () => {
      shutdown.isDraining = true;
    },
    async stop() {
      shutdown.isStopping = true;
      await app.close();
      await engine.close();
      await shared?.close();
      await database.destroy();
      await tracing.close();
    },
  });
  if (config.ocrConfinement === 'require' && !shared) await engine.ready();
  engine.ready().catch((error) => logger.error({ err: error }, 'recognition could not start'));

  await app.listen({ port: config.port, host: config.host });
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  logger.info(
    { url: config.publicUrl, host: config.host, port },
    `Glyphlift is ready at ${config.publicUrl}`,
  );
}

/** Loaded lazily, because a single server does not need these modules. */
async function openShared(redisUrl: string | undefined, tracing: Tracing) {
  if (redisUrl === undefined) return undefined;
  const { openSharedRecognition } = await import('./recognition/redis/shared-recognition.ts');
  return openSharedRecognition(redisUrl, config, logger, tracing);
}

async function openLocalEngine(metrics: Metrics | undefined) {
  // A sandboxed process sees only folders that existed at its start.
  await mkdir(join(config.dataDir, 'languages'), { recursive: true });
  return isEngineInParent(config) ? ipcEngine(process) : createLocalEngine(config, logger, metrics);
}

/** Whether `npm run dev` started this process and keeps the engine running while this process restarts. */
function isEngineInParent({ environment }: Config): boolean {
  return environment === 'development' && process.send !== undefined;
}
