import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { MetricsPage } from '../platform/metrics.ts';
import { createError, notFound } from './errors.ts';
import { createLocalRequestCheck } from './local-request.ts';

interface MetricsOptions {
  page: MetricsPage;
  /** Bearer token for reading metrics; without one only localhost may read them. */
  token: string | undefined;
  /** Listening address and public URL of the server. */
  host: string;
  publicUrl: string;
}

/**
 * `GET /metrics` in Prometheus' format: with the token, or from localhost if the server is not reachable from elsewhere.
 * Behind a proxy every request seems to come from localhost, so only the token counts. Others get a 404. Scrapes are not
 * rate-limited.
 */
export function registerMetrics(
  app: FastifyInstance,
  { page, token, host, publicUrl }: MetricsOptions,
): void {
  const isLocalRequest = createLocalRequestCheck({ host, publicUrl });
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`);
  const hasToken = ({ headers }: FastifyRequest) =>
    expected !== undefined && timingSafeEqual(digest(headers.authorization ?? ''), expected);

  app.get('/metrics', { config: { access: 'operator', kind: 'health' } }, async (request, reply) => {
    if (!hasToken(request) && !isLocalRequest(request)) throw refused();
    return reply
      .type(page.contentType)
      .header('cache-control', 'no-store')
      .send(await page.text());
  });
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The response is a 404; the log has the reason. */
const refused = () => createError('http.not_found', notFound().userMessage);
