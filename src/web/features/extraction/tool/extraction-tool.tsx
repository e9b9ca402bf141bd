import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type ComponentType,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import type { Extraction } from '#contract/extraction';
import { PAGES } from '#contract/paths';
import { LOW_CONFIDENCE_BELOW } from '#contract/product';
import { lazyComponent, lazyModule, useLazy } from '../../../hydration/lazy.tsx';
import { useNavigate } from '../../../router/router.tsx';
import { storageState, storedOwner } from '../../../session/browser-data.ts';
import { usageQuery, userQuery } from '../../../session/queries.ts';
import { useSite } from '../../../site/site.tsx';
import { Alert } from '../../../ui/basics/alert.tsx';
import { useBrowserValue } from '../../../ui/basics/browser-state.ts';
import { focusInstead, useEventCallback } from '../../../ui/basics/events.ts';
import { dismiss, type ToastHandle, toast } from '../../../ui/toast/toast-store.ts';
import type { ReadingOptions, RecognitionResult } from '../../../workspace/reading.ts';
import type { ResultHandle, ResultText } from '../../../workspace/result-props.ts';
import type { Workbench } from '../../../workspace/workbench.ts';
import { DropVeil } from '../intake/file-intake.tsx';
import { deviceChoice } from './device-choice.ts';
import { phaseView } from './extraction-phases.tsx';
import { type ExtractionAnswer, type ExtractionFailure, readingOf } from './extraction-state.ts';
import { NO_CAMERA } from './image-file.ts';
import type { Items } from './items.ts';
import { SHOWN } from './items-state.ts';
import { loadWorkspace } from './result-view.tsx';
import { ToolFrame } from './tool-frame.tsx';
import { FreeAllowance, LimitWarning } from './usage-notices.tsx';
import { useItems } from './use-items.ts';
import { usePreview } from './use-preview.ts';
import './extraction-tool.css';

/** For premium only. If it cannot be loaded, the language is found automatically. */
const LanguageChoice = lazyComponent(
  async () => (await import('../choose/language-choice.tsx')).LanguageChoice,
);

const Camera = lazyComponent(async () => (await import('../camera/camera-dialog.tsx')).CameraDialog);

const recentResults = lazyModule(() => import('../../../history/recent-results.tsx'));

/** Loaded after a picture is chosen. */
const DeviceSwitch = lazyComponent(async () => (await import('../device/device-switch.tsx')).DeviceSwitch);

interface ExtractionToolProps {
  /** Rendered above the tool for a signed-in user: welcome, usage, upgrade, logout. */
  accountBar?: ReactNode;
  /** Called by "Upgrade Now". By default the premium page opens. */
  onUpgrade?: () => void;
  onSignIn: () => void;
  /** Called when the quota is used up. Returns whether a dialog explains it; the message on the page stays. */
  onLimitReached?: (limit: NonNullable<ExtractionFailure['limit']>) => boolean;
  /** Renders an additional action of a result. */
  renderResultAction?: (result: ResultText) => ReactNode;
  /** Rendered below the drop zone: sample pictures. */
  Samples?: ComponentType<{ onOpen: (sample: RecognitionResult) => void }>;
}

/**
 * The extraction tool: choosing a picture, reading it, and the workspace of the result. Change the `key` to reset it, for
 * example after signing out. The component is long because it connects the phases of a picture, the list and the history.
 */
