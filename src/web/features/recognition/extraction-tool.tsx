import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { PAGES } from '#contract/paths';
import type { Usage } from '#contract/usage';
import { usageQuery, userQuery } from '../../query.ts';
import { AfterHydration } from '../../ui/after-hydration.tsx';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Switch } from '../../ui/switch.tsx';
import { toast } from '../../ui/toast-store.ts';
import { ChangePicture, DropZone } from './drop-zone.tsx';
import type { ExtractionFailure } from './extraction-failure.ts';
import { ExtractionProgress } from './extraction-progress.tsx';
import { FileSummary } from './file-summary.tsx';
import type { ResultText } from './result-text.ts';
import { CountAnew, FreeAllowance, LimitWarning } from './usage-notices.tsx';
import { useExtraction } from './use-extraction.ts';
import { useFileIntake } from './use-file-intake.ts';
import { usePreview } from './use-preview.ts';
import './extraction-tool.css';

const loadWorkspace = () => import('./result-workspace.tsx');
/** For premium only. Should it not load, English is read, as for everybody. */
const LanguageChoice = lazy(() =>
  import('./language-choice.tsx').then(
    ({ LanguageChoice }) => ({ default: LanguageChoice }),
    () => ({ default: () => null }),
  ),
);
const ResultWorkspace = lazy(async () => ({ default: (await loadWorkspace()).ResultWorkspace }));

interface ExtractionToolProps {
  /** What stands above the tool for a signed-in visitor: welcome, usage, upgrade, logout. */
  accountBar?: ReactNode;
  /** "Upgrade Now" was pressed. Without it the premium page opens. */
  onUpgrade?: () => void;
  /** Somebody whose session has ended wants to go on. */
  onSignIn: () => void;
  /** The quota is used up. True when somebody else tells the visitor, in a dialog; the message in place stays. */
  onLimitReached?: (limit: NonNullable<ExtractionFailure['limit']>) => boolean;
  /** One more thing to do with a result's text. */
  renderResultAction?: (result: ResultText) => ReactNode;
}

/**
 * A picture goes in, its text comes out: choosing, reading, and the workspace around the result.
 * Give it another `key` to forget everything, as logging out does.
 */
