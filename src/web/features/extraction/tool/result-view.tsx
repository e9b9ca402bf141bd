import { type ComponentType, useState } from 'react';
import { Skeleton } from '../../../ui/basics/skeleton.tsx';
import { useLate } from '../../../ui/use-late.ts';
import type { ResultProps } from '../../../workspace/result-props.ts';

/** `onTryAgain` asks for the workspace once more. */
type Shown = ComponentType<ResultProps & { onTryAgain: () => void }>;

let workspace: Shown | null = null;

/** Fetches the workspace ahead of need, or once more after it could not be had. */
export async function loadWorkspace(): Promise<Shown> {
  workspace ??= (await import('../../../workspace/result-workspace.tsx')).ResultWorkspace;
  return workspace;
}

/** What stands in for the workspace; it comes before any text does, and so is there when the network is not. */
export const loadPlainResult = async (): Promise<Shown> =>
  (await import('../../../workspace/plain-result.tsx')).PlainResult;

const loadEither = () => loadWorkspace().catch(loadPlainResult);

/** A text in the workspace, or in a plain field where the workspace's code cannot be had. */
export function ResultView(props: ResultProps) {
  const [attempt, setAttempt] = useState(0);
  const View = useLate(loadEither, true, attempt, workspace);
  if (!View) return <Skeleton className="h-120" />;
  return <View {...props} onTryAgain={() => setAttempt(attempt + 1)} />;
}
