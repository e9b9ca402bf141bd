import { QueryClient, queryOptions, skipToken } from '@tanstack/react-query';
import type { User } from '#contract/account';
import { ApiError, paying, people, recognition } from '../api/client.ts';
import { isInitialRender } from '../hydration/lazy.tsx';
import { deleteDrafts, deleteRecentResults } from './browser-data.ts';

/** Data never becomes stale with time: a change invalidates it. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchInterval: false,
        retry: false,
      },
      mutations: { retry: false },
    },
  });
}

/** For data that must be current whenever it is shown: fetched each time, unless the server has just rendered it. */
export const askedWhenShown = { staleTime: 0, refetchOnMount: () => !isInitialRender() };

export const userQuery = queryOptions({
  queryKey: ['api', 'user'],
  /** Null when signed out, which is not an error. */
  queryFn: async ({ signal }): Promise<User | null> => {
    try {
      return (await people.ask('GET /api/user', { signal })).user;
    } catch (cause) {
      if (cause instanceof ApiError && cause.status === 401) return null;
      throw new Error('Failed to fetch user', { cause });
    }
  },
});

export const usageQuery = queryOptions({
  queryKey: ['api', 'usage'],
  queryFn: async ({ signal }) => {
    try {
      return await recognition.ask('GET /api/usage', { signal });
    } catch (cause) {
      throw new Error('Failed to fetch usage', { cause });
    }
  },
  retry: 1,
});

/** The pending payment of this browser, and its method. */
export const paymentQuery = queryOptions({
  queryKey: ['api', 'payment'],
  queryFn: ({ signal }) => paying.ask('GET /api/payment', { signal }),
});

export const subscriptionQuery = queryOptions({
  queryKey: ['api', 'subscription'],
  queryFn: async ({ signal }) => (await paying.ask('GET /api/subscription', { signal })).subscription,
});

/** After signing in, registering or paying: user, usage, payment and subscription are fetched again. */
export async function refreshPerson(queries: QueryClient): Promise<void> {
  await Promise.all(
    [userQuery, usageQuery, paymentQuery, subscriptionQuery].map(({ queryKey }) =>
      queries.invalidateQueries({ queryKey }),
    ),
  );
}

/** How often a user has signed out since the page was opened; undefined before the first time. */
export const signOutsQuery = queryOptions<number>({ queryKey: ['page', 'sign-outs'], queryFn: skipToken });

/** After signing out: deletes all cached and stored data, and fetches visible queries again. */
export async function clearPerson(queries: QueryClient): Promise<void> {
  deleteRecentResults();
  deleteDrafts();
  await replacePerson(queries, null);
  queries.setQueryData(signOutsQuery.queryKey, (count = 0) => count + 1);
}

/**
 * The session has ended, or belongs to another account: cached data of the user is deleted, the work on this page
 * stays.
 */
export async function changePerson(queries: QueryClient, now: 'signed-out' | 'other-user'): Promise<void> {
  await replacePerson(
    queries,
    now === 'signed-out' ? null : await queries.fetchQuery({ ...userQuery, staleTime: 0 }),
  );
}

/** A signed-out user is known; fetching would only log a 401 in the console. */
async function replacePerson(queries: QueryClient, user: User | null): Promise<void> {
  await queries.cancelQueries();
  queries.setQueryData(userQuery.queryKey, user);
  queries.removeQueries({ type: 'inactive', predicate: isOfPerson });
  await queries.resetQueries({ predicate: isOfPerson });
}

const isOfPerson = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  queryKey[0] === 'api' && queryKey[1] !== 'user';
