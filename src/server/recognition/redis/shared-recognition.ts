import type { z } from 'zod';
import type { Engine } from '#ocr';
import type { Config } from '../../config.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { Logger } from '../../platform/logger.ts';
import { openRedis, type RedisLink, warnOfPersistence } from '../../platform/redis.ts';
import { NO_TRACING, type Tracing } from '../../platform/tracing.ts';
import { QueuedEngine } from '../engine/queued-engine.ts';
import type { IdempotencyCache } from '../idempotency-cache.ts';
import { createProgressHub, type ProgressHub } from '../progress.ts';
import { queueOf } from '../recognition.settings.ts';
import type { UploadLimiter } from '../upload/upload-limiter.ts';
import { createRedisIdempotencyCache } from './redis-idempotency-cache.ts';
import { createRedisProgress } from './redis-progress.ts';
import { createRedisUploadLimiter } from './redis-upload-limiter.ts';

/** State shared by all web processes of an installation: workers, repeated requests, progress. */
export interface SharedRecognition {
  /** For shared counters of other slices. */
  link: RedisLink;
  engine: Engine & Pick<QueuedEngine, 'liveStatus'>;
  progress: ProgressHub;
  /** @param own the intake of this process */
  sharedUploadLimiter(local: UploadLimiter): UploadLimiter;
  /** @param local the cache of this process */
  idempotencyCacheOfAll<T>(
    local: IdempotencyCache<T>,
    schema: z.ZodType<T>,
    keyring: Keyring,
  ): IdempotencyCache<T>;
  ping(): Promise<void>;
  /** Closes all connections. The engine must be closed before. */
  close(): Promise<void>;
}

export async function openSharedRecognition(
  redisUrl: string,
  config: Config,
  logger: Logger,
  tracing: Tracing = NO_TRACING,
): Promise<SharedRecognition> {
  const link = await openRedis(redisUrl, logger);
  void warnOfPersistence(link.commands, logger);
  return {
    link,
    engine: new QueuedEngine({
      link,
      logger,
      tracing,
      ...queueOf(config),
      memoryBytes: config.ocrQueueMemoryMb * 2 ** 20,
      waitMs: config.ocrWaitSeconds * 1000,
    }),
    progress: createRedisProgress(createProgressHub(), link, logger),
    sharedUploadLimiter: (local) => createRedisUploadLimiter(local, link, logger),
    idempotencyCacheOfAll: (local, schema, keyring) =>
      createRedisIdempotencyCache(local, { schema, link, keyring, logger }),
    ping: () => link.ping(),
    close: () => link.close(),
  };
}
