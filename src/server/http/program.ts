import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiScope } from '#contract/api-key-rules';
import { createError } from './errors.ts';
import { presentedKey } from './presented-key.ts';
import type { ProgramLimiter, RateLimiter } from './rate-limit.ts';

/** A program that calls in somebody's name. Its key was checked for this very request. */
export interface ApiCaller {
  readonly userId: string;
  readonly keyId: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for whoever comes without a key. */
    apiCaller: ApiCaller | null;
  }
}

/** @throws {AppError} 401 for a key that is none, 403 for one that does not open what asks for `scope`, 429. */
export type KeyCheck = (key: string, scope: ApiScope, request: FastifyRequest) => Promise<ApiCaller>;

interface ProgramAdmissionOptions {
  checkKey: KeyCheck;
  callLimiter: RateLimiter;
  programLimiter: ProgramLimiter;
}

/**
 * Admits a call that comes with a key, if the call was declared to be open to keys. Whoever sends a key is its owner's program
 * and nobody else: the cookies that came along, and whom they belong to, count for nothing.
 * @returns whether there was a key; then nothing is left to check
 */
export function createProgramAdmission({ checkKey, callLimiter, programLimiter }: ProgramAdmissionOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    const key = presentedKey(request);
    if (key === undefined) return false;
    request.cookies = {};
    // Nobody is known yet: this counts the address, so that keys cannot be tried without end.
    await callLimiter.check(request);
    const { call } = request.routeOptions.config;
    if (!call || call.key === 'ignored') return true;
    if (call.key === undefined) throw notForThisCall();
    const caller = await checkKey(key, call.key, request);
    request.apiCaller = caller;
    // What is counted for a visitor elsewhere is counted for the key's owner.
    request.visitorId = `user:${caller.userId}`;
    await programLimiter.check(request, reply);
    return true;
  };
}

const notForThisCall = () =>
  createError(
    'api_keys.not_for_this_call',
    'an API key came with a call that none opens',
    'API keys do not open this call. It is made by people, in a browser.',
  );
