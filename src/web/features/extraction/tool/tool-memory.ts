import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { signOutsQuery } from '../../../session/queries.ts';
import { createWorkbench, type Workbench } from '../../../workspace/workbench.ts';
import { type ExtractionState, extractionReducer, initialState, readingOf } from './extraction-state.ts';

/** The state of the tool that survives a visit to another page of this document. */
interface ToolMemory {
  state: ExtractionState;
  workbench: Workbench;
  useFiltering: boolean;
}

/** Keyed by the document's query cache, so that nothing outlives it. `signOuts`: one more of them invalidates it. */
const left = new WeakMap<QueryClient, ToolMemory & { signOuts: number | undefined }>();

const signOutsOf = (queries: QueryClient) => queries.getQueryData(signOutsQuery.queryKey);

export function useToolMemory(queries: QueryClient, memory: ToolMemory): void {
  const remember = useEffectEvent((signOuts: number | undefined) =>
    left.set(queries, { ...memory, signOuts }),
  );
  useEffect(() => {
    const signOuts = signOutsOf(queries);
    return () => void remember(signOuts);
  }, [queries]);
}

/** The tool as it was left, or an empty one. A picture that was being read waits again. */
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
