import { queryOptions } from '@tanstack/react-query';
import { people } from '../../calls.ts';

export const accountQuery = queryOptions({
  queryKey: ['api', 'account'],
  queryFn: ({ signal }) => people.ask('GET /api/account', { signal }),
});

/** Always the state of now: another device may have come or gone. */
export const sessionsQuery = queryOptions({
  queryKey: ['api', 'account', 'sessions'],
  queryFn: async ({ signal }) => (await people.ask('GET /api/account/sessions', { signal })).sessions,
  staleTime: 0,
});

export const secondFactorQuery = queryOptions({
  queryKey: ['api', 'account', 'second-factor'],
  queryFn: async ({ signal }) =>
    (await people.ask('GET /api/account/second-factor', { signal })).secondFactor,
});
