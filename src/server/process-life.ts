import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, loadConfig } from './config.ts';
import type { Logger } from './platform/logger.ts';

/** The package's folder: this file runs from `src` in development and from `dist` in production. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('No package.json was found above the server.');
    folder = parent;
  }
  return folder;
}

/** Reads the environment and `.env`. An invalid setting ends the process with one line. */
export function readConfig(root: string): Config {
  const envFile = join(root, '.env');
  if (existsSync(envFile)) process.loadEnvFile(envFile);
  try {
    return loadConfig(process.env);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}

interface ShutdownOptions {
  logger: Logger;
  /** The process accepts requests this long after SIGTERM, so that load balancers notice. */
  drainMs?: number;
  /** Time limit of running work after draining. */
  timeoutMs: number;
  onRequest?: () => void;
  stop: () => Promise<void>;
}

/** The first signal lets running work finish; the second one, or a timeout, ends the process at once. */
export function stopOnSignal({ logger, drainMs = 0, timeoutMs, onRequest, stop }: ShutdownOptions): void {
  let requested = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (requested) {
      logger.warn({ signal }, 'stopping at once');
      process.exit(1);
    }
    requested = true;
    onRequest?.();
    // Ctrl-C (SIGINT) needs no draining, because a developer's server has no proxy.
    const drains = signal === 'SIGTERM' && drainMs > 0;
    if (drains)
      logger.info({ signal, drainMs }, 'draining: requests are accepted until load balancers notice');
    setTimeout(end, drains ? drainMs : 0, signal);
  };
  const end = (signal: NodeJS.Signals) => {
    logger.info({ signal }, 'stopping: running work is finished, new work is rejected');
    setTimeout(() => {
      logger.error('stopping took too long');
      process.exit(1);
    }, timeoutMs).unref();
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
