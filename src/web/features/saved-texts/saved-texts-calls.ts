import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import { savedTexts } from '../../calls.ts';

const LISTS = ['api', 'texts'] as const;

/** Pages of saved texts, newest first; an empty `search` finds all. */
export const savedTextsQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...LISTS, search],
    queryFn: ({ pageParam, signal }) =>
      savedTexts.ask('GET /api/texts', {
        query: { search: search || undefined, before: pageParam ?? undefined },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

export const refreshSavedTexts = (queries: QueryClient) => queries.invalidateQueries({ queryKey: LISTS });

/** The whole text; lists hold only its beginning. */
export async function readSavedText(id: string): Promise<string> {
  return (await savedTexts.ask('GET /api/texts/:id', { params: { id } })).text.text;
}

export function renameSavedText(id: string, name: string): Promise<Response> {
  return savedTexts.send('PATCH /api/texts/:id', { params: { id }, body: { name } });
}

export function deleteSavedText(id: string): Promise<Response> {
  return savedTexts.send('DELETE /api/texts/:id', { params: { id } });
}
