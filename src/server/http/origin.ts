import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { createError } from './errors.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Names of localhost. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * CSRF protection: rejects changes that pages of other sites request. Browsers send `Sec-Fetch-Site` or at least `Origin`; a
 * request without both does not come from a browser page. The check ignores the Host header, because attackers can point
 * their own domain at this server.
 * @returns a check that throws 403
 */
export function createOriginCheck(
  publicUrl: string,
  log: Pick<FastifyBaseLogger, 'warn'>,
): (request: FastifyRequest) => void {
  const ownOrigins = ownOriginsOf(publicUrl);
  let warned = false;
  return ({ method, headers }) => {
    if (SAFE_METHODS.has(method)) return;
    const { origin, host, 'sec-fetch-site': site } = headers;
    const isForeign = origin !== undefined && !ownOrigins.has(origin);
    if (!isForeign && (site === undefined || site === 'same-origin' || site === 'none')) return;
    if (isForeign && !warned && URL.canParse(origin) && new URL(origin).host === host) {
      warned = true;
      log.warn(
        { publicUrl },
        'a page was opened at another address than PUBLIC_URL, and its changes are rejected',
      );
    }
    throw createError('http.foreign_origin', 'This request came from another site and was refused.');
  };
}

/** The origin of the public URL. A page on localhost may be open under any name of localhost. */
function ownOriginsOf(publicUrl: string): ReadonlySet<string> {
  const { protocol, hostname, port } = new URL(publicUrl);
  const names = LOOPBACK_NAMES.includes(hostname) ? LOOPBACK_NAMES : [hostname];
  return new Set(names.map((name) => `${protocol}//${name}${port && `:${port}`}`));
}