export function ExtractionTool({
  accountBar,
  onUpgrade,
  onSignIn,
  onLimitReached,
  renderResultAction,
  Samples,
}: ExtractionToolProps) {
  const navigate = useNavigate();
  const { readsOnDevice } = useSite();
  const usage = useQuery(usageQuery).data;
  const user = useQuery(userQuery).data;
  const [isTaking, setIsTaking] = useState(false);
  /** Empty: found automatically. Null: the choice is not loaded yet. */
  const [languages, setLanguages] = useState<readonly string[] | null>(null);
  const { shown, list, useFiltering, items, workbench, batch, BatchPanel, isHovering, take, ...actions } =
    useItems();
  const reading = readingOf(shown);
  // While a part of a picture is read, the whole picture is still shown.
  const file = reading?.picture.file ?? (shown.status === 'idle' ? null : shown.picture.file);
  const { preview, onPreviewError } = usePreview(file);
  const problemId = useId();
  const form = useRef<HTMLFormElement>(null);
  const submit = useRef<HTMLButtonElement>(null);
  useShortcut(form);
  const owner = user?.username ?? storedOwner();
  const hasNote = useBrowserValue(storageState, null) !== null;
  // The switch is always shown if files were fetched, so that they can be removed.
  const isFetched = useBrowserValue(deviceChoice.get, null) !== null;
  const history = useLazy(recentResults, { enabled: hasNote || file !== null, attempt: file });
  const isPremium = user?.isPremium ?? false;
  const chosen = (isPremium && languages) || [];
  const options = { useFiltering, languages: chosen, findsLanguage: isPremium && chosen.length === 0 };

  const { report, isExplained } = useReport(onLimitReached);
  const extract = (how: ReadingOptions = options) => void items.extract(how).then(report);

  const onCancel = useEventCallback(() => {
    items.show({ type: 'cancelled' });
    focusInstead(() => submit.current);
  });
  const { onHandle, switchFilter, onOpen, onReset } = useShownReading({
    items,
    workbench,
    reading,
    useFiltering,
    form,
  });
  const upgrade = onUpgrade ?? (() => void navigate(PAGES.premium));
  const view = phaseView(shown, {
    preview,
    onPreviewError,
    hovering: isHovering,
    describedBy: shown.problem ? problemId : undefined,
    usage,
    onHandle,
    onFiles: take,
    onPaste: actions.paste,
    onCamera() {
      if (!navigator.mediaDevices) return actions.photograph();
      void Camera.preload().then(
        () => setIsTaking(true),
        () => items.reject(NO_CAMERA),
      );
    },
    onRedrawn: ({ number: from }, redrawn, edit) =>
      items.notify(SHOWN, { type: 'redrawn', from, file: redrawn, edit }),
    onReadPart: (part, how) => void items.extract({ ...options, ...how }, part).then(report),
    onCancel,
    onRetry: () => void items.retry().then(report),
    onTryAgain: () => items.resend(),
    onReset,
    onSignIn,
    onUpgrade: upgrade,
    onReadIn(codes) {
      setLanguages(codes);
      extract({ useFiltering, languages: codes });
    },
    workbench,
    renderResultAction,
    samples: Samples && <Samples onOpen={onOpen} />,
  });
  const isReading = shown.status === 'processing';
  const isRefused = shown.status === 'failed' && shown.failure.limit !== null;
  const isUsedUp = usage !== undefined && usage.imageCount >= usage.dailyLimit;
  /** Whether the list or the failure shows the limit. */
  const isLimitShownBelow = list !== null || (isRefused && isUsedUp);
  const frame = {
    form,
    submit,
    useFiltering,
    onUseFilteringChange: switchFilter,
    device: readsOnDevice && (file || isFetched) && (
      <DeviceSwitch
        file={file}
        languages={chosen}
        disabled={isReading}
        serverIsBusy={shown.status === 'failed' && shown.failure.status === 503}
      />
    ),
    allowance: usage && user === null && <FreeAllowance usage={usage} />,
    languages: isPremium && (
      <LanguageChoice chosen={languages} reading={reading} onChange={setLanguages} disabled={isReading} />
    ),
  };
  return (
    <div
      className="flex flex-col gap-5"
      data-extraction={view.result ? 'result' : list ? 'processing' : shown.status}
    >
      {isHovering && <DropVeil />}
      {/* Only browsers without JavaScript show this. */}
      <noscript>
        <Alert tone="warning" title="The tool needs scripts">
          Allow JavaScript for this page and load it again to extract text. Articles can be read without it.
        </Alert>
      </noscript>
      {accountBar}
      {usage && !isPremium && !isLimitShownBelow && <LimitWarning usage={usage} onUpgrade={upgrade} />}
      {list && batch && BatchPanel ? (
        <BatchPanel
          list={list}
          batch={batch}
          frame={frame}
          options={options}
          usage={usage}
          reading={reading}
          workbench={workbench}
          hovering={isHovering}
          onFiles={take}
          onOpen={onOpen}
          isExplained={isExplained}
          onUpgrade={upgrade}
          onSignIn={onSignIn}
          onOnlyFirst={(first) => {
            actions.choose(first);
            focusInstead(() => submit.current);
          }}
        />
      ) : (
        <ToolFrame
          {...frame}
          view={view}
          onSubmit={() => extract()}
          problem={shown.problem}
          problemId={problemId}
          onRemedy={actions.remedy}
        />
      )}
      {isTaking && <Camera onFiles={take} onClose={() => setIsTaking(false)} />}
      {view.result}
      {history && user !== undefined && (
        <history.RecentResults
          person={owner}
          reading={reading?.attempt.isSample ? null : reading}
          preview={preview}
          workbench={workbench}
          isIdle={shown.status === 'idle' && !list}
          onOpen={onOpen}
          onResume={list ? null : actions.resume}
        />
      )}
    </div>
  );
}

