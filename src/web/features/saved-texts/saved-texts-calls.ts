import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { WholeText } from '#contract/saved-text';
import { ApiError, failedBy, reasonOf, savedTexts } from '../../api/client.ts';
import { refetchWhenShown } from '../../session/queries.ts';
import type { WorkToSave } from '../../workspace/text-workspace.tsx';
import type { SendOutcome } from './autosave.ts';

const LISTS = ['api', 'texts'] as const;

/** Pages of saved texts, newest first; an empty `search` finds all. A page of a search may be empty, and not the last. */
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
export const readSavedText = async (id: string, signal?: AbortSignal): Promise<WholeText> =>
  (await savedTexts.ask('GET /api/texts/:id', { params: { id }, ...(signal && { signal }) })).text;

/** Null for one that is not there any more. Asked for each time that it is opened: another page may have changed it. */
export const savedTextQuery = (id: string) =>
  queryOptions({
    queryKey: ['api', 'saved-text', id],
    queryFn: async ({ signal }): Promise<WholeText | null> => {
      await untilSent(id);
      try {
        return await readSavedText(id, signal);
      } catch (error) {
        if (await failedBy(error, 'saved_texts.no_such_text')) return null;
        throw error;
      }
    },
    gcTime: 0,
    ...refetchWhenShown,
  });

const underWay = new Map<string, Promise<unknown>>();

/** Waits for the last save: reopening the text at once would load the version before. */
export const untilSent = async (id: string): Promise<void> => void (await underWay.get(id));

interface Change extends Partial<WorkToSave> {
  text: string;
  version: number;
}

const AWAY = 'The server could not be reached.';

/** Sends a changed text, and describes the outcome in words for the user. */
export function sendText(id: string, change: Change): Promise<SendOutcome> {
  const sending = send(id, change);
  underWay.set(id, sending);
  return sending;
}

async function send(id: string, body: Change): Promise<SendOutcome> {
  try {
    const answer = await savedTexts.ask('PATCH /api/texts/:id', { params: { id }, body });
    return { kind: 'saved', version: answer.text.version };
  } catch (error) {
    if (await failedBy(error, 'saved_texts.changed_elsewhere')) return { kind: 'elsewhere' };
    const why = await reasonOf(error, AWAY);
    const isFinal = error instanceof ApiError && error.status < 500 && ![408, 429].includes(error.status);
    return { kind: isFinal ? 'refused' : 'failed', why };
  }
}

export function renameSavedText(id: string, name: string): Promise<Response> {
  return savedTexts.send('PATCH /api/texts/:id', { params: { id }, body: { name } });
}

export function deleteSavedText(id: string): Promise<Response> {
  return savedTexts.send('DELETE /api/texts/:id', { params: { id } });
}
