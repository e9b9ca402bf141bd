import type { QueryClient } from '@tanstack/react-query';
import { lazyModule } from '../../../hydration/lazy.tsx';
import { ownerOffline } from '../../../session/browser-data.ts';
import { signOutsQuery, userQuery } from '../../../session/queries.ts';
import { createWorkbench, type Workbench } from '../../../workspace/workbench.ts';
import type { Batch } from '../batch/batch.ts';
import { Items } from './items.ts';
import { loadWorkspace } from './result-view.tsx';

/** What a visit to another page of this document leaves as it is. */
export interface Tool {
  items: Items;
  workbench: Workbench;
  /** What reads a list; null before there was one. */
  batch: Batch | null;
  /** A username; empty while signed out, undefined before that is known. */
  owner: () => string | undefined;
  /** One more of them ends it. */
  signOuts: number | undefined;
  /** Ends the storing of what waits. */
  keeping: AbortController;
}

/** By the document's query cache, so that nothing outlives it. */
const tools = new WeakMap<QueryClient, Tool>();

const signOutsOf = (queries: QueryClient) => queries.getQueryData(signOutsQuery.queryKey);

/** The tool as it was left, or an empty one. */
export function toolOf(queries: QueryClient): Tool {
  const signOuts = signOutsOf(queries);
  const left = tools.get(queries);
  if (left && left.signOuts === signOuts) return left;
  const keeping = new AbortController();
  const owner = () => {
    const user = queries.getQueryData(userQuery.queryKey);
    return user === undefined ? undefined : (user?.username ?? ownerOffline());
  };
  const items = new Items({
    loadUpload: () => import('../upload/image-upload.ts'),
    loadFileProblems: () => import('../choose/file-problems.ts'),
    loadWorkspace,
    keep: async (its) => (await import('../batch/keep-items.ts')).keepItems(its, owner, keeping.signal),
  });
  const tool = { items, workbench: createWorkbench(), batch: null, owner, signOuts, keeping };
  tools.set(queries, tool);
  return tool;
}

/** The tool is on the page. Returns what is to be done when that is left. */
export function enterTool(queries: QueryClient, tool: Tool): () => void {
  const { items } = tool;
  const followPerson = () => {
    const user = queries.getQueryData(userQuery.queryKey);
    items.personIs(user && `${user.username} ${user.isPremium}`);
  };
  followPerson();
  const unfollow = queries.getQueryCache().subscribe(followPerson);
  return () => {
    unfollow();
    items.pause();
    // After signing out nothing comes back.
    if (signOutsOf(queries) === tool.signOuts) return;
    tool.keeping.abort();
    tool.batch?.close();
  };
}

export const batchCode = lazyModule(() => import('../batch/batch-panel.tsx'));

/** What reads a list, with its code. Rejects if that cannot be loaded. */
export async function loadBatch(queries: QueryClient, tool: Tool): Promise<Batch> {
  const { createBatch } = await batchCode.load();
  tool.batch ??= createBatch(queries, tool);
  return tool.batch;
}
