import type {} from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerId } from './caller.ts';
import { createError } from './errors.ts';

export interface RateLimiter {
  check(request: FastifyRequest): Promise<void>;
}

/** Limit of an address as a multiple of a visitor's limit, because many people may share an address. */
const ADDRESS_FACTOR = 5;
const WINDOW_MS = 60_000;

interface RateLimiterOptions {
  name: string;
  perMinute: number;
  /** The client's network address, grouped because an IPv6 client has many. */
  ipHashOf: (request: FastifyRequest) => string;
}

/**
 * A limit per visitor, which is fair, and one per address, which also limits clients without cookies.
 * Needs `@fastify/rate-limit` to be registered.
 */
export function createRateLimiter(
  app: FastifyInstance,
  { name, perMinute, ipHashOf }: RateLimiterOptions,
): RateLimiter {
  const visitor = app.createRateLimit({
    max: perMinute,
    timeWindow: WINDOW_MS,
    keyGenerator: (request) => `${name}:visitor:${callerId(request)}`,
  });
  const address = app.createRateLimit({
    max: perMinute * ADDRESS_FACTOR,
    timeWindow: WINDOW_MS,
    keyGenerator: (request) => `${name}:address:${ipHashOf(request)}`,
  });
  return {
    async check(request) {
      // Without a known caller, only the address is limited.
      for (const limit of callerId(request) !== '' ? [visitor, address] : [address]) {
        const result = await limit(request);
        if (!result.isAllowed && result.isExceeded) throw tooManyRequests(result.ttlInSeconds);
      }
    },
  };
}

export interface ProgramLimiter {
  /** Adds the remaining limit to the response headers. @throws {AppError} 429 with `Retry-After`. */
  check(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** Name of the limit in the headers. */
const POLICY = '"calls"';

/**
 * A limit for all API keys of one user together. Sent as `RateLimit-Policy` and `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers-10).
 */
export function createProgramLimiter(app: FastifyInstance, perMinute: number): ProgramLimiter {
  const limit = app.createRateLimit({
    max: perMinute,
    timeWindow: WINDOW_MS,
    keyGenerator: (request) => `program:${callerId(request)}`,
  });
  return {
    async check(request, reply) {
      const result = await limit(request);
      if (result.isAllowed) return;
      reply.header('ratelimit-policy', `${POLICY};q=${result.max};w=${WINDOW_MS / 1000}`);
      reply.header('ratelimit', `${POLICY};r=${result.remaining};t=${result.ttlInSeconds}`);
      if (result.isExceeded) throw tooManyRequests(result.ttlInSeconds);
    },
  };
}

const tooManyRequests = (seconds: number) =>
  createError('http.too_many_requests', 'Too many requests. Please wait a moment and try again.', {
    retryAfter: Math.max(1, seconds),
  });
