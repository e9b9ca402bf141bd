import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { Extraction } from '#contract/extraction';
import { PAGES } from '#contract/paths';
import { HARDLY_READ_BELOW } from '#contract/product';
import type { UnfinishedBatch } from '../../../history/batch-store.ts';
import { lazyComponent, lazyModule, useLazy } from '../../../hydration/lazy.tsx';
import { useNavigate } from '../../../router/router.tsx';
import { ownerOffline, storageState } from '../../../session/browser-data.ts';
import { usageQuery, userQuery } from '../../../session/queries.ts';
import { Alert } from '../../../ui/basics/alert.tsx';
import { useEventCallback } from '../../../ui/basics/use-event-callback.ts';
import { type ToastHandle, toast } from '../../../ui/toast/toast-store.ts';
import type { Reading } from '../../../workspace/reading.ts';
import type { ResultHandle, ResultText } from '../../../workspace/result-props.ts';
import type { BatchInput } from '../batch/use-batch.ts';
import { DropVeil, takeHandedFiles, useFileIntake } from '../intake/file-intake.tsx';
import type { ExtractionFailure } from './extraction-failure.ts';
import { phaseView } from './extraction-phases.tsx';
import { type ExtractionState, readingOf } from './extraction-state.ts';
import { NO_PICTURE_PASTED, PAGES_NOT_LOADED } from './image-file.ts';
import { loadWorkspace } from './result-view.tsx';
import { ToolFrame } from './tool-frame.tsx';
import { recallTool, useToolMemory } from './tool-memory.ts';
import { FreeAllowance, LimitWarning } from './usage-notices.tsx';
import { useExtraction } from './use-extraction.ts';
import { usePreview } from './use-preview.ts';
import './extraction-tool.css';

/** For premium only. Should it not load, English is read, as for everybody. */
const LanguageChoice = lazyComponent(
  async () => (await import('../choose/language-choice.tsx')).LanguageChoice,
);

const recentResults = lazyModule(
  async () => (await import('../../../history/recent-results.tsx')).RecentResults,
);

const batchPanel = lazyModule(async () => (await import('../batch/batch-panel.tsx')).BatchPanel);

const ONLY_FIRST = {
  title: 'Only the first picture was taken',
  description: 'The list for several could not be loaded. Check your connection and try again.',
};

interface ExtractionToolProps {
  /** Above the tool for a signed-in visitor: welcome, usage, upgrade, logout. */
  accountBar?: ReactNode;
  /** "Upgrade Now" was pressed. Without it the premium page opens. */
  onUpgrade?: () => void;
  onSignIn: () => void;
  /** The quota is used up. True when the caller explains it in a dialog; the message in place stays. */
  onLimitReached?: (limit: NonNullable<ExtractionFailure['limit']>) => boolean;
  /** One more thing to do with a result's text. */
  renderResultAction?: (result: ResultText) => ReactNode;
}

