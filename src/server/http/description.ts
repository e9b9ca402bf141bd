import type { FastifyInstance } from 'fastify';
import { CALLS } from '#contract/calls';
import { describeCalls } from '#contract/calls/site';
import { describeApi, type OpenApi } from '#contract/openapi';
import { cookieName } from './cookies.ts';
import { route } from './route.ts';

/** Raised when a call changes so that a program made for it has to change too. */
const VERSION = '1';

/** Describes every call for programs. */
export function describeRoutes(
  app: FastifyInstance,
  { publicUrl, secure }: { publicUrl: string; secure: boolean },
): OpenApi {
  const description = describeApi(CALLS, {
    publicUrl,
    version: VERSION,
    cookies: { visitor: cookieName('visitor', secure), session: cookieName('session', secure) },
  });
  const text = JSON.stringify(description);
  // It was validated when it was made: requests must not be able to repeat that work.
  route(app, describeCalls, ({ reply }) => reply.type('application/json; charset=utf-8').send(text));
  return description;
}
