import type { FastifyInstance } from 'fastify';
import { listApiKeys, makeApiKey, revokeApiKey } from '#contract/calls/api-keys';
import type { Browser } from '../accounts/browser.ts';
import { notFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import type { ApiKeys } from './api-keys.service.ts';

interface ApiKeysRoutesOptions {
  keys: ApiKeys;
  browser: Browser;
}

export async function apiKeysRoutes(
  app: FastifyInstance,
  { keys, browser }: ApiKeysRoutesOptions,
): Promise<void> {
  route(app, listApiKeys, async ({ request }) => ({
    keys: await keys.list((await browser.requirePerson(request)).userId),
  }));

  route(app, makeApiKey, async ({ request, body }) => keys.make(await browser.requirePerson(request), body));

  route(app, revokeApiKey, async ({ request, params }) => {
    if (!(await keys.revoke(await browser.requirePerson(request), params.id))) throw notFound();
  });
}
