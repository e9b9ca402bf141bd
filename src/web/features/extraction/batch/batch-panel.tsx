import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { Usage } from '#contract/extraction';
import { MAX_BATCH_IMAGES } from '#contract/product';
import { saveInBackground } from '../../../history/recent-results-store.ts';
import { usageQuery } from '../../../session/queries.ts';
import { useSite } from '../../../site/site.tsx';
import { Alert } from '../../../ui/basics/alert.tsx';
import { useOnline } from '../../../ui/basics/browser-state.ts';
import { Button } from '../../../ui/basics/button.tsx';
import { counted } from '../../../ui/basics/words.ts';
import { type ToastMessage, toast } from '../../../ui/toast/toast-store.ts';
import type { ReadingOptions, RecognitionResult } from '../../../workspace/reading.ts';
import type { Workbench } from '../../../workspace/workbench.ts';
import { ChangePicture } from '../tool/drop-zone.tsx';
import type { ExtractionFailure } from '../tool/extraction-state.ts';
import type { Items } from '../tool/items.ts';
import type { Halt, List, ListItem } from '../tool/items-state.ts';
import { loadWorkspace } from '../tool/result-view.tsx';
import { processingLabel, ToolFrame, type ToolFrameProps } from '../tool/tool-frame.tsx';
import { CountReset, LimitWarning, limitWarning } from '../tool/usage-notices.tsx';
import { loadCall } from '../upload/image-upload.ts';
import { Batch, type RunEnd, readingIn } from './batch.ts';
import { BatchRows, stateText } from './batch-rows.tsx';
import { CombinedText } from './combined-text.tsx';
import { extractionsLeft, isBeingOpened, isBeingRead, isRead, isWaiting, percentOf } from './list-state.ts';
import { thumbnailOfFile } from './use-thumbnails.ts';

/** Creates the batch of the tool. @param from `owner`: a username; empty while signed out */
export const createBatch = (
  queries: QueryClient,
  from: { items: Items; owner: () => string | undefined },
): Batch =>
  new Batch(from.items, {
    async isQuotaLeft() {
      await queries.invalidateQueries(usageQuery).catch(() => {});
      const now = queries.getQueryData(usageQuery.queryKey);
      return !now || now.imageCount < now.dailyLimit;
    },
    save: async (reading) =>
      saveInBackground(reading, from.owner() ?? '', await thumbnailOfFile(reading.picture.file)),
    loadPageOpener: () => import('./open-pages.ts'),
  });

export interface BatchPanelProps {
  list: List;
  batch: Batch;
  frame: Omit<ToolFrameProps, 'view' | 'onSubmit' | 'problem' | 'problemId' | 'onRemedy'>;
  options: ReadingOptions;
  usage: Usage | undefined;
  /** The result that is shown below the list; null without one. */
  reading: RecognitionResult | null;
  workbench: Workbench;
  hovering: boolean;
  onFiles: (files: readonly File[]) => void;
  onOpen: (reading: RecognitionResult) => void;
  /** Whether a dialog explains the failure. */
  isExplained: (failure: ExtractionFailure) => boolean;
  onUpgrade: () => void;
  onSignIn: () => void;
  /** Called with the first file when the user closes the list for it. */
  onOnlyFirst: (file: File) => void;
}

const isNew = ({ state, queueState }: ListItem): boolean =>
  (state.status === 'selected' || state.status === 'idle') && queueState === 'none';

/** Whether all items are pages of one document. */
const arePages = (items: readonly ListItem[]): boolean =>
  items.every(({ document }) => document !== undefined && document === items[0]?.document);

