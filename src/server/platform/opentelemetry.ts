import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Span as ApiSpan,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from './logger.ts';
import {
  type OpenSpan,
  readTraceparent,
  type SpanOptions,
  type Tracing,
  writeTraceparent,
} from './tracing.ts';

interface OpenTelemetryOptions {
  /** OTLP/HTTP endpoint, such as `http://collector:4318`. */
  endpoint: string;
  serviceName: string;
  /** 0 to 1: the share of requests without a trace context that are traced. */
  sampleRatio: number;
  version: string;
  logger: Logger;
}

/** Time limit for exporting the last spans. */
const SHUTDOWN_TIMEOUT_MS = 3_000;
const SUCCESS = 0;

/** Spans are created explicitly; no module is patched and nothing is set globally. */
export function openTelemetry({
  endpoint,
  serviceName,
  sampleRatio,
  version,
  logger,
}: OpenTelemetryOptions): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: logFailuresOnce(exporter, logger) })],
  });
  const tracer = provider.getTracer('glyphlift', version);
  const activeSpan = new AsyncLocalStorage<ApiSpan>();

  function contextOf(parent: string | undefined): Context {
    const remote = readTraceparent(parent);
    if (remote) return trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
    const current = activeSpan.getStore();
    return current ? trace.setSpan(ROOT_CONTEXT, current) : ROOT_CONTEXT;
  }

  function wrap(span: ApiSpan): OpenSpan {
    return {
      traceparent: writeTraceparent(span.spanContext()),
      setAttributes: (attributes) => void span.setAttributes(attributes),
      addChild(name, { from, to }) {
        const part = tracer.startSpan(name, { startTime: from }, trace.setSpan(ROOT_CONTEXT, span));
        part.end(to);
        return wrap(part);
      },
      run: (work) => activeSpan.run(span, work),
      rename: (name) => void span.updateName(name),
      end(failed) {
        if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  function open(name: string, kind: SpanKind, { parent, attributes }: SpanOptions = {}): ApiSpan {
    return tracer.startSpan(name, { kind, ...(attributes && { attributes }) }, contextOf(parent));
  }

  return {
    open: (name, options) => wrap(open(name, SpanKind.SERVER, options)),
    async span(name, work, options) {
      const span = open(name, SpanKind.INTERNAL, options);
      const wrapped = wrap(span);
      let failed = true;
      try {
        const result = await activeSpan.run(span, () => work(wrapped));
        failed = false;
        return result;
      } finally {
        wrapped.end(failed);
      }
    },
    onStatement(sql, milliseconds) {
      if (!activeSpan.getStore()) return;
      const to = Date.now();
      // Statements are recorded with placeholders and without parameters.
      const [operation = ''] = /^\w+/.exec(sql.trimStart()) ?? [];
      const attributes = { 'db.operation.name': operation.toLowerCase() };
      const startTime = to - milliseconds;
      tracer
        .startSpan('database', { kind: SpanKind.CLIENT, startTime, attributes }, contextOf(undefined))
        .end(to);
    },
    async close() {
      await Promise.race([
        provider.shutdown().catch(() => {}),
        delay(SHUTDOWN_TIMEOUT_MS, undefined, { ref: false }),
      ]);
    },
  };
}

/** An unavailable collector is logged once per outage. */
function logFailuresOnce(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isUnavailable = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== SUCCESS;
        if (failed && !isUnavailable) logger.warn({ err: result.error }, 'traces could not be exported');
        isUnavailable = failed;
        done(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}
