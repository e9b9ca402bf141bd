import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '#contract/error-codes';
import type { Metrics } from '../platform/metrics.ts';
import type { OpenSpan, Tracing } from '../platform/tracing.ts';
import { pathOf } from './target.ts';

declare module 'fastify' {
  interface FastifyRequest {
    span: OpenSpan | undefined;
  }
  interface FastifyReply {
    errorCode?: ErrorCode;
  }
}

interface Watchers {
  metrics: Metrics;
  tracing: Tracing;
  isFromProxy: (request: IncomingMessage) => boolean;
}

/**
 * Log line, metric and trace of every request. They contain its method and route pattern; for pages the log also has the
 * path without the query.
 */
export function watchRequests(app: FastifyInstance, { metrics, tracing, isFromProxy }: Watchers): void {
  let inFlight = 0;
  metrics.addCollector(() => [{ name: 'glyphlift_http_requests_in_flight', labels: {}, value: inFlight }]);
  app.decorateRequest('span', undefined);

  app.addHook('onRequest', (request, reply, done) => {
    inFlight++;
    let open = true;
    // Runs for `finish` and `close`; the second call, or a client that left before the response, must not count twice.
    const end = (status: string) => {
      if (!open) return;
      open = false;
      inFlight--;
      record(request, reply, status);
    };
    reply.raw.once('finish', () => end(`${Math.floor(reply.statusCode / 100)}xx`));
    reply.raw.once('close', () => end('aborted'));
    const { traceparent } = request.headers;
    const parent = typeof traceparent === 'string' && isFromProxy(request.raw) ? traceparent : undefined;
    request.span = tracing.open(nameOf(request), {
      parent,
      attributes: {
        'http.request.method': request.method,
        'http.route': routeOf(request),
        'glyphlift.request_id': request.id,
      },
    });
    request.span.run(done);
  });
  // Parsing the body leaves the context of the span, so the handler enters it again.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.span) request.span.run(done);
    else done();
  });

  function record(request: FastifyRequest, reply: FastifyReply, status: string): void {
    const { method, span } = request;
    const labels = { method, route: routeOf(request), status };
    metrics.observe('glyphlift_http_request_duration_seconds', labels, reply.elapsedTime / 1000);
    if (reply.errorCode) metrics.add('glyphlift_refusals_total', { code: reply.errorCode });
    span?.setAttributes({ 'http.response.status_code': reply.statusCode, 'glyphlift.status': status });
    span?.end(reply.statusCode >= 500);
  }

  app.addHook('onResponse', async (request, reply) => {
    const route = routeOf(request);
    request.log.info(
      {
        method: request.method,
        path: route === '/*' ? pathOf(request.url).slice(0, 200) : route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    );
  });
}

/** The route pattern, because paths are unbounded. */
function routeOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? 'none';
}

const nameOf = (request: FastifyRequest): string => `${request.method} ${routeOf(request)}`;
