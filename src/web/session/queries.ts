import { QueryClient, queryOptions, skipToken } from '@tanstack/react-query';
import type { User } from '#contract/account';
import { ApiError, accounts, billing, recognition } from '../api/client.ts';
import { isInitialRender } from '../hydration/lazy.tsx';
import { deleteDrafts, deleteRecentResults } from './browser-data.ts';

/** Data never becomes stale with time. Mutations invalidate it. */
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

/** For data that must be current: fetched whenever a component mounts, except during hydration. */
export const refetchWhenShown = { staleTime: 0, refetchOnMount: () => !isInitialRender() };

export const userQuery = queryOptions({
  queryKey: ['api', 'user'],
  /** Null for a signed-out visitor. */
  queryFn: async ({ signal }): Promise<User | null> => {
    try {
      return (await accounts.ask('GET /api/user', { signal })).user;
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
  queryFn: ({ signal }) => billing.ask('GET /api/payment', { signal }),
});

export const subscriptionQuery = queryOptions({
  queryKey: ['api', 'subscription'],
  queryFn: async ({ signal }) => (await billing.ask('GET /api/subscription', { signal })).subscription,
});

/** Refetches user, usage, payment and subscription, after signing in, registering or paying. */
export async function refreshPerson(queries: QueryClient): Promise<void> {
  await Promise.all(
    [userQuery, usageQuery, paymentQuery, subscriptionQuery].map(({ queryKey }) =>
      queries.invalidateQueries({ queryKey }),
    ),
  );
}

/** How often a user has signed out since the page was opened; undefined before the first time. */
export const signOutsQuery = queryOptions<number>({ queryKey: ['page', 'sign-outs'], queryFn: skipToken });

/** After signing out: deletes all cached and stored data, and refetches the queries in use. */
export async function clearPerson(queries: QueryClient): Promise<void> {
  deleteRecentResults();
  deleteDrafts();
  await replaceUser(queries, null);
  queries.setQueryData(signOutsQuery.queryKey, (count = 0) => count + 1);
}

/**
 * The session has ended, or belongs to another account: deletes cached data of the user. The text and pictures on the page
 * stay.
 */
export async function changePerson(queries: QueryClient, now: 'signed-out' | 'other-user'): Promise<void> {
  await replaceUser(
    queries,
    now === 'signed-out' ? null : await queries.fetchQuery({ ...userQuery, staleTime: 0 }),
  );
}

/** Sets the user without fetching it: for a signed-out visitor the fetch would log a 401 in the console. */
async function replaceUser(queries: QueryClient, user: User | null): Promise<void> {
  await queries.cancelQueries();
  queries.setQueryData(userQuery.queryKey, user);
  queries.removeQueries({ type: 'inactive', predicate: belongsToUser });
  await queries.resetQueries({ predicate: belongsToUser });
}

const belongsToUser = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  queryKey[0] === 'api' && queryKey[1] !== 'user';
