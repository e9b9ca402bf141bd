import type { ReactNode } from 'react';
import type { Usage } from '#contract/extraction';
import { lazyComponent } from '../../../hydration/lazy.tsx';
import { Alert } from '../../../ui/basics/alert.tsx';
import { useOnline } from '../../../ui/basics/browser-state.ts';
import { Button } from '../../../ui/basics/button.tsx';
import type { Preview, Reading } from '../../../workspace/reading.ts';
import type { ResultHandle, ResultProps, ResultText } from '../../../workspace/result-props.ts';
import type { Workbench } from '../../../workspace/workbench.ts';
import type { PictureEditorProps } from '../choose/picture-editor.tsx';
import { ChangePicture, DropZone } from './drop-zone.tsx';
import { type ExtractionFailure, type ExtractionState, LOST, OFFLINE } from './extraction-state.ts';
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
  /** A file is held above the page. */
  hovering: boolean;
  /** Id of the complaint about the last file, if there is one. */
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
  /** Sends the same once more beside what is under way. */
  onTryAgain: () => void;
  onReset: () => void;
  onSignIn: () => void;
  onUpgrade: () => void;
  onReadIn: (languages: readonly string[]) => void;
  workbench: Workbench;
  renderResultAction: ((result: ResultText) => ReactNode) | undefined;
  /** Below the drop zone. */
  samples: ReactNode;
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
      return above(state, context);
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
          ...above(earlier, context),
          picture: <ReadingAgain name={picture.file.name} isPart={picture !== earlier.picture} />,
        }
      : { picture: <FileSummary picture={picture} reading {...context} /> }),
    progress: <ExtractionProgress {...state} onCancel={context.onCancel} onTryAgain={context.onTryAgain} />,
    button: { label: processingLabel(percent), busy: true },
  };
};

const failed = ({ picture, failure, earlier }: In<'failed'>, context: PhaseContext): PhaseView => ({
  ...(earlier ? above(earlier, context) : chosen({ picture }, context)),
  failure: <FailureAlert failure={failure} hasText={earlier !== null} {...context} />,
});

/** Only a text that is saved needs it. */
const loadSavedReading = () => import('../../../workspace/saved-reading.ts');

/** The form steps back above a text; what is read in its place leaves that text standing until it is there. */
const above = (reading: Reading, context: PhaseContext): PhaseView => {
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
  /** An earlier reading stands below. */
  hasText: boolean;
}

/** Why there is no text, for as long as it is so, and what can be done about it. */
function FailureAlert({ failure, hasText, usage, onRetry, onSignIn, onUpgrade }: FailureAlertProps) {
  const isOnline = useOnline();
  const button = (label: string, onClick: () => void) => (
    <Button variant="secondary" size="small" onClick={onClick}>
      {label}
    </Button>
  );
  const kept = hasText ? 'Your picture and your text are still here.' : 'Your picture is still here.';
  if (failure.person === 'signed-out') {
    return (
      <Alert tone="danger" title="You were signed out" action={button('Sign in', onSignIn)}>
        Sign in to continue. Nothing was counted. {kept}
      </Alert>
    );
  }
  // Premium users cannot buy more; they only wait for a date.
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
      {failure.status === null ? `${isOnline ? LOST : OFFLINE} ${kept}` : failure.message}
      {failure.limit && usage && <CountReset usage={usage} />}
    </Alert>
  );
}
