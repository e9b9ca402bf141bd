import { type ComponentType, useState } from 'react';
import { lazyModule, useLazy } from '../../../hydration/lazy.tsx';
import { Skeleton } from '../../../ui/basics/skeleton.tsx';
import type { ResultProps } from '../../../workspace/result-props.ts';

/** `onTryAgain` asks for the workspace once more. */
type Shown = ComponentType<ResultProps & { onTryAgain: () => void }>;

const workspace = lazyModule<Shown>(
  async () => (await import('../../../workspace/result-workspace.tsx')).ResultWorkspace,
);

/** Fetches the workspace ahead of need, or once more after it could not be had. */
export const loadWorkspace = workspace.load;

/** What stands in for the workspace; it comes before any text does, and so is there when the network is not. */
export const loadPlainResult = async (): Promise<Shown> =>
  (await import('../../../workspace/plain-result.tsx')).PlainResult;

const either = { get: workspace.get, load: () => loadWorkspace().catch(loadPlainResult) };

/** A text in the workspace, or in a plain field where the workspace's code cannot be had. */
export function ResultView(props: ResultProps) {
  const [attempt, setAttempt] = useState(0);
  const View = useLazy(either, { occasion: attempt });
  if (!View) return <Skeleton className="h-120" />;
  return <View {...props} onTryAgain={() => setAttempt(attempt + 1)} />;
}
