import { queryOptions } from '@tanstack/react-query';
import { accounts } from '../../api/client.ts';
import { refetchWhenShown } from '../../session/queries.ts';

export const accountQuery = queryOptions({
  queryKey: ['api', 'account'],
  queryFn: ({ signal }) => accounts.ask('GET /api/account', { signal }),
});

/** Fetched at each mount, because another device may have signed in or out. */
export const sessionsQuery = queryOptions({
  queryKey: ['api', 'account', 'sessions'],
  queryFn: ({ signal }) => accounts.ask('GET /api/account/sessions', { signal }),
  ...refetchWhenShown,
});

export const secondFactorQuery = queryOptions({
  queryKey: ['api', 'account', 'second-factor'],
  queryFn: ({ signal }) => accounts.ask('GET /api/account/second-factor', { signal }),
});
