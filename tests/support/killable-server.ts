/**
 * The server as a process of its own, to be killed: everything is real but the engine and the pages.
 * Settings come from the environment; it says `ready` once it listens.
 */
import { createPasswordHasher } from '../../src/server/accounts/password.ts';
import { createApp } from '../../src/server/app.ts';
import { loadConfig } from '../../src/server/config.ts';
import { loadArticles } from '../../src/server/content/articles.ts';
import { openDatabase } from '../../src/server/database/database.ts';
import { loadSecrets } from '../../src/server/http/secrets.ts';
import { systemClock } from '../../src/server/platform/clock.ts';
import { createLogger } from '../../src/server/platform/logger.ts';
import { createMailer } from '../../src/server/platform/mailer.ts';
import { MemoryEngine } from './server-engine.ts';

const config = loadConfig(process.env);
const logger = createLogger('warn');
const app = await createApp({
  config,
  secrets: await loadSecrets(config),
  database: await openDatabase({ ...config, logger }),
  engine: new MemoryEngine(),
  clock: systemClock,
  logger,
  web: {
    render: async () => ({ status: 200, head: '', body: '', state: '' }),
    assets: () => ({ script: '', css: '', modules: [], fonts: [] }),
    register: async () => {},
  },
  articles: await loadArticles('content/blog'),
  mailer: createMailer(config, logger),
  passwordHasher: createPasswordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 }),
  isStopping: () => false,
});
await app.listen({ port: config.port, host: config.host });
process.stdout.write('ready\n');
