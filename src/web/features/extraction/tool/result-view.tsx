import { type ComponentType, useDeferredValue, useState } from 'react';
import { lazyModule, useLazy } from '../../../hydration/lazy.tsx';
import { Skeleton } from '../../../ui/basics/display.tsx';
import type { ResultProps } from '../../../workspace/result-props.ts';

/** `onTryAgain` loads the workspace again. */
type Shown = ComponentType<ResultProps & { onTryAgain: () => void }>;

interface View {
  View: Shown;
}

const workspace = lazyModule<View>(async () => ({
  View: (await import('../../../workspace/result-workspace.tsx')).ResultWorkspace,
}));

/** Loads the workspace before it is needed, or again after a failure. */
export const loadWorkspace = workspace.load;

/** Replaces the workspace if that cannot be loaded. It is loaded before a result arrives, so that it works offline. */
export const loadPlainResult = async (): Promise<View> => ({
  View: (await import('../../../workspace/plain-result.tsx')).PlainResult,
});

const workspaceOrPlain = { get: workspace.get, load: () => loadWorkspace().catch(loadPlainResult) };

/** A text in the workspace, or in a plain field if the workspace's code cannot be loaded. */
export function ResultView(props: ResultProps) {
  const [attempt, setAttempt] = useState(0);
  const loaded = useLazy(workspaceOrPlain, { attempt });
  // Rendering a long text takes more than 50 ms. A deferred render keeps the page responsive.
  const isDue = useDeferredValue(true, false);
  if (!loaded || !isDue) return <Skeleton className="h-120" />;
  return <loaded.View {...props} onTryAgain={() => setAttempt(attempt + 1)} />;
}