/**
 * A picture goes in, its text comes out: choosing, reading, and the workspace around the result.
 * Give it another `key` to forget everything, as logging out does. Long because it connects the phases of a single picture,
 * the batch and the history.
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
  const [held] = useState(() => recallTool(queries));
  const { workbench } = held;
  const [useFiltering, setUseFiltering] = useState(held.useFiltering);
  const [languages, setLanguages] = useState<readonly string[]>([]);
  const {
    state,
    choose,
    redraw,
    reportProblem,
    remedy,
    extract,
    extractPart,
    retry,
    tryAgain,
    cancel,
    reset,
    open,
    personChanged,
  } = useExtraction(held.state, {
    onSuccess(extraction) {
      void queries.invalidateQueries(usageQuery);
      announce(extraction);
    },
    onPages: (file) => void openPages(file).catch(() => reportProblem(PAGES_NOT_LOADED)),
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
  const reading = readingOf(state);
  // A part of a picture is read while the whole one is still shown.
  const file = reading?.picture.file ?? (state.status === 'idle' ? null : state.picture.file);
  const { preview, onPreviewError } = usePreview(file);
  const { given, begin, end, openPages, take, takePasted } = useBatchInput(state, {
    choose,
    reportProblem,
    reset,
  });
  const BatchPanel = given && batchPanel.get();
  const hovering = useFileIntake(take, takePasted);
  useEffect(() => take(takeHandedFiles()), [take]);
  const isProcessing = state.status === 'processing';
  const problemId = useId();
  const form = useRef<HTMLFormElement>(null);
  const submit = useRef<HTMLButtonElement>(null);
  const resetToast = useRef<ToastHandle>(null);
  // The undo of the toast refers to this tool.
  useEffect(() => () => resetToast.current?.dismiss(), []);

  // Quota and session errors and the choice of languages belong to the former user.
  const person = user ? `${user.username} ${user.isPremium}` : '';
  const [lastPerson, setLastPerson] = useState(person);
  if (lastPerson !== person) {
    setLastPerson(person);
    personChanged();
  }
  const options = { useFiltering, languages: user?.isPremium ? languages : [] };

  useShortcut(form);

  const onCancel = () => {
    cancel();
    // The button comes back to life with the next render.
    requestAnimationFrame(() => submit.current?.focus());
  };
  const [hasNote, setHasNote] = useState(false);
  useEffect(() => setHasNote(storageState() !== null), []);
  const RecentResults = useLazy(recentResults, { isDue: hasNote || file !== null, occasion: file });
  const result = useRef<ResultHandle>(null);
  const switchFilter = (isOn: boolean) => {
    setUseFiltering(isOn);
    if (isOn !== useFiltering) result.current?.setFiltering(isOn);
  };
  const onOpen = (kept: Reading) => {
    loadWorkspace().catch(() => {});
    const isShown = kept.attempt.extractionId === reading?.attempt.extractionId;
    (isShown ? switchFilter : setUseFiltering)(kept.attempt.useFiltering);
    open(kept);
  };
  const onReset = () => {
    reset();
    const aside = reading && workbench.withEdits(reading);
    resetToast.current = toast({
      title: 'Form Reset',
      description: 'Ready for your next image extraction',
      ...(aside && { onUndo: () => open(aside) }),
    });
    // The pressed button disappeared with the text.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('input[type=file]')?.focus());
  };
  const onReadIn = (codes: readonly string[]) => {
    setLanguages(codes);
    extract({ useFiltering, languages: codes });
  };
  const upgrade = onUpgrade ?? (() => void navigate(PAGES.premium));
  const view = phaseView(state, {
    preview,
    onPreviewError,
    hovering,
    describedBy: state.problem ? problemId : undefined,
    usage,
    result,
    onFiles: take,
    onProblem: reportProblem,
    onRedrawn: redraw,
    onReadPart: (part) => extractPart(part, options),
    onCancel,
    onRetry: retry,
    onTryAgain: tryAgain,
    onReset,
    onSignIn,
    onUpgrade: upgrade,
    onReadIn,
    workbench,
    renderResultAction,
  });
  const frame = {
    form,
    submit,
    useFiltering,
    onUseFilteringChange: switchFilter,
    allowance: usage && user === null && <FreeAllowance usage={usage} />,
    languages: user?.isPremium && (
      <LanguageChoice chosen={languages} onChange={setLanguages} disabled={isProcessing} />
    ),
  };
  const owner = user?.username ?? ownerOffline();
  const waits = state.status !== 'idle' && !reading && user !== undefined;
  useKeptPicture(waits ? state.picture.file : null, owner);
  useToolMemory(queries, { state, workbench, useFiltering });
  const goOn = async ({ id, picture }: UnfinishedBatch) => {
    if (!picture) return begin({ left: id });
    const { deleteBatch, loadBatch } = await import('../../../history/batch-store.ts');
    const [entry] = await loadBatch(id);
    if (entry && 'file' in entry) choose(entry.file);
    await deleteBatch(id);
  };
  return (
    <div
      className="flex flex-col gap-5"
      data-extraction={view.result ? 'result' : given ? 'processing' : state.status}
    >
      {hovering && <DropVeil />}
      {/* Rendered by the server only; a browser with scripts does not show it. */}
      <noscript>
        <Alert tone="warning" title="The tool needs scripts">
          Allow JavaScript for this page and load it again to extract text. Articles can be read without it.
        </Alert>
      </noscript>
      {accountBar}
      {usage && !user?.isPremium && <LimitWarning usage={usage} onUpgrade={upgrade} />}
      {given && BatchPanel ? (
        <BatchPanel
          given={given}
          frame={frame}
          options={options}
          person={owner}
          usage={usage}
          reading={reading}
          workbench={workbench}
          hovering={hovering}
          onFiles={take}
          onOpen={onOpen}
          onClose={reset}
          onLimitReached={onLimitReached}
          onUpgrade={upgrade}
          onSignIn={onSignIn}
          onEnd={end}
          onOnlyFirst={(file) => {
            end();
            choose(file);
            requestAnimationFrame(() => submit.current?.focus());
          }}
        />
      ) : (
        <ToolFrame
          {...frame}
          view={view}
          onSubmit={() => extract(options)}
          problem={state.problem}
          problemId={problemId}
          onRemedy={remedy}
        />
      )}
      {view.result}
      {RecentResults && user !== undefined && (
        <RecentResults
          person={owner}
          reading={reading}
          preview={preview}
          workbench={workbench}
          onOpen={onOpen}
          onGoOn={given ? null : (left) => void goOn(left).catch(() => {})}
        />
      )}
    </div>
  );
}