export function ExtractionTool({
  accountBar,
  onUpgrade,
  onSignIn,
  onLimitReached,
  renderResultAction,
}: ExtractionToolProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const usage = useQuery(usageQuery).data;
  const user = useQuery(userQuery).data;
  const [useFiltering, setUseFiltering] = useState(true);
  const [languages, setLanguages] = useState<readonly string[]>([]);
  const { state, choose, extract, retry, cancel, reset, personChanged } = useExtraction({
    onSuccess: ({ wordCount, confidence }) => {
      void queries.invalidateQueries(usageQuery);
      if (wordCount > 0) {
        toast({
          title: 'Success!',
          description: `Extracted ${wordCount} words with ${confidence}% confidence`,
        });
      }
    },
    onFailure: (failure) => {
      // The sign-in dialog that is open now says it.
      if (failure.person === 'nobody') return;
      if (failure.limit) {
        void queries.invalidateQueries(usageQuery);
        if (onLimitReached?.(failure.limit)) return;
      }
      toast({ title: 'Extraction failed', description: failure.message, variant: 'destructive' });
    },
  });
  const file = state.status === 'idle' ? null : state.picture.file;
  const { preview, onPreviewError } = usePreview(file);
  const hovering = useFileIntake(choose);
  const isProcessing = state.status === 'processing';
  const isResult = state.status === 'result';
  const problemId = useId();
  const form = useRef<HTMLFormElement>(null);
  const submit = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (isProcessing) loadWorkspace().catch(() => {});
  }, [isProcessing]);

  // What is said about somebody's quota or session is past with them, and so is their choice of languages.
  const person = user ? `${user.username} ${user.isPremium}` : '';
  const lastPerson = useRef(person);
  useEffect(() => {
    if (lastPerson.current === person) return;
    lastPerson.current = person;
    personChanged();
  }, [person, personChanged]);
  const options = { useFiltering, languages: user?.isPremium ? languages : [] };

  useShortcut(form, () => extract(options));

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    extract(options);
  };
  const onCancel = () => {
    cancel();
    // The button comes back to life with the next render.
    requestAnimationFrame(() => submit.current?.focus());
  };
  const upgrade = onUpgrade ?? (() => void navigate(PAGES.premium));
  const describedBy = state.problem ? problemId : undefined;

  return (
    <div className="flex flex-col gap-5" data-extraction={state.status}>
      {accountBar}
      {usage && !user?.isPremium && <LimitWarning usage={usage} onUpgrade={upgrade} />}
      <Card as="section" aria-label="Extract text from a picture">
        <form
          ref={form}
          onSubmit={onSubmit}
          className={classNames(
            'flex flex-col',
            isResult
              ? 'gap-x-6 gap-y-3 px-4 py-3 md:flex-row md:items-center md:justify-between md:px-6'
              : 'gap-5 p-4 md:p-6',
          )}
        >
          {file === null && <DropZone hovering={hovering} onFile={choose} describedBy={describedBy} />}
          {isResult && (
            <ChangePicture onFile={choose} describedBy={describedBy}>
              {hovering ? 'Let go to use this picture' : 'Choose another picture'}
            </ChangePicture>
          )}
          {file !== null && !isResult && (
            <FileSummary
              file={file}
              preview={preview}
              onPreviewError={onPreviewError}
              onFile={choose}
              describedBy={describedBy}
              hovering={hovering}
              reading={isProcessing}
            />
          )}
          {isProcessing && (
            <ExtractionProgress percent={state.percent} stage={state.stage} onCancel={onCancel} />
          )}
          <div
            className={classNames(
              'flex justify-between gap-x-6 gap-y-4',
              isResult ? 'items-center' : 'flex-col md:flex-row md:items-center',
            )}
          >
            <FilterSwitch
              checked={useFiltering}
              onCheckedChange={setUseFiltering}
              disabled={isProcessing}
              brief={isResult}
            />
            <Button
              ref={submit}
              type="submit"
              size={isResult ? 'small' : 'large'}
              variant={isResult ? 'secondary' : 'primary'}
              className={isResult ? 'min-h-11' : 'md:w-72'}
              disabled={file === null}
              busy={isProcessing}
            >
              {isProcessing ? `Processing... ${state.percent}%` : 'Extract Text'}
            </Button>
          </div>
          {usage && user === null && !isResult && <FreeAllowance usage={usage} />}
          {user?.isPremium && (
            <AfterHydration>
              <LanguageChoice chosen={languages} onChange={setLanguages} disabled={isProcessing} />
            </AfterHydration>
          )}
        </form>
        {usage && user === null && isResult && (
          <div className="border-t border-rule px-4 py-2 md:px-6">
            <FreeAllowance usage={usage} />
          </div>
        )}
        {state.problem && (
          <div id={problemId} className="px-4 pb-4 md:px-6 md:pb-6">
            <Alert tone="danger" title={state.problem.title}>
              {state.problem.description}
            </Alert>
          </div>
        )}
        {state.status === 'failed' && (
          <div className="px-4 pb-4 md:px-6 md:pb-6">
            <FailureAlert failure={state.failure} usage={usage} onRetry={retry} onSignIn={onSignIn} />
          </div>
        )}
      </Card>
      {state.status === 'result' && (
        <Suspense fallback={<div className="skeleton h-120 rounded-sheet bg-sunk" />}>
          <ResultWorkspace
            key={state.attempt.extractionId}
            extraction={state.extraction}
            file={state.picture.file}
            preview={preview}
            onReset={reset}
            {...(renderResultAction && { renderAction: renderResultAction })}
          />
        </Suspense>
      )}
    </div>
  );
}

interface FailureAlertProps {
  failure: ExtractionFailure;
  usage: Usage | undefined;
  onRetry: () => void;
  onSignIn: () => void;
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

interface FilterSwitchProps {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  disabled: boolean;
  brief: boolean;
}

function FilterSwitch({ checked, onCheckedChange, disabled, brief }: FilterSwitchProps) {
  const id = useId();
  return (
    <div
      className={classNames(
        'flex gap-4',
        brief ? 'items-center' : 'items-center justify-between md:justify-start md:gap-6',
      )}
    >
      <div>
        <label htmlFor={id} className="font-medium">
          Smart Text Filtering
        </label>
        <p id={`${id}-hint`} className={brief ? 'sr-only' : 'text-sm text-ink-soft'}>
          Removes UI elements and noise
        </p>
      </div>
      <Switch
        id={id}
        aria-describedby={`${id}-hint`}
        checked={checked}
        onCheckedChange={onCheckedChange}
        disabled={disabled}
      />
    </div>
  );
}

/** Ctrl or ⌘ and Enter start the extraction from anywhere but a place where somebody writes. */
function useShortcut(form: React.RefObject<HTMLElement | null>, start: () => void) {
  const latest = useRef(start);
  useEffect(() => {
    latest.current = start;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      const { target } = event;
      const here = target === document.body || (target instanceof Node && form.current?.contains(target));
      if (!here) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [form]);
}
