import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Keyring } from '../platform/keyring.ts';
import { createBrowserIdentification, type SignedIn } from './caller.ts';
import { answerPreflights, type OriginCheck } from './cors.ts';
import { createError, stopping } from './errors.ts';
import { createOriginCheck } from './origin.ts';
import { createProgramAdmission, type KeyCheck } from './program.ts';
import type { ProgramLimiter, RateLimiter } from './rate-limit.ts';
import { isAmbiguous, isApiTarget } from './target.ts';

interface AdmissionOptions {
  publicUrl: string;
  keyring: Keyring;
  isStopping: () => boolean;
  callLimiter: RateLimiter;
  programLimiter: ProgramLimiter;
  checkKey: KeyCheck;
  allowsOrigin: OriginCheck;
  findUser: (request: FastifyRequest) => Promise<SignedIn | null>;
  /** @throws {AppError} 401 or 409 if the page shows another user than the signed-in one. */
  refuseChangedPerson: (request: FastifyRequest, reply: FastifyReply) => void;
  /** @throws {AppError} 401 without a signed-in user. */
  requireUser: (request: FastifyRequest) => unknown;
}

/** Maximum length of path and query. Characters. */
export const MAX_TARGET_LENGTH = 2048;
const MAX_PROVIDER_TARGET_LENGTH = 8192;

/**
 * Checks of a request before its route runs, by the declaration of the matched route. The path only has to be unambiguous.
 */
export function admitRequests(app: FastifyInstance, options: AdmissionOptions): void {
  const { publicUrl, keyring, isStopping, callLimiter, findUser, refuseChangedPerson, requireUser } = options;
  const identifyBrowser = createBrowserIdentification(keyring, publicUrl.startsWith('https:'));
  const refuseForeignOrigin = createOriginCheck(publicUrl, app.log);
  const admitProgram = createProgramAdmission(options);

  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request, reply) => {
    const { access, call } = request.routeOptions.config;
    rejectBadHost(request);
    rejectAmbiguousTarget(
      request.url,
      call?.limits?.longAddress ? MAX_PROVIDER_TARGET_LENGTH : MAX_TARGET_LENGTH,
    );
    if (isStopping() && access !== 'anyone' && access !== 'operator') throw stopping();
    const isCall = isCallTo(request);
    if (isCall) reply.header('cache-control', 'no-store');
    if (isCall && (await admitProgram(request, reply))) return;
    const isOfBrowser = access === 'visitor' || access === 'owner' || access === 'user';
    const browser = isOfBrowser ? identifyBrowser(request, reply) : null;
    request.caller = browser && { kind: 'browser', ...browser };
    if (access !== 'provider') refuseForeignOrigin(request);
    if (!isCall) return;
    await callLimiter.check(request);
    if (!browser) return;
    const user = await findUser(request);
    request.caller = user ? { kind: 'user', user, ...browser } : { kind: 'visitor', ...browser };
    refuseChangedPerson(request, reply);
    if (access === 'user') requireUser(request);
  });
  answerPreflights(app, options.allowsOrigin);
}

/** Requests without a route are only rate-limited. */
function isCallTo({ routeOptions, url }: FastifyRequest): boolean {
  const { kind } = routeOptions.config;
  return kind === undefined ? isApiTarget(url) : kind === 'call';
}

/**
 * HTTP/1.1 requires exactly one valid Host header (RFC 9112, 3.2). Other requests probe for differences between chained
 * servers.
 */
function rejectBadHost({ headers, raw }: FastifyRequest): void {
  const isDemanded = raw.httpVersionMajor === 1 && raw.httpVersionMinor === 1;
  if (headers.host === undefined && !isDemanded) return;
  if (headers.host === undefined) throw badHost('http.no_host', 'a request without a Host header');
  if (countOf('host', raw.rawHeaders) > 1) throw badHost('http.bad_host', 'several Host headers');
  if (!isHost(headers.host)) throw badHost('http.bad_host', 'a Host header that names no host');
}

const countOf = (name: string, rawHeaders: readonly string[]): number =>
  rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length;

/** A name, an IPv4 address or a bracketed IPv6 one, with an optional port (RFC 3986, 3.2.2). */
const HOST = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

const isHost = (host: string): boolean => HOST.test(host) && URL.canParse(`http://${host}/`);

const badHost = (code: 'http.no_host' | 'http.bad_host', message: string) =>
  createError(code, 'The request could not be understood.', { reason: message, closeConnection: true });

function rejectAmbiguousTarget(address: string, longest: number): void {
  if (address.length > longest) {
    throw createError('http.address_too_long', 'The address is too long.', {
      reason: `an address of ${address.length} characters`,
    });
  }
  if (!isAmbiguous(address)) return;
  throw createError(
    'http.odd_address',
    'This site does not write its addresses like this one. Please check it for doubled slashes and stray % signs.',
  );
}