function announce({ wordCount, confidence }: Extraction): void {
  if (wordCount === 0) return;
  const description = `Extracted ${wordCount} words with ${confidence}% confidence`;
  if (confidence >= HARDLY_READ_BELOW) toast({ title: 'Success!', description });
  else toast({ title: 'Hardly anything could be read', description, variant: 'destructive' });
}

type SinglePicture = Pick<ReturnType<typeof useExtraction>, 'choose' | 'reportProblem' | 'reset'>;

/** Where chosen files go: one to the tool, several to a batch, whose code is loaded then. `given`: the batch's last input. */
function useBatchInput(state: ExtractionState, { choose, reportProblem, reset }: SinglePicture) {
  const [given, setGiven] = useState<BatchInput | null>(null);
  const begin = async (next: BatchInput, keepsText = false) => {
    await batchPanel.load();
    setGiven(next);
    if (!keepsText) reset();
  };
  /** A file that was chosen before joins the list, and a text on the screen stays. */
  const openPages = (document: File) => {
    const hasText = state.status === 'result';
    const chosen = state.status === 'idle' || hasText ? document : state.picture.file;
    return begin({ files: chosen === document ? [] : [chosen], pagesOf: document }, hasText);
  };
  const take = useEventCallback((files: readonly File[]) => {
    const [first] = files;
    if (!first) return;
    if (given) setGiven({ files });
    else if (files.length === 1) choose(first);
    else
      begin({ files }).catch(() => {
        choose(first);
        reportProblem(ONLY_FIRST);
      });
  });
  const takePasted = useEventCallback((files: readonly File[]) => {
    if (files.length > 0) take(files);
    else if (state.status === 'idle' && !given) reportProblem(NO_PICTURE_PASTED);
  });
  return { given, begin, end: () => setGiven(null), openPages, take, takePasted };
}

/** Ctrl or ⌘ and Enter start the extraction from anywhere except text fields. */
function useShortcut(form: RefObject<HTMLFormElement | null>) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      const { target } = event;
      // A click on the page's text puts the focus on <main>.
      const isPage = target instanceof Element && target.matches('body, main');
      if (!isPage && !(target instanceof Node && form.current?.contains(target))) return;
      event.preventDefault();
      form.current?.requestSubmit();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [form]);
}

/**
 * Stores the picture that waits or is being read, as a list does; null if there is none. A visit to another page of
 * this document keeps it.
 */
function useKeptPicture(file: File | null, owner: string): void {
  const isFollowed = useRef(false);
  useEffect(() => {
    if (!file && !isFollowed.current) return;
    isFollowed.current = true;
    import('../../../history/kept-picture.ts').then(
      ({ followPicture }) => followPicture(file, owner),
      () => {},
    );
  }, [file, owner]);
}
