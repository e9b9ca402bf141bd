/**
 * The server as a separate process that tests kill, stop or watch. Everything is real except for the pages and, unless
 * `REAL_ENGINE` is set or workers read over Redis, the engine. Settings come from the environment. It prints `ready` once it
 * listens.
 */
import { createEngine } from '#ocr';
import { createPasswordHasher } from '../../src/server/accounts/password.ts';
import { createApp } from '../../src/server/app.ts';
import { loadConfig } from '../../src/server/config.ts';
import { loadArticles } from '../../src/server/content/articles.ts';
import { systemClock } from '../../src/server/platform/clock.ts';
import { createLogger } from '../../src/server/platform/logger.ts';
import { createMailer } from '../../src/server/platform/mailer.ts';
import { loadSecrets } from '../../src/server/platform/secrets.ts';
import { stopOnSignal } from '../../src/server/process-life.ts';
import { longestStopMs } from '../../src/server/recognition/recognition.settings.ts';
import { openSharedRecognition } from '../../src/server/recognition/redis/shared-recognition.ts';
import { openDatabase } from '../../src/server/schema.ts';
import { buildServices } from '../../src/server/services.ts';
import { MemoryEngine, recognitionOf, textOn, untilAborted } from './server-engine.ts';

const config = loadConfig(process.env);
const logger = createLogger('warn');
const overRedis =
  config.redisUrl === undefined ? undefined : await openSharedRecognition(config.redisUrl, config, logger);
const ownEngine = () => {
  if (process.env.REAL_ENGINE) return realEngine();
  const { HELD_TEXT } = process.env;
  if (HELD_TEXT === undefined) return new MemoryEngine();
  // Returns the text in the file. A text with HELD_TEXT is never finished.
  return new MemoryEngine(async (bytes, { page, signal }) => {
    const text = textOn(bytes, page);
    const isHeld = text.includes(HELD_TEXT);
    return isHeld ? untilAborted(signal, () => new Error('given up')) : recognitionOf(text);
  });
};
const realEngine = () =>
  createEngine({
    maxPixels: config.maxPixels,
    concurrency: 1,
    queueLimit: config.ocrQueueLimit,
    premiumReserve: config.ocrPremiumReserve,
    timeoutMs: config.ocrTimeoutSeconds * 1000,
    languageDirs: [],
    confinement: config.ocrConfinement,
  });
const engine = overRedis?.engine ?? ownEngine();
if (!overRedis) await engine.ready();
const shared = {
  config,
  secrets: await loadSecrets(config),
  database: await openDatabase({ ...config, logger }),
  engine,
  shared: overRedis,
  clock: systemClock,
  logger,
};
const app = await createApp({
  ...shared,
  services: buildServices({
    ...shared,
    mailer: createMailer(config, logger),
    passwordHasher: createPasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 }),
  }),
  web: {
    render: async () => ({ status: 200, isCanonical: false, head: '', body: '', state: '' }),
    assets: () => ({ script: '', earlyScript: '', css: '', modules: [], fonts: [] }),
    inline: { script: '', style: '' },
    register: async () => {},
  },
  articles: await loadArticles('content/blog'),
  isDraining: () => false,
  isStopping: () => false,
});
stopOnSignal({
  logger,
  timeoutMs: longestStopMs(config),
  async stop() {
    await app.close();
    await engine.close();
    await overRedis?.close();
    await shared.database.destroy();
  },
});
await app.listen({ port: config.port, host: config.host });
process.stdout.write('ready\n');
