import type { QueryClient } from '@tanstack/react-query';
import { signOutsQuery } from '../../../session/queries.ts';
import { createWorkbench, type Workbench } from '../../../workspace/workbench.ts';
import { type ExtractionState, extractionReducer, initialState, readingOf } from './extraction-state.ts';

/** What the tool holds that a visit to another page of this document does not end. */
interface ToolMemory {
  state: ExtractionState;
  workbench: Workbench;
  useFiltering: boolean;
}

/** By the document's own cache, so that nothing outlives it. `signOuts`: after one more of them it is nobody's. */
const left = new WeakMap<QueryClient, ToolMemory & { signOuts: number | undefined }>();

export const signOutsOf = (queries: QueryClient) => queries.getQueryData(signOutsQuery.queryKey);

export function rememberTool(queries: QueryClient, held: ToolMemory, signOuts: number | undefined): void {
  left.set(queries, { ...held, signOuts });
}

/** As the tool was left, or empty. What was being read was given up, and waits. */
export function recallTool(queries: QueryClient): ToolMemory {
  const held = left.get(queries);
  if (!held || held.signOuts !== signOutsOf(queries))
    return { state: initialState, workbench: createWorkbench(), useFiltering: true };
  const { workbench } = held;
  const state = extractionReducer(held.state, { type: 'cancelled' });
  const reading = state.status === 'result' && readingOf(state);
  return {
    workbench,
    useFiltering: reading ? reading.attempt.useFiltering : held.useFiltering,
    state: reading
      ? extractionReducer(state, { type: 'opened', reading: workbench.withEdits(reading) })
      : state,
  };
}
