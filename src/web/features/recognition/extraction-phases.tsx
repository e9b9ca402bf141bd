import { lazy, type ReactNode, Suspense } from 'react';
import type { Usage } from '#contract/usage';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ChangePicture, DropZone } from './drop-zone.tsx';
import type { ExtractionFailure } from './extraction-failure.ts';
import { ExtractionProgress } from './extraction-progress.tsx';
import type { ExtractionState } from './extraction-state.ts';
import { FileSummary } from './file-summary.tsx';
import type { ResultText } from './result-workspace.tsx';
import { CountAnew } from './usage-notices.tsx';
import type { Preview } from './use-preview.ts';

export const loadWorkspace = () => import('./result-workspace.tsx');
const ResultWorkspace = lazy(async () => ({ default: (await loadWorkspace()).ResultWorkspace }));

/** What of the tool is another in each phase; `ToolFrame` holds the rest together. */
export interface PhaseView {
  picture: ReactNode;
  progress?: ReactNode;
  button: { label: string; disabled?: boolean; busy?: boolean };
  /** The form steps back to one line above a result. */
  isAside?: boolean;
  failure?: ReactNode;
  /** What stands below the form. */
  result?: ReactNode;
}

export interface PhaseContext {
  preview: Preview;
  onPreviewError: () => void;
  /** A file is held above the page. */
  hovering: boolean;
  /** Id of the complaint about the last file, if there is one. */
  describedBy: string | undefined;
  usage: Usage | undefined;
  onFile: (file: File) => void;
  onCancel: () => void;
  onRetry: () => void;
  onReset: () => void;
  onSignIn: () => void;
  renderResultAction: ((result: ResultText) => ReactNode) | undefined;
}

type In<Status extends ExtractionState['status']> = Extract<ExtractionState, { status: Status }>;

/**
 * The tool in its present phase. Functions and no components: from phase to phase the same elements stay in their
 * places, and with them the drawn picture, the keyboard's focus and what is unfolded.
 */
export function phaseView(state: ExtractionState, context: PhaseContext): PhaseView {
  switch (state.status) {
    case 'idle':
      return choosing(context);
    case 'selected':
      return chosen(state, context);
    case 'processing':
      return processing(state, context);
    case 'failed':
      return failed(state, context);
    case 'result':
      return read(state, context);
  }
}

const EXTRACT = 'Extract Text';

const choosing = ({ hovering, onFile, describedBy }: PhaseContext): PhaseView => ({
  picture: <DropZone hovering={hovering} onFile={onFile} describedBy={describedBy} />,
  button: { label: EXTRACT, disabled: true },
});

const chosen = ({ picture }: In<'selected'>, context: PhaseContext): PhaseView => ({
  picture: <FileSummary file={picture.file} reading={false} {...context} />,
  button: { label: EXTRACT },
});

const processing = ({ picture, percent, stage }: In<'processing'>, context: PhaseContext): PhaseView => ({
  picture: <FileSummary file={picture.file} reading {...context} />,
  progress: <ExtractionProgress percent={percent} stage={stage} onCancel={context.onCancel} />,
  button: { label: `Processing... ${percent}%`, busy: true },
});

const failed = ({ picture, failure }: In<'failed'>, context: PhaseContext): PhaseView => ({
  picture: <FileSummary file={picture.file} reading={false} {...context} />,
  button: { label: EXTRACT },
  failure: <FailureAlert failure={failure} {...context} />,
});

const read = ({ picture, attempt, extraction }: In<'result'>, context: PhaseContext): PhaseView => ({
  isAside: true,
  picture: (
    <ChangePicture onFile={context.onFile} describedBy={context.describedBy}>
      {context.hovering ? 'Let go to use this picture' : 'Choose another picture'}
    </ChangePicture>
  ),
  button: { label: EXTRACT },
  result: (
    <Suspense fallback={<div className="skeleton h-120 rounded-sheet bg-sunk" />}>
      <ResultWorkspace
        key={attempt.extractionId}
        extraction={extraction}
        file={picture.file}
        preview={context.preview}
        onReset={context.onReset}
        renderAction={context.renderResultAction}
      />
    </Suspense>
  ),
});

interface FailureAlertProps extends Pick<PhaseContext, 'usage' | 'onRetry' | 'onSignIn'> {
  failure: ExtractionFailure;
}

/** Why there is no text, for as long as it is so, and what can be done about it. */
function FailureAlert({ failure, usage, onRetry, onSignIn }: FailureAlertProps) {
  const button = (label: string, onClick: () => void) => (
    <Button variant="secondary" size="small" className="min-h-11" onClick={onClick}>
      {label}
    </Button>
  );
  if (failure.person === 'nobody') {
    return (
      <Alert tone="danger" title="You were signed out" action={button('Sign in', onSignIn)}>
        Sign in to go on. Nothing was counted. Your picture is still here.
      </Alert>
    );
  }
  return (
    <Alert tone="danger" title="Extraction failed" action={failure.retryable && button('Try again', onRetry)}>
      {failure.status === null
        ? 'The connection was lost before an answer came. Your picture is still here.'
        : failure.message}
      {failure.limit && usage && <CountAnew usage={usage} />}
    </Alert>
  );
}
