import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import { API, savedTextApi } from '#contract/paths';
import { savedTextResponseSchema, savedTextsResponseSchema } from '#contract/saved-text';
import { request } from '../../api.ts';

const LISTS = ['api', 'texts'] as const;

/** Pages of saved texts, newest first; an empty `search` finds all. */
export const savedTextsQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...LISTS, search],
    queryFn: async ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        ...(search && { search }),
        ...(pageParam && { before: pageParam }),
      });
      const response = await request(`${API.texts}?${query}`, { signal });
      return savedTextsResponseSchema.parse(await response.json());
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

export const refreshSavedTexts = (queries: QueryClient) => queries.invalidateQueries({ queryKey: LISTS });

/** The whole text; lists hold only its beginning. */
export async function readSavedText(id: string): Promise<string> {
  const response = await request(savedTextApi(id));
  return savedTextResponseSchema.parse(await response.json()).text.text;
}

export function renameSavedText(id: string, name: string): Promise<Response> {
  return request(savedTextApi(id), {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
}

export function deleteSavedText(id: string): Promise<Response> {
  return request(savedTextApi(id), { method: 'DELETE' });
}
