import { queryOptions } from '@tanstack/react-query';
import { apiKeys, webhooks } from '../../api/calls.ts';
import { askedWhenShown } from '../../session/queries.ts';

/** Always fetched: a program may have used a key meanwhile. */
export const apiKeysQuery = queryOptions({
  queryKey: ['api', 'account', 'keys'],
  queryFn: ({ signal }) => apiKeys.ask('GET /api/account/keys', { signal }),
  ...askedWhenShown,
});

export const webhookSecretQuery = queryOptions({
  queryKey: ['api', 'account', 'webhook-secret'],
  queryFn: ({ signal }) => webhooks.ask('GET /api/account/webhook-secret', { signal }),
  ...askedWhenShown,
});
