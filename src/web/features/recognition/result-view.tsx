import { type ComponentType, type ReactNode, useState } from 'react';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Reading } from './extraction-state.ts';
import { useLate } from './use-late.ts';
import type { Preview } from './use-preview.ts';
import type { TextWork } from './workbench.ts';

/** A result's text, for whoever wants to keep it. */
export interface ResultText {
  /** As it stands at the moment, edits included. */
  text: () => string;
  /** There is nothing in it. */
  isEmpty: boolean;
  /** Codes joined by `+`. */
  language: string;
  /** Of the picture. */
  fileName: string;
}

export interface ResultProps {
  reading: Reading;
  preview: Preview;
  /** Whether what the filter found to be no text is left out; to change it brings all of that back, or hides it again. */
  useFiltering: boolean;
  onReset: () => void;
  /** Somebody wants what is premium. */
  onUpgrade: () => void;
  /** The same picture is to be read once more, in these languages: codes, the main one first. */
  onReadIn: (languages: readonly string[]) => void;
  /** A part of the picture is to be read as a picture of its own. */
  onReadPart: (part: File) => void;
  /** Hears of every step of the work on the text. */
  onWork: (work: TextWork) => void;
  renderAction: ((result: ResultText) => ReactNode) | undefined;
}

/** `onTryAgain` asks for the workspace once more. */
type Shown = ComponentType<ResultProps & { onTryAgain: () => void }>;

let workspace: Shown | null = null;

/** Fetches the workspace ahead of need, or once more after it could not be had. */
export async function loadWorkspace(): Promise<Shown> {
  workspace ??= (await import('./result-workspace.tsx')).ResultWorkspace;
  return workspace;
}

/** What stands in for the workspace; it comes before any text does, and so is there when the network is not. */
export const loadPlainResult = async (): Promise<Shown> => (await import('./plain-result.tsx')).PlainResult;

const loadEither = () => loadWorkspace().catch(loadPlainResult);

/** A text in the workspace, or in a plain field where the workspace's code cannot be had. */
export function ResultView(props: ResultProps) {
  const [attempt, setAttempt] = useState(0);
  const View = useLate(loadEither, true, attempt, workspace);
  if (!View) return <Skeleton className="h-120" />;
  return <View {...props} onTryAgain={() => setAttempt(attempt + 1)} />;
}
