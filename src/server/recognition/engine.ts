import { createEngine, type Engine } from '#ocr';
import type { Config } from '../config.ts';
import type { Logger } from '../platform/logger.ts';

/** The engine that the settings ask for; what becomes of its process is logged. */
export function createEngineFor(config: Config, logger: Logger): Engine {
  return createEngine({
    maxPixels: config.maxPixels,
    ...(config.ocrConcurrency !== undefined && { concurrency: config.ocrConcurrency }),
    queueLimit: config.ocrQueueLimit,
    premiumReserve: config.ocrPremiumReserve,
    timeoutMs: config.ocrTimeoutSeconds * 1000,
    waitMs: config.ocrWaitSeconds * 1000,
    languageDirs: config.ocrLanguageDirs,
    recycleAfter: config.ocrPicturesPerProcess,
    confinement: config.ocrConfinement,
    ...(config.ocrMemoryMegabytes !== undefined && { memoryLimit: config.ocrMemoryMegabytes * 2 ** 20 }),
    onEvent: (event) => logger.info(event, 'recognition'),
  });
}
