import type { FastifyInstance, FastifyRequest } from 'fastify';
import { joinWaitlist, leaveWaitlist } from '#contract/calls/waitlist';
import { unsubscribeRequestSchema } from '#contract/waitlist';
import { readBody, route } from '../http/route.ts';
import type { WaitlistService } from './waitlist.service.ts';

interface WaitlistRoutesOptions {
  service: WaitlistService;
  ipHashOf: (request: FastifyRequest) => string;
}

export async function waitlistRoutes(
  app: FastifyInstance,
  { service, ipHashOf }: WaitlistRoutesOptions,
): Promise<void> {
  route(app, joinWaitlist, async ({ request, body }) => {
    await service.join(body.email, ipHashOf(request));
  });

  await app.register(async (links) => {
    // One-click unsubscribe (RFC 8058): mail programs post a form, with the token in the query.
    links.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1024 },
      (_request, _body, done) => done(null, {}),
    );
    route(links, leaveWaitlist, async ({ query, body }) => {
      await service.leave(readBody(unsubscribeRequestSchema, { ...query, ...body }).token);
    });
  });
}
