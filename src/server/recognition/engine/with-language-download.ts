import { BUILT_IN_LANGUAGE } from '#contract/languages';
import { describeLanguage, type Engine, type LanguageFetcher, OCR_ERRORS, OcrError } from '#ocr';
import type { Logger } from '../../platform/logger.ts';
import type { Metrics } from '../../platform/metrics.ts';

interface OnDemandOptions {
  /** Downloads data into the engine's folder. */
  fetcher: Pick<LanguageFetcher, 'codes' | 'knows' | 'fetch' | 'close'>;
  /** Maximum time that an image waits for a language; the download continues afterwards. Milliseconds. */
  waitMs: number;
  logger: Logger;
  metrics: Metrics;
  /** Current time in milliseconds; replaced in tests. */
  now?: () => number;
}

/** Pause after a failed download of a language. */
const RETRY_AFTER_MS = 30_000;

/**
 * An engine that also offers languages which are not installed, and downloads each for the first image that needs it.
 * The image waits before it enters the queue, so that it does not block others.
 */
export function withLanguageDownload(
  engine: Engine,
  { fetcher, waitMs, logger, metrics, now = () => performance.now() }: OnDemandOptions,
): Engine {
  const failures = new Map<string, { until: number; message: string }>();
  const downloads = new Map<string, Promise<void>>();

  /** One log line and one count per download, however many images wait for it. */
  function startDownload(code: string): Promise<void> {
    const known = downloads.get(code);
    if (known) return known;
    const startedAt = now();
    logger.info({ language: code }, 'a language is fetched');
    const done = fetcher.fetch(code).then(
      () => {
        failures.delete(code);
        metrics.add('glyphlift_languages_fetched_total', { outcome: 'fetched' });
        logger.info({ language: code, ms: Math.round(now() - startedAt) }, 'a language was fetched');
      },
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        failures.set(code, { until: now() + RETRY_AFTER_MS, message });
        metrics.add('glyphlift_languages_fetched_total', { outcome: 'failed' });
        logger.warn({ err: error, language: code }, 'a language could not be fetched');
        throw notFetched(code, message, error);
      },
    );
    const entry = done.finally(() => downloads.delete(code));
    // Prevents an unhandled rejection if all waiting callers have left.
    entry.catch(() => {});
    downloads.set(code, entry);
    return entry;
  }

  async function waitForLanguage(
    code: string,
    { signal, onStage }: Pick<NonNullable<Parameters<Engine['recognize']>[1]>, 'signal' | 'onStage'>,
  ): Promise<void> {
    const failure = failures.get(code);
    if (failure && now() < failure.until) throw notFetched(code, failure.message);
    const timeLimit = AbortSignal.timeout(waitMs);
    const stop = signal ? AbortSignal.any([signal, timeLimit]) : timeLimit;
    const shared = startDownload(code);
    const download = fetcher.fetch(code, {
      signal: stop,
      onProgress: ({ received, of }) =>
        onStage?.({ name: 'fetching-language', language: code, received, of }),
    });
    try {
      await download;
      await shared;
    } catch (error) {
      if (signal?.aborted) throw new OcrError(OCR_ERRORS.aborted, 'given up while a language was fetched');
      if (timeLimit.aborted) throw notFetched(code, 'is still on its way');
      await shared;
      throw error;
    }
  }

  return {
    async recognize(picture, options = {}) {
      const wanted = (options.languages ?? []).filter((code) => code !== BUILT_IN_LANGUAGE);
      if (wanted.length > 0) {
        const installed = new Set((await engine.languages()).map(({ code }) => code));
        for (const code of wanted) {
          if (!installed.has(code) && (await fetcher.knows(code))) await waitForLanguage(code, options);
        }
      }
      return engine.recognize(picture, options);
    },

    async languages() {
      const installed = await engine.languages();
      const installedCodes = new Set(installed.map(({ code }) => code));
      const others = (await fetcher.codes()).filter((code) => !installedCodes.has(code));
      return [
        ...installed,
        ...others.map((code) => ({ ...describeLanguage(code), onDemand: true as const })),
      ].sort((a, b) => a.name.localeCompare(b.name, 'en'));
    },

    preview: (picture, maxSide, options) => engine.preview(picture, maxSide, options),
    pages: (document, options) => engine.pages(document, options),
    ready: () => engine.ready(),
    status: () => engine.status(),

    async close() {
      await Promise.all([fetcher.close(), engine.close()]);
    },
  };
}

const notFetched = (code: string, why: string, cause?: unknown) =>
  new OcrError(OCR_ERRORS.languageNotFetched, `${code} could not be fetched: ${why}`, { cause });
