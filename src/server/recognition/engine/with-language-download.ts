import { BUILT_IN_LANGUAGE } from '#contract/languages';
import { describeLanguage, type Engine, type LanguageFetcher, OCR_ERRORS, OcrError } from '#ocr';
import type { Logger } from '../../platform/logger.ts';
import type { Metrics } from '../../platform/metrics.ts';

interface OnDemandOptions {
  /** Downloads data into the engine's folder. */
  fetcher: Pick<LanguageFetcher, 'codes' | 'knows' | 'fetch' | 'close'>;
  /** How long an image waits for a language at most; the download then continues. Milliseconds. */
  waitMs: number;
  logger: Logger;
  metrics: Metrics;
  /** Current time in milliseconds; replaced in tests. */
  now?: () => number;
}

/** After a failed download, how long the language is not requested again. */
const REST_MS = 30_000;

/**
 * An engine that also offers languages which are not installed, and downloads each for the first image that needs it.
 * That image waits here, before it takes a place in the queue, so that others are not blocked.
 */
export function withLanguageDownload(
  engine: Engine,
  { fetcher, waitMs, logger, metrics, now = () => performance.now() }: OnDemandOptions,
): Engine {
  const failures = new Map<string, { until: number; message: string }>();
  const underWay = new Map<string, Promise<void>>();

  /** One log line and one count per download, however many images wait for it. */
  function fetched(code: string): Promise<void> {
    const known = underWay.get(code);
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
        failures.set(code, { until: now() + REST_MS, message });
        metrics.add('glyphlift_languages_fetched_total', { outcome: 'failed' });
        logger.warn({ err: error, language: code }, 'a language could not be fetched');
        throw notFetched(code, message, error);
      },
    );
    const entry = done.finally(() => underWay.delete(code));
    // All waiting callers may have left.
    entry.catch(() => {});
    underWay.set(code, entry);
    return entry;
  }

  async function bring(
    code: string,
    { signal, onStage }: Pick<NonNullable<Parameters<Engine['recognize']>[1]>, 'signal' | 'onStage'>,
  ): Promise<void> {
    const failure = failures.get(code);
    if (failure && now() < failure.until) throw notFetched(code, failure.message);
    const timeLimit = AbortSignal.timeout(waitMs);
    const stop = signal ? AbortSignal.any([signal, timeLimit]) : timeLimit;
    const whole = fetched(code);
    const download = fetcher.fetch(code, {
      signal: stop,
      onProgress: ({ received, of }) =>
        onStage?.({ name: 'fetching-language', language: code, received, of }),
    });
    try {
      await download;
      await whole;
    } catch (error) {
      if (signal?.aborted) throw new OcrError(OCR_ERRORS.aborted, 'given up while a language was fetched');
      if (timeLimit.aborted) throw notFetched(code, 'is still on its way');
      await whole;
      throw error;
    }
  }

  return {
    async recognize(picture, options = {}) {
      const asked = (options.languages ?? []).filter((code) => code !== BUILT_IN_LANGUAGE);
      if (asked.length > 0) {
        const installed = new Set((await engine.languages()).map(({ code }) => code));
        for (const code of asked) {
          if (!installed.has(code) && (await fetcher.knows(code))) await bring(code, options);
        }
      }
      return engine.recognize(picture, options);
    },

    async languages() {
      const installed = await engine.languages();
      const there = new Set(installed.map(({ code }) => code));
      const others = (await fetcher.codes()).filter((code) => !there.has(code));
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
