import type { FastifyRequest } from 'fastify';
import { AppError } from './errors.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a change that another site's page asks for with this visitor's cookies. Browsers say where a request comes
 * from in `Sec-Fetch-Site` or at least in `Origin`; a request with neither comes from no browser page.
 */
export function refuseForeignOrigin(request: FastifyRequest, publicUrl: string): void {
  if (SAFE_METHODS.has(request.method)) return;
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  const foreign =
    (site !== undefined && site !== 'same-origin' && site !== 'none') ||
    (origin !== undefined && !isOurs(origin, host, publicUrl));
  if (!foreign) return;
  throw new AppError('http.foreign_origin', 'a state-changing call came from another origin', {
    status: 403,
    userMessage: 'This request came from another site and was refused.',
  });
}

/** The page may be open under another name of this server (127.0.0.1 for localhost): then `Host` names it too. */
function isOurs(origin: string, host: string | undefined, publicUrl: string): boolean {
  return origin === publicUrl || (URL.canParse(origin) && new URL(origin).host === host);
}
