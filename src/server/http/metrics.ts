import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { MetricsPage } from '../platform/metrics.ts';
import { createError, notFound } from './errors.ts';
import { createOwnMachineCheck } from './own-machine.ts';

interface MetricsOptions {
  page: MetricsPage;
  /** Whoever sends it may read the metrics; without one only this machine's own user may. */
  token: string | undefined;
  /** The address that the server listens on, and the public one. */
  host: string;
  publicUrl: string;
}

/**
 * `GET /metrics` in Prometheus' format: for this machine's own user where the server is not reachable from elsewhere,
 * and for holders of the token. Behind a proxy every request seems to come from this machine, so there only the token
 * counts. All others get the answer of an unknown address. Scrapes are not rate-limited.
 */
export function registerMetrics(
  app: FastifyInstance,
  { page, token, host, publicUrl }: MetricsOptions,
): void {
  const isOwnMachine = createOwnMachineCheck({ host, publicUrl });
  const expected = token === undefined ? undefined : digest(`Bearer ${token}`);
  const hasToken = ({ headers }: FastifyRequest) =>
    expected !== undefined && timingSafeEqual(digest(headers.authorization ?? ''), expected);

  app.get('/metrics', { config: { access: 'operator', kind: 'health' } }, async (request, reply) => {
    if (!hasToken(request) && !isOwnMachine(request)) throw refused();
    return reply
      .type(page.contentType)
      .header('cache-control', 'no-store')
      .send(await page.text());
  });
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The answer is that of an unknown address; the log names the reason. */
const refused = () => createError('http.not_found', notFound().userMessage);
