import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { API } from '#contract/paths';
import { premiumInterestRequestSchema, unsubscribeRequestSchema } from '#contract/waitlist';
import { readBody } from '../http/body.ts';
import type { WaitlistService } from './service.ts';

interface WaitlistRoutesOptions {
  service: WaitlistService;
  addressOf: (request: FastifyRequest) => string;
}

export const waitlistRoutes: FastifyPluginAsyncZod<WaitlistRoutesOptions> = async (
  app,
  { service, addressOf },
) => {
  app.post(API.premiumInterest, { config: { access: 'visitor' } }, async (request) => {
    const { email } = readBody(premiumInterestRequestSchema, request.body);
    await service.join(email, addressOf(request));
    return {};
  });

  await app.register(async (links) => {
    // A mail program that unsubscribes for its person posts a form, with the token in the address (RFC 8058).
    links.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1024 },
      (_request, _body, done) => done(null, {}),
    );
    links.post(API.unsubscribe, { config: { access: 'anyone' } }, async (request) => {
      const sent = { ...(request.query as object), ...(request.body as object | undefined) };
      await service.leave(readBody(unsubscribeRequestSchema, sent).token);
      return {};
    });
  });
};
