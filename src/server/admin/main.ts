/** The operator's tool: `npm run admin -- --help`. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createPasswordHasher } from '../accounts/password.ts';
import { loadConfig } from '../config.ts';
import { AppError } from '../http/errors.ts';
import { systemClock } from '../platform/clock.ts';
import { createLogger } from '../platform/logger.ts';
import { createMailer } from '../platform/mailer.ts';
import { loadSecrets } from '../platform/secrets.ts';
import { openDatabase } from '../schema.ts';
import { buildServices } from '../services.ts';
import { CommandLineError, execute, requireDatabase } from './commands.ts';
import { parseCommandLine } from './parser.ts';

await run();

async function run(): Promise<void> {
  try {
    const invocation = parseCommandLine(process.argv.slice(2));
    if (!invocation) return;
    if (existsSync('.env')) process.loadEnvFile(resolve('.env'));
    const config = loadConfig(process.env);
    requireDatabase(config, invocation);
    // Standard output is for the answers, so the log goes to standard error.
    const logger = createLogger('warn', { write: (line) => void process.stderr.write(line) });
    const database = await openDatabase({ ...config, logger });
    const services = buildServices({
      config,
      secrets: await loadSecrets(config),
      database,
      clock: systemClock,
      logger,
      mailer: createMailer(config, logger),
      passwordHasher: createPasswordHasher(),
    });
    try {
      const output = await execute({ config, services, database, clock: systemClock }, invocation);
      process.stdout.write(`${output}\n`);
    } finally {
      await services.maintenance.stop();
      await database.destroy();
    }
  } catch (error) {
    const message =
      error instanceof AppError ? error.userMessage : error instanceof Error ? error.message : error;
    process.stderr.write(`${message}\n`);
    process.exitCode = error instanceof CommandLineError ? 2 : 1;
  }
}
