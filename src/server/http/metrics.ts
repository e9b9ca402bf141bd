import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { MetricsPage } from '../platform/metrics.ts';
import { createError, notFound } from './errors.ts';
import { createOwnMachineCheck } from './own-machine.ts';

interface MetricsOptions {
  page: MetricsPage;
  /** Whoever knows it may look; without one only this machine's own user may. */
  token: string | undefined;
  /** What the server listens on, and what people open. */
  host: string;
  publicUrl: string;
}

/**
 * `GET /metrics`, as Prometheus reads it: for this machine's own user where nobody else can reach the server, and for
 * whoever has the token. Through a proxy everybody seems to be this machine, so there the token alone counts. To all
 * others there is nothing here, as at any address that does not exist. No limit counts those who look.
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
const refused = () =>
  createError('http.not_found', 'metrics are for the token or this machine alone', notFound().userMessage);
