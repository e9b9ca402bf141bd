import type { RateLimitPluginOptions } from '@fastify/rate-limit';
import type { Engine } from '#ocr';
import type { Config } from '../../config.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Logger } from '../../platform/logger.ts';
import { openRedis, warnOfPersistence } from '../../platform/redis.ts';
import { createProgressHub, type ProgressHub } from '../progress.ts';
import type { Repeats } from '../repeats.ts';
import { PREFIX } from './picture-queue.ts';
import { QueuedEngine } from './queued-engine.ts';
import { shareProgress } from './shared-progress.ts';
import { shareRepeats } from './shared-repeats.ts';

/** What all web processes of an installation have in common: who reads, what is asked twice, what is told, what is counted. */
export interface SharedRecognition {
  engine: Engine;
  progress: ProgressHub;
  /** @param own those of this process */
  repeatsOfAll<T>(own: Repeats<T>, keyring: Keyring): Repeats<T>;
  rateLimits: Pick<RateLimitPluginOptions, 'redis' | 'nameSpace' | 'skipOnError' | 'allowList'>;
  /** @throws when Redis does not answer */
  ping(): Promise<void>;
  /** Ends all connections; the engine is closed before. */
  close(): Promise<void>;
}

export async function openSharedRecognition(
  redisUrl: string,
  config: Config,
  logger: Logger,
): Promise<SharedRecognition> {
  const link = await openRedis(redisUrl, logger);
  void warnOfPersistence(link.commands, logger);
  return {
    engine: new QueuedEngine({
      link,
      logger,
      queueLimit: config.ocrQueueLimit,
      premiumReserve: config.ocrPremiumReserve,
      memoryBytes: config.ocrQueueMemoryMb * 2 ** 20,
      waitMs: config.ocrWaitSeconds * 1000,
    }),
    progress: shareProgress(createProgressHub(), link, logger),
    repeatsOfAll: (own, keyring) => shareRepeats(own, { link, keyring, logger }),
    rateLimits: {
      redis: link.commands,
      nameSpace: `${PREFIX}:limit:`,
      // While Redis is away nothing that costs much is to be had, and pages still come.
      skipOnError: true,
      allowList: () => link.awayFor() > 0,
    },
    ping: () => link.ping(),
    close: () => link.close(),
  };
}
