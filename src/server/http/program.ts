import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiScope } from '#contract/api-key-rules';
import { type ApiKeyCaller, presentedKey } from './caller.ts';
import { addCorsHeaders, type OriginCheck } from './cors.ts';
import { createError } from './errors.ts';
import type { ProgramLimiter, RateLimiter } from './rate-limit.ts';

/** @throws {AppError} 401 for an unknown key, 403 for a key without `scope`, 429. */
export type KeyCheck = (key: string, scope: ApiScope, request: FastifyRequest) => Promise<ApiKeyCaller>;

interface ProgramAdmissionOptions {
  checkKey: KeyCheck;
  allowsOrigin: OriginCheck;
  callLimiter: RateLimiter;
  programLimiter: ProgramLimiter;
}

/**
 * Admits a call with an API key, if the contract allows keys for this call. Cookies are ignored then.
 * @returns whether there was a key; then no further checks are needed
 */
export function createProgramAdmission(options: ProgramAdmissionOptions) {
  const { checkKey, allowsOrigin, callLimiter, programLimiter } = options;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    const key = presentedKey(request);
    if (key === undefined) return false;
    request.cookies = {};
    // The caller is not known yet, so this limits key guesses per address.
    await callLimiter.check(request);
    const { call } = request.routeOptions.config;
    if (!call || call.key === 'ignored') return true;
    if (call.key === undefined) throw notForThisCall();
    const caller = await checkKey(key, call.key, request);
    request.caller = { kind: 'apiKey', ...caller };
    await addCorsHeaders(request, reply, (origin) => allowsOrigin(origin, caller.keyId));
    await programLimiter.check(request, reply);
    return true;
  };
}

const notForThisCall = () =>
  createError(
    'api_keys.not_for_this_call',
    'This call does not accept API keys. It is available to users in a browser only.',
  );
