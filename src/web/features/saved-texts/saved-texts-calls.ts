import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { WholeText } from '#contract/saved-text';
import { ApiError, failedBy, reasonOf, savedTexts } from '../../api/client.ts';
import { refetchWhenShown } from '../../session/queries.ts';
import type { WorkToSave } from '../../workspace/text-workspace.tsx';
import type { SendOutcome } from './autosave.ts';

const LISTS = ['api', 'texts'] as const;

/** Pages of saved texts, newest first; an empty `search` finds all. A page of a search may be empty without being the last. */
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

/** Fetches the whole text; lists contain only its beginning. */
export const readSavedText = async (id: string, signal?: AbortSignal): Promise<WholeText> =>
  (await savedTexts.ask('GET /api/texts/:id', { params: { id }, ...(signal && { signal }) })).text;

/** A saved text; null if it was deleted. Fetched at each mount, because another page may have changed it. */
export const savedTextQuery = (id: string) =>
  queryOptions({
    queryKey: ['api', 'saved-text', id],
    queryFn: async ({ signal }): Promise<WholeText | null> => {
      await waitForSave(id);
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

/** Running saves by the id of their text. */
const pendingSaves = new Map<string, Promise<unknown>>();

/** Waits for the last save of a text. Without that, reopening the text at once would load the previous version. */
export const waitForSave = async (id: string): Promise<void> => void (await pendingSaves.get(id));

interface Change extends Partial<WorkToSave> {
  text: string;
  version: number;
}

const UNREACHABLE = 'The server could not be reached.';

/** Sends a changed text. Failures are returned with a message for the user; the promise never rejects. */
export function sendText(id: string, change: Change): Promise<SendOutcome> {
  const sending = send(id, change).finally(() => {
    if (pendingSaves.get(id) === sending) pendingSaves.delete(id);
  });
  pendingSaves.set(id, sending);
  return sending;
}

async function send(id: string, body: Change): Promise<SendOutcome> {
  try {
    const answer = await savedTexts.ask('PATCH /api/texts/:id', { params: { id }, body });
    return { kind: 'saved', version: answer.text.version };
  } catch (error) {
    if (await failedBy(error, 'saved_texts.changed_elsewhere')) return { kind: 'conflict' };
    const reason = await reasonOf(error, UNREACHABLE);
    const isFinal = error instanceof ApiError && error.status < 500 && ![408, 429].includes(error.status);
    return { kind: isFinal ? 'refused' : 'failed', reason };
  }
}

export function renameSavedText(id: string, name: string): Promise<Response> {
  return savedTexts.send('PATCH /api/texts/:id', { params: { id }, body: { name } });
}

export function deleteSavedText(id: string): Promise<Response> {
  return savedTexts.send('DELETE /api/texts/:id', { params: { id } });
}