/** The list of several files instead of a single picture, with an opened text below it. */
export function BatchPanel(props: BatchPanelProps) {
  const { list, batch, frame, options, usage, reading, workbench, onOpen } = props;
  const { items: entries, isRunning, halt } = list;
  const queries = useQueryClient();
  const isOnline = useOnline();
  const [showsTogether, setShowsTogether] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const read = entries.filter(isRead);
  const waiting = entries.filter(isWaiting);
  const now = entries.find(isBeingRead);
  const readings = () =>
    entries.flatMap((entry) => {
      const found = readingIn(entry);
      return found ? [workbench.withEdits(found)] : [];
    });

  const report = (end: RunEnd | null) => {
    if (!end) return;
    const { halt: why, failure } = end;
    if (why === 'limit') void queries.invalidateQueries(usageQuery);
    if (why === 'limit' && failure && props.isExplained(failure)) return;
    const message = endMessage(why, failure, batch.list());
    if (message) toast(message);
  };
  const start = (which?: string) => void batch.read(options, which).then(report);

  // Preloads code. A failure is ignored here: it occurs again, and is reported, when the code is needed.
  useEffect(() => {
    for (const load of [loadWorkspace, loadCall]) load().catch(() => {});
  }, []);
  useEffect(() => {
    if (batch.consumeFocusRequest()) heading.current?.focus();
    return () => batch.abandon();
  }, [batch]);

  const open = (found: RecognitionResult) => {
    setShowsTogether(false);
    onOpen(workbench.withEdits(found));
  };
  const onlyFirst = () => {
    const [first] = entries;
    batch.close();
    if (first) props.onOnlyFirst(first.file);
  };
  const isUntouched = entries.length > 1 && !isRunning && halt === null && entries.every(isNew);
  const percent = percentOf(entries);

  const rows = (
    <div className="flex min-w-0 flex-col gap-3">
      <BatchHeader
        heading={heading}
        list={list}
        isTogether={showsTogether && !reading}
        hovering={props.hovering}
        onTogether={() => {
          const opens = reading !== null || !showsTogether;
          if (opens) batch.items.show({ type: 'reset' });
          setShowsTogether(opens);
        }}
        onStop={() => batch.stop()}
        onStart={() => start()}
        onFiles={props.onFiles}
        onEnd={() => batch.close()}
      />
      {isUntouched && (
        <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-1">
          <p role="status" className="text-sm text-ink-soft">
            {arePages(entries)
              ? 'The pages are read one after another. Each page without a text layer counts as one extraction.'
              : 'Several files make a list. They are read one after another.'}
          </p>
          <Button variant="secondary" size="small" onClick={onlyFirst}>
            Only the first
          </Button>
        </div>
      )}
      <BatchRows
        list={list}
        batch={batch}
        shown={reading?.attempt.extractionId ?? null}
        heading={heading}
        onOpen={open}
        onStart={start}
      />
      <p className="sr-only" role="status">
        {list.announcement}
      </p>
      <p className="sr-only" role="status">
        {now ? `Reading ${now.file.name}` : announcementOf(read, isOnline)}
      </p>
      <RemainingNotice
        waiting={waiting.length}
        inFlight={now ? 1 : 0}
        isRunning={isRunning}
        halt={halt}
        usage={usage}
        onUpgrade={props.onUpgrade}
        onSignIn={props.onSignIn}
      />
    </div>
  );
  return (
    <>
      <ToolFrame
        {...frame}
        view={{
          picture: rows,
          button: isRunning
            ? { label: processingLabel(percent), busy: true }
            : { label: 'Extract Text', disabled: waiting.length === 0 && !entries.some(isBeingOpened) },
        }}
        onSubmit={() => start()}
        problem={null}
        problemId=""
        onRemedy={() => {}}
      />
      {showsTogether && !reading && read.length > 0 && (
        <CombinedText readings={readings} isDocument={arePages(entries)} onUpgrade={props.onUpgrade} />
      )}
    </>
  );
}

interface BatchHeaderProps {
  heading: RefObject<HTMLHeadingElement | null>;
  list: List;
  isTogether: boolean;
  hovering: boolean;
  onTogether: () => void;
  onStop: () => void;
  onStart: () => void;
  onFiles: (files: readonly File[]) => void;
  onEnd: () => void;
}

/** The number of files, the progress, and the buttons for all files. */
function BatchHeader(props: BatchHeaderProps) {
  const { heading, list, isTogether, hovering, onTogether, onStop, onStart, onFiles, onEnd } = props;
  const { items, isRunning, halt } = list;
  const read = items.filter(isRead).length;
  const waiting = items.filter(isWaiting).length;
  const parts = [
    read > 0 && `${read} read`,
    items.some(isBeingRead) && '1 being read',
    waiting > 0 && `${waiting} waiting`,
  ];
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-1">
      <h2 ref={heading} tabIndex={-1} className="text-xl outline-none md:mr-auto">
        {counted(items.length, arePages(items) ? 'page' : 'file')}
        <span className="ml-3 font-sans text-sm text-ink-soft tabular-nums">
          {parts.filter(Boolean).join(', ')}
        </span>
      </h2>
      <div className="flex min-h-11 flex-wrap items-center gap-x-5 gap-y-1 max-md:order-last max-md:basis-full">
        {read > 0 && (
          <Button
            variant={waiting === 0 && !isTogether ? 'primary' : 'secondary'}
            size="small"
            aria-expanded={isTogether}
            onClick={onTogether}
          >
            Copy or download all
          </Button>
        )}
        {(isRunning || (halt === null && read > 0 && waiting > 0)) && (
          <Button variant="quiet" className="font-normal" onClick={isRunning ? onStop : onStart}>
            {isRunning ? 'Stop all' : 'Continue'}
          </Button>
        )}
        {items.length < MAX_BATCH_IMAGES && (
          <ChangePicture onFiles={onFiles}>{hovering ? 'Let go to add' : 'Add pictures'}</ChangePicture>
        )}
      </div>
      <Button variant="quiet" className="font-normal" onClick={onEnd}>
        Close the list
      </Button>
    </div>
  );
}

