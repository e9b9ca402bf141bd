import { BUILT_IN_LANGUAGE } from '#contract/languages';
import { describeLanguage, type Engine, type LanguageFetcher, OCR_ERRORS, OcrError } from '#ocr';
import type { Logger } from '../../platform/logger.ts';
import type { Metrics } from '../../platform/metrics.ts';

interface OnDemandOptions {
  /** Lays data down where the engine looks for it. */
  fetcher: Pick<LanguageFetcher, 'codes' | 'knows' | 'fetch' | 'close'>;
  /** The longest that a picture waits for a language; the download then continues. Milliseconds. */
  waitMs: number;
  logger: Logger;
  metrics: Metrics;
  /** Milliseconds; a test has a clock of its own. */
  now?: () => number;
}

/** How long after a failure the registry is not asked for the same language again. */
const REST_MS = 30_000;

/**
 * An engine that also offers languages which are not installed, and fetches each for the first picture that needs it.
 * That picture waits here, before it takes a place in the queue, so that others, in English above all, go on.
 */
export function withLanguageDownload(
  engine: Engine,
  { fetcher, waitMs, logger, metrics, now = () => performance.now() }: OnDemandOptions,
): Engine {
  const failures = new Map<string, { until: number; message: string }>();
  const underWay = new Map<string, Promise<void>>();

  /** One line and one count for each language that is fetched, however many pictures wait for it. */
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
    // Those who waited for it may all have gone.
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
    const patience = signal ? AbortSignal.any([signal, timeLimit]) : timeLimit;
    const whole = fetched(code);
    const heard = fetcher.fetch(code, {
      signal: patience,
      onProgress: ({ received, of }) =>
        onStage?.({ name: 'fetching-language', language: code, received, of }),
    });
    try {
      await heard;
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
