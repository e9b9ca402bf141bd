import type { QueryClient } from '@tanstack/react-query';
import { lazyModule } from '../../../hydration/lazy.tsx';
import { storedOwner } from '../../../session/browser-data.ts';
import { signOutsQuery, userQuery } from '../../../session/queries.ts';
import { createWorkbench, type Workbench } from '../../../workspace/workbench.ts';
import type { Batch } from '../batch/batch.ts';
import { Items } from './items.ts';
import { loadWorkspace } from './result-view.tsx';

/** The state of the tool that stays while the user visits other pages of the site. */
export interface Tool {
  items: Items;
  workbench: Workbench;
  /** Null before the first list. */
  batch: Batch | null;
  /** A username; empty while signed out, undefined before that is known. */
  owner: () => string | undefined;
  /** The number of sign-outs when the tool was created. The next sign-out ends the tool. */
  signOuts: number | undefined;
  /** Aborting this stops the storing of waiting files. */
  storing: AbortController;
}

/** Tools by the query client of their document. */
const tools = new WeakMap<QueryClient, Tool>();

const signOutsOf = (queries: QueryClient) => queries.getQueryData(signOutsQuery.queryKey);

/** The tool as the user has left it, or a new one. */
export function toolOf(queries: QueryClient): Tool {
  const signOuts = signOutsOf(queries);
  const existing = tools.get(queries);
  if (existing && existing.signOuts === signOuts) return existing;
  const storing = new AbortController();
  const owner = () => {
    const user = queries.getQueryData(userQuery.queryKey);
    return user === undefined ? undefined : (user?.username ?? storedOwner());
  };
  const items = new Items({
    loadUpload: () => import('../upload/image-upload.ts'),
    loadFileProblems: () => import('../choose/file-problems.ts'),
    loadWorkspace,
    startStoring: async (its) =>
      (await import('../batch/keep-items.ts')).keepItems(its, owner, storing.signal),
  });
  const tool = { items, workbench: createWorkbench(), batch: null, owner, signOuts, storing };
  tools.set(queries, tool);
  return tool;
}

/** Called when the tool is mounted. Returns a function to call when it is unmounted. */
export function enterTool(queries: QueryClient, tool: Tool): () => void {
  const { items } = tool;
  const updatePerson = () => {
    const user = queries.getQueryData(userQuery.queryKey);
    items.setPerson(user && `${user.username} ${user.isPremium}`);
  };
  updatePerson();
  const unsubscribe = queries.getQueryCache().subscribe(updatePerson);
  return () => {
    unsubscribe();
    items.pause();
    // After signing out, nothing is kept.
    if (signOutsOf(queries) === tool.signOuts) return;
    tool.storing.abort();
    tool.batch?.close();
  };
}

export const batchCode = lazyModule(() => import('../batch/batch-panel.tsx'));

/** Loads the code of lists and returns the batch. Rejects if the code cannot be loaded. */
export async function loadBatch(queries: QueryClient, tool: Tool): Promise<Batch> {
  const { createBatch } = await batchCode.load();
  tool.batch ??= createBatch(queries, tool);
  return tool.batch;
}