/** The toast at the end of a run; null if something else reports it. */
function endMessage(
  why: Halt | null,
  failure: ExtractionFailure | null,
  entries: readonly ListItem[],
): ToastMessage | null {
  // The sign-in dialog reports it.
  if (why === 'person') return null;
  const failed = entries.flatMap(({ state }) => (state.status === 'failed' ? [state.failure] : []));
  const title = 'Extraction failed';
  if (why !== null) return failure && { title, description: failure.message, variant: 'destructive' };
  if (failed[0]) {
    const of = entries.length > 1 ? `${failed.length} of ${counted(entries.length, 'file')}: ` : '';
    return { title, description: of + failed[0].message, variant: 'destructive' };
  }
  const read = entries.flatMap((entry) => readingIn(entry) ?? []);
  return read.length > 0 && !entries.some(isWaiting)
    ? { title: 'Success!', description: totalWords(read) }
    : null;
}

/** The success text for all results. The confidence is the mean over all words. */
function totalWords(done: readonly RecognitionResult[]): string {
  const words = done.reduce((sum, { extraction }) => sum + extraction.wordCount, 0);
  const sure = done.reduce((sum, { extraction }) => sum + extraction.wordCount * extraction.confidence, 0);
  const confidence = words === 0 ? 0 : Math.round(sure / words);
  return `Extracted ${counted(words, 'word')} with ${confidence}% confidence from ${counted(done.length, 'picture')}`;
}

function announcementOf(read: readonly ListItem[], isOnline: boolean): string {
  const last = read.at(-1);
  return last
    ? `${counted(read.length, 'picture')} read. ${last.file.name}: ${stateText(last, isOnline)}`
    : '';
}

interface RemainingNoticeProps {
  waiting: number;
  /** Number of running extractions, which are charged first. */
  inFlight: number;
  isRunning: boolean;
  halt: Halt | null;
  usage: Usage | undefined;
  onUpgrade: () => void;
  onSignIn: () => void;
}

/** Explains why waiting pictures will not be read, or why the batch stopped; otherwise shows the limit warning. */
function RemainingNotice({
  waiting,
  inFlight,
  isRunning,
  halt,
  usage,
  onUpgrade,
  onSignIn,
}: RemainingNoticeProps) {
  const comingSoon = useSite().premiumAvailability === 'coming-soon';
  const button = (label: string, onClick: () => void) => (
    <Button variant="secondary" size="small" onClick={onClick}>
      {label}
    </Button>
  );
  const isDaily = usage?.period === 'day';
  const warning = isDaily && <LimitWarning usage={usage} onUpgrade={onUpgrade} />;
  const stay =
    waiting === 1
      ? 'The waiting picture stays in the list.'
      : `The ${waiting} waiting pictures stay in the list.`;
  const withWarning = (alert: ReactNode) => (
    <>
      {warning}
      {alert}
    </>
  );
  if (waiting === 0) return warning;
  if (halt === 'person') {
    return withWarning(
      <Alert tone="danger" title="You were signed out" action={button('Sign in', onSignIn)}>
        Sign in to continue. {stay}
      </Alert>,
    );
  }
  if (halt === 'no-answer') {
    return withWarning(
      <Alert title="The connection was lost">{stay} Continue once you are connected.</Alert>,
    );
  }
  if (halt === 'busy')
    return withWarning(<Alert title="The server is busy">{stay} Continue in a moment.</Alert>);
  const within = extractionsLeft(waiting, inFlight, usage);
  if (within === null || !usage) return warning;
  const words = isDaily && limitWarning(usage);
  const upgrade = words ? 'Upgrade Now' : comingSoon ? 'Join the waitlist' : 'Get Premium';
  return (
    <Alert
      tone="warning"
      action={isDaily && button(upgrade, onUpgrade)}
      title={reachWords(within, waiting, isDaily ? 'today' : 'this month', isRunning)}
    >
      {words && <p>{words}</p>}
      {stayWords(within, waiting)} here until more can be read.
      <CountReset usage={usage} />
    </Alert>
  );
}

function stayWords(within: number, waiting: number): string {
  const isOne = waiting - within === 1;
  if (within === 0) return isOne ? 'It stays' : 'They stay';
  return isOne ? 'The other stays' : 'The others stay';
}

/** "2 of these 5 can be read today" */
function reachWords(within: number, waiting: number, when: string, isRunning: boolean): string {
  const these = isRunning ? 'the waiting pictures' : waiting === 1 ? 'these' : `these ${waiting}`;
  return within === 0 ? `None of ${these} can be read ${when}` : `${within} of ${these} can be read ${when}`;
}
