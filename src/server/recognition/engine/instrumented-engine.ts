import {
  type Engine,
  OCR_ERRORS,
  OcrError,
  type Origin,
  type PictureReport,
  PRIORITY,
  priorityName,
  type StageTimes,
} from '#ocr';
import type { Logger } from '../../platform/logger.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Span, Tracing } from '../../platform/tracing.ts';

interface Telemetry {
  metrics: Metrics;
  tracing: Tracing;
  logger: Logger;
  /** Whether the queue is in this process. A worker's own queue does not count. */
  countsWaiting: boolean;
}

type Kind = 'text' | 'preview' | 'pages';
const SPANS: Record<Kind, string> = { text: 'recognize', preview: 'preview', pages: 'count pages' };

/** An engine with metrics, traces and logs. */
export function instrumentEngine(
  engine: Engine,
  { metrics, tracing, logger, countsWaiting }: Telemetry,
): Engine {
  function instrumented<T>(
    kind: Kind,
    priority: keyof typeof PRIORITY,
    origin: Origin | undefined,
    work: (hooks: { origin?: Origin; onReport: (report: PictureReport) => void }) => Promise<T>,
  ): Promise<T> {
    const runInSpan = async (span: Span) => {
      const startedAt = Date.now();
      let report: PictureReport | undefined;
      let outcome: string = OCR_ERRORS.internal;
      try {
        const result = await work({
          ...(origin && { origin: { ...origin, traceparent: span.traceparent } }),
          onReport(reported) {
            report = reported;
            addStageSpans(reported, startedAt, span);
          },
        });
        outcome = 'done';
        return result;
      } catch (error) {
        if (error instanceof OcrError) outcome = error.code;
        throw error;
      } finally {
        span.setAttributes({ 'glyphlift.priority': priority, 'glyphlift.outcome': outcome });
        if (report) measure(report);
        if (report?.pid !== undefined) log(report, outcome);
      }

      function measure({ waitedMs, workedMs, stages }: PictureReport): void {
        if (countsWaiting && waitedMs !== undefined) {
          metrics.observe('glyphlift_queue_wait_seconds', { priority }, waitedMs / 1000);
        }
        if (workedMs === undefined) return;
        metrics.add('glyphlift_engine_pictures_total', { kind, outcome });
        metrics.observe('glyphlift_engine_picture_duration_seconds', { kind }, workedMs / 1000);
        for (const [stage, milliseconds] of Object.entries(stages)) {
          metrics.observe('glyphlift_engine_stage_duration_seconds', { stage }, milliseconds / 1000);
        }
      }

      function log({ waitedMs, workedMs, stages, pid }: PictureReport, outcomeLabel: string): void {
        const rounded = (times: StageTimes) =>
          Object.fromEntries(Object.entries(times).map(([stage, ms]) => [stage, Math.round(ms)]));
        logger.info(
          {
            reqId: origin?.requestId,
            kind,
            priority,
            outcome: outcomeLabel,
            waitedMs: waitedMs === undefined ? undefined : Math.round(waitedMs),
            workedMs: workedMs === undefined ? undefined : Math.round(workedMs),
            stages: rounded(stages),
            pid,
          },
          'a picture left the recognition process',
        );
      }
    };
    return tracing.span(SPANS[kind], runInSpan, {
      ...(origin?.traceparent !== undefined && { parent: origin.traceparent }),
      attributes: origin ? { 'glyphlift.request_id': origin.requestId } : {},
    });
  }

  return {
    recognize: (picture, options = {}) =>
      instrumented('text', priorityName(options.priority ?? PRIORITY.free), options.origin, (hooks) =>
        engine.recognize(picture, { ...options, ...hooks }),
      ),
    preview: (picture, maxSide, options = {}) =>
      instrumented('preview', 'preview', options.origin, (hooks) =>
        engine.preview(picture, maxSide, { ...options, ...hooks }),
      ),
    pages: (document, options = {}) =>
      instrumented('pages', priorityName(options.priority ?? PRIORITY.free), options.origin, (hooks) =>
        engine.pages(document, { ...options, ...hooks }),
      ),
    languages: () => engine.languages(),
    ready: () => engine.ready(),
    status: () => engine.status(),
    close: () => engine.close(),
  };
}

function addStageSpans({ waitedMs, workedMs, stages }: PictureReport, startedAt: number, span: Span): void {
  if (waitedMs === undefined) return;
  const started = startedAt + waitedMs;
  span.addChild('queue', { from: startedAt, to: started });
  if (workedMs === undefined) return;
  const reading = span.addChild('read', { from: started, to: started + workedMs });
  let from = started;
  for (const [stage, milliseconds] of Object.entries(stages)) {
    reading.addChild(stage, { from, to: from + milliseconds });
    from += milliseconds;
  }
}
