import { QueryClient, queryOptions } from '@tanstack/react-query';
import { getUsage, getUser } from './api.ts';

/** Data never goes stale by itself: what changes it invalidates it. */
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

export const userQuery = queryOptions({
  queryKey: ['api', 'user'],
  queryFn: ({ signal }) => getUser(signal),
});

export const usageQuery = queryOptions({
  queryKey: ['api', 'usage'],
  queryFn: ({ signal }) => getUsage(signal),
  retry: 1,
});

/** After signing in, registering or paying: who uses the page, and how much they have used, is asked anew. */
export async function refreshPerson(queries: QueryClient): Promise<void> {
  await Promise.all([queries.invalidateQueries(userQuery), queries.invalidateQueries(usageQuery)]);
}

/**
 * After signing out: everything cached is forgotten, and what is on the screen is asked anew. That nobody
 * is signed in is known; asking would only put a 401 into the console.
 */
export async function forgetPerson(queries: QueryClient): Promise<void> {
  await queries.cancelQueries();
  queries.removeQueries({ type: 'inactive' });
  queries.setQueryData(userQuery.queryKey, null);
  await queries.resetQueries({ predicate: ({ queryKey }) => !isUser(queryKey) });
}

const isUser = (key: readonly unknown[]) => key.join('/') === userQuery.queryKey.join('/');
