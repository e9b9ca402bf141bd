import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from './app.ts';
import { type Config, loadConfig } from './config.ts';
import { loadArticles } from './content/articles.ts';
import { loadBuiltWeb } from './http/built-web.ts';
import { createLiveWeb } from './http/live-web.ts';
import { createPasswordHasher } from './people/password.ts';
import { systemClock } from './platform/clock.ts';
import { createLogger } from './platform/logger.ts';
import { createMailer } from './platform/mailer.ts';
import { loadSecrets } from './platform/secrets.ts';
import { distantEngine } from './recognition/distant-engine.ts';
import { createEngineFor } from './recognition/engine.ts';
import { longestAnswerMs } from './recognition/settings.ts';
import { openDatabase } from './schema.ts';
import { buildServices } from './services.ts';

/** The composition root: builds every part, hands each what it needs, listens, and takes it all down again. */

const root = packageRoot();
const envFile = join(root, '.env');
if (existsSync(envFile)) process.loadEnvFile(envFile);

const config = readConfig();
const logger = createLogger(config.logLevel);
let stopRequested = false;

try {
  await serve();
} catch (error) {
  logger.fatal({ err: error }, 'the server could not start');
  process.exit(1);
}

async function serve(): Promise<void> {
  const secrets = await loadSecrets(config);
  const database = await openDatabase({ ...config, logger });
  // A confined process sees a folder that was there when it started, with whatever is laid into it afterwards.
  await mkdir(join(config.dataDir, 'languages'), { recursive: true });
  const engine = isLentAnEngine(config) ? distantEngine(process) : createEngineFor(config, logger);
  const web =
    config.environment === 'development'
      ? createLiveWeb(root, join(config.dataDir, 'outbox'))
      : await loadBuiltWeb(root);
  const shared = { config, secrets, database, engine, clock: systemClock, logger };
  const app = await createApp({
    ...shared,
    services: buildServices({
      ...shared,
      mailer: createMailer(config, logger),
      passwordHasher: createPasswordHasher(),
    }),
    web,
    articles: await loadArticles(join(root, 'content', 'blog')),
    isStopping: () => stopRequested,
  });
  stopOnSignal(async () => {
    await app.close();
    await engine.close();
    await database.destroy();
  });
  if (config.ocrConfinement === 'require') await engine.ready();
  engine.ready().catch((error) => logger.error({ err: error }, 'recognition did not come up'));

  await app.listen({ port: config.port, host: config.host });
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  logger.info(
    { url: config.publicUrl, host: config.host, port },
    `Glyphlift is ready at ${config.publicUrl}`,
  );
}

/** Whether `npm run dev` started this process, and keeps the engine while it comes and goes. */
function isLentAnEngine({ environment }: Config): boolean {
  return environment === 'development' && process.send !== undefined;
}

/** The first signal lets what runs finish; the second one, or too much time, ends the process at once. */
function stopOnSignal(stop: () => Promise<void>): void {
  const patienceMs = longestAnswerMs(config) + 10_000;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopRequested) {
      logger.warn({ signal }, 'stopping at once');
      process.exit(1);
    }
    stopRequested = true;
    logger.info({ signal }, 'stopping: what runs is finished, nothing new is taken');
    setTimeout(() => {
      logger.error('stopping took too long');
      process.exit(1);
    }, patienceMs).unref();
    stop().then(
      () => {
        logger.info('stopped');
        process.exit(0);
      },
      (error) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

function readConfig(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}

/** This file runs from `src` in development and from `dist` in production; the package is the folder around both. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('No package.json was found above the server.');
    folder = parent;
  }
  return folder;
}
