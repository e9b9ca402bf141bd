import { join, resolve } from 'node:path';
import { createEngine, type Engine, type EngineEvent, LanguageFetcher } from '#ocr';
import type { Config } from '../../config.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Metrics, NO_METRICS } from '../../platform/metrics.ts';
import { queueOf } from '../recognition.settings.ts';
import { withLanguageDownload } from './with-language-download.ts';

/** The engine that runs on this machine. Events of its child process are logged and counted. */
export function createLocalEngine(config: Config, logger: Logger, metrics: Metrics = NO_METRICS): Engine {
  const count = createRestartCount(metrics);
  const engine = createEngine({
    maxPixels: config.maxPixels,
    ...(config.ocrConcurrency !== undefined && { concurrency: config.ocrConcurrency }),
    ...queueOf(config),
    timeoutMs: config.ocrTimeoutSeconds * 1000,
    waitMs: config.ocrWaitSeconds * 1000,
    languageDirs: config.ocrLanguageDirs,
    recycleAfter: config.ocrPicturesPerProcess,
    confinement: config.ocrConfinement,
    ...(config.ocrMemoryMegabytes !== undefined && { memoryLimit: config.ocrMemoryMegabytes * 2 ** 20 }),
    onEvent(event) {
      logger.info(event, 'recognition');
      count(event);
    },
  });
  const folder = join(config.dataDir, 'languages');
  // Without a folder that the engine reads, languages are not downloaded.
  const isRead = config.ocrLanguageDirs.some((directory) => resolve(directory) === folder);
  if (config.ocrLanguagesOnDemand === 'off' || !isRead) return engine;
  return withLanguageDownload(engine, {
    fetcher: new LanguageFetcher({ folder }),
    waitMs: config.ocrWaitSeconds * 1000,
    logger,
    metrics,
  });
}

/** Killing the process causes two events: the reason, and the exit. */
function createRestartCount(metrics: Metrics): (event: EngineEvent) => void {
  const ended = new Map<number, 'outgrown' | 'unyielding'>();
  const restarted = (reason: string) => metrics.add('glyphlift_engine_restarts_total', { reason });
  return (event) => {
    switch (event.name) {
      case 'process-outgrown':
        ended.set(event.pid, 'outgrown');
        break;
      case 'process-unyielding':
        ended.set(event.pid, 'unyielding');
        break;
      case 'process-died':
        restarted(ended.get(event.pid) ?? 'crashed');
        ended.delete(event.pid);
        metrics.add('glyphlift_engine_pictures_lost_total', {}, event.picturesLost);
        break;
      case 'process-recycled':
        restarted('recycled');
        break;
      case 'process-start-failed':
        restarted('start_failed');
        break;
      case 'thread-died':
        metrics.add('glyphlift_engine_threads_died_total', {});
    }
  };
}
