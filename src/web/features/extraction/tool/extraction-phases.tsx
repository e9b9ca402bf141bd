import type { ReactNode } from 'react';
import type { Usage } from '#contract/extraction';
import { lazyComponent } from '../../../hydration/lazy.tsx';
import { Alert } from '../../../ui/basics/alert.tsx';
import { useOnline } from '../../../ui/basics/browser-state.ts';
import { Button } from '../../../ui/basics/button.tsx';
import type { Preview, RecognitionResult } from '../../../workspace/reading.ts';
import type { ResultHandle, ResultProps, ResultText } from '../../../workspace/result-props.ts';
import type { Workbench } from '../../../workspace/workbench.ts';
import type { PictureEditorProps } from '../choose/picture-editor.tsx';
import { ChangePicture, DropZone } from './drop-zone.tsx';
import {
  CONNECTION_LOST_TEXT,
  type ExtractionFailure,
  type ExtractionState,
  OFFLINE_TEXT,
} from './extraction-state.ts';
import { FileSummary } from './file-summary.tsx';
import { ResultView } from './result-view.tsx';
import { type PhaseView, processingLabel } from './tool-frame.tsx';
import { CountReset } from './usage-notices.tsx';

/** Fetched with the code that sends a picture, once one is chosen. */
const ExtractionProgress = lazyComponent(
  async () => (await import('../upload/extraction-progress.tsx')).ExtractionProgress,
);

export interface PhaseContext {
  preview: Preview;
  onPreviewError: () => void;
  /** Whether a file is dragged over the page. */
  hovering: boolean;
  /** Id of the message about a problem with the last file, if there is one. */
  describedBy: string | undefined;
  usage: Usage | undefined;
  onHandle: (result: ResultHandle | null) => void;
  onFiles: (files: readonly File[]) => void;
  onPaste: () => void;
  onCamera: () => void;
  onRedrawn: PictureEditorProps['onRedrawn'];
  onReadPart: ResultProps['onReadPart'];
  onCancel: () => void;
  onRetry: () => void;
  /** Sends the same request in parallel with the running one. */
  onTryAgain: () => void;
  onReset: () => void;
  onSignIn: () => void;
  onUpgrade: () => void;
  onReadIn: (languages: readonly string[]) => void;
  workbench: Workbench;
  renderResultAction: ((result: ResultText) => ReactNode) | undefined;
  /** Rendered below the drop zone. */
  samples: ReactNode;
}

type In<Status extends ExtractionState['status']> = Extract<ExtractionState, { status: Status }>;

/**
 * The parts of the tool in its current phase. These are functions and not components, so that React keeps the same elements
 * from phase to phase, with the picture, the focus and open sections.
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
      return aboveResult(state, context);
  }
}

const EXTRACT = 'Extract Text';

const choosing = ({ samples, ...context }: PhaseContext): PhaseView => ({
  picture: (
    <>
      <DropZone {...context} />
      {samples}
    </>
  ),
  button: { label: EXTRACT, disabled: true },
});

const chosen = ({ picture }: Pick<In<'selected'>, 'picture'>, context: PhaseContext): PhaseView => ({
  picture: <FileSummary picture={picture} reading={false} {...context} />,
  button: { label: EXTRACT },
});

const processing = (state: In<'processing'>, context: PhaseContext): PhaseView => {
  const { picture, percent, earlier } = state;
  return {
    ...(earlier
      ? {
          ...aboveResult(earlier, context),
          picture: <ReadingAgain name={picture.file.name} isPart={picture !== earlier.picture} />,
        }
      : { picture: <FileSummary picture={picture} reading {...context} /> }),
    progress: <ExtractionProgress {...state} onCancel={context.onCancel} onTryAgain={context.onTryAgain} />,
    button: { label: processingLabel(percent), busy: true },
  };
};

const failed = ({ picture, failure, earlier }: In<'failed'>, context: PhaseContext): PhaseView => ({
  ...(earlier ? aboveResult(earlier, context) : chosen({ picture }, context)),
  failure: <FailureAlert failure={failure} hasText={earlier !== null} {...context} />,
});

/** Loaded only when a text is saved. */
const loadSavedReading = () => import('../../../workspace/saved-reading.ts');

/** The compact form above a result. While a picture is read again, the result stays until there is a new one. */
const aboveResult = (reading: RecognitionResult, context: PhaseContext): PhaseView => {
  const { onFiles, describedBy, hovering, onHandle, workbench, renderResultAction, ...rest } = context;
  const { extractionId } = reading.attempt;
  return {
    isAside: true,
    picture: (
      <ChangePicture onFiles={onFiles} describedBy={describedBy}>
        {hovering ? 'Let go to use this picture' : 'Choose another picture'}
      </ChangePicture>
    ),
    button: { label: EXTRACT, disabled: reading.attempt.isSample ?? false },
    result: (
      <ResultView
        key={extractionId}
        {...rest}
        reading={workbench.withEdits(reading)}
        handle={onHandle}
        onWork={(work) => workbench.record(extractionId, work)}
        renderAction={
          renderResultAction &&
          ((text) =>
            renderResultAction({
              ...text,
              reading: async () => (await loadSavedReading()).toSavedReading(workbench.withEdits(reading)),
            }))
        }
      />
    ),
  };
};

const ReadingAgain = ({ name, isPart }: { name: string; isPart: boolean }) => (
  <p className="flex min-h-6 min-w-0 items-center text-sm text-ink-soft">
    <span className="truncate">
      Reading {name}
      {!isPart && ' once more'}
    </span>
  </p>
);

interface FailureAlertProps extends Pick<PhaseContext, 'usage' | 'onRetry' | 'onSignIn' | 'onUpgrade'> {
  failure: ExtractionFailure;
  /** Whether an earlier result is shown below. */
  hasText: boolean;
}

/** The reason of a failed extraction, with a button to retry, sign in or upgrade. */
function FailureAlert({ failure, hasText, usage, onRetry, onSignIn, onUpgrade }: FailureAlertProps) {
  const isOnline = useOnline();
  const button = (label: string, onClick: () => void) => (
    <Button variant="secondary" size="small" onClick={onClick}>
      {label}
    </Button>
  );
  const stays = hasText ? 'Your picture and your text are still here.' : 'Your picture is still here.';
  if (failure.person === 'signed-out') {
    return (
      <Alert tone="danger" title="You were signed out" action={button('Sign in', onSignIn)}>
        Sign in to continue. Nothing was counted. {stays}
      </Alert>
    );
  }
  // Premium users cannot buy more extractions; they can only wait for the reset.
  const mayHaveMore = failure.limit !== null && usage?.period !== 'month';
  return (
    <Alert
      tone="danger"
      isAnnouncedElsewhere
      title="Extraction failed"
      action={
        (failure.retryable && button('Try again', onRetry)) ||
        (mayHaveMore && button('Upgrade Now', onUpgrade))
      }
    >
      {failure.status === null
        ? `${isOnline ? CONNECTION_LOST_TEXT : OFFLINE_TEXT} ${stays}`
        : failure.message}
      {failure.limit && usage && <CountReset usage={usage} />}
    </Alert>
  );
}
