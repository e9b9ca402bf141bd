import type { FastifyInstance } from 'fastify';
import { listApiKeys, makeApiKey, revokeApiKey } from '#contract/calls/api-keys';
import { requireUser } from '../accounts/browser.ts';
import { notFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import type { ApiKeys } from './api-keys.service.ts';

interface ApiKeysRoutesOptions {
  keys: ApiKeys;
}

export async function apiKeysRoutes(app: FastifyInstance, { keys }: ApiKeysRoutesOptions): Promise<void> {
  route(app, listApiKeys, async ({ request }) => ({
    keys: await keys.list(requireUser(request).userId),
  }));

  route(app, makeApiKey, async ({ request, body }) => keys.make(requireUser(request), body));

  route(app, revokeApiKey, async ({ request, params }) => {
    if (!(await keys.revoke(requireUser(request), params.id))) throw notFound();
  });
}