interface ShownReading {
  items: Items;
  workbench: Workbench;
  reading: RecognitionResult | null;
  useFiltering: boolean;
  form: RefObject<HTMLFormElement | null>;
}

/** Actions on the shown result: switching the filter, opening an earlier result, resetting the tool. */
function useShownReading({ items, workbench, reading, useFiltering, form }: ShownReading) {
  const result = useRef<ResultHandle>(null);
  const resetToast = useRef<ToastHandle>(null);
  // The toast's Undo refers to this tool, so the toast must not stay without it.
  useEffect(() => () => resetToast.current?.dismiss(), []);
  const onHandle = useEventCallback((handle: ResultHandle | null) => {
    result.current = handle;
  });
  const switchFilter = (isOn: boolean) => {
    items.setFiltering(isOn);
    if (isOn !== useFiltering) result.current?.setFiltering(isOn);
  };
  const open = (kept: RecognitionResult) => {
    dismiss();
    items.show({ type: 'opened', reading: kept });
  };
  const onOpen = (kept: RecognitionResult) => {
    loadWorkspace().catch(() => {});
    const isShown = kept.attempt.extractionId === reading?.attempt.extractionId;
    if (isShown) switchFilter(kept.attempt.useFiltering);
    else items.setFiltering(kept.attempt.useFiltering);
    open(kept);
  };
  const onReset = useEventCallback(() => {
    items.show({ type: 'reset' });
    const previous = reading && workbench.withEdits(reading);
    resetToast.current = toast({
      title: 'Form Reset',
      description: 'Ready for your next image extraction',
      ...(previous && { onUndo: () => open(previous) }),
    });
    focusInstead(() => form.current?.querySelector<HTMLElement>('input[type=file]'));
  });
  return { onHandle, switchFilter, onOpen, onReset };
}

/** Shows a toast at the end of an extraction, unless a dialog explains the failure. */
function useReport(onLimitReached: ExtractionToolProps['onLimitReached']) {
  const queries = useQueryClient();
  /** Whether a dialog explains the failure. */
  const isExplained = useEventCallback(({ person, limit }: ExtractionFailure): boolean => {
    if (limit) void queries.invalidateQueries(usageQuery);
    return person === 'signed-out' || (limit !== null && onLimitReached?.(limit) === true);
  });
  const report = (answer: ExtractionAnswer | null) => {
    if (answer?.ok) {
      void queries.invalidateQueries(usageQuery);
      announce(answer.extraction);
    } else if (answer && !isExplained(answer.failure))
      toast({ title: 'Extraction failed', description: answer.failure.message, variant: 'destructive' });
  };
  return { report, isExplained };
}

function announce({ wordCount, confidence }: Extraction): void {
  if (wordCount === 0) return;
  const description = `Extracted ${wordCount} words with ${confidence}% confidence`;
  if (confidence >= LOW_CONFIDENCE_BELOW) toast({ title: 'Success!', description });
  else toast({ title: 'Hardly anything could be read', description, variant: 'destructive' });
}

/** Ctrl or ⌘ and Enter start the extraction from anywhere except text fields. */
function useShortcut(form: RefObject<HTMLFormElement | null>) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
      const { target } = event;
      // A click on the page's text focuses <main>.
      const isPage = target instanceof Element && target.matches('body, main');
      if (!isPage && !(target instanceof Node && form.current?.contains(target))) return;
      event.preventDefault();
      form.current?.requestSubmit();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [form]);
}
