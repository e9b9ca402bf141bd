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
import type { Reading, ReadingOptions } from '../../../workspace/reading.ts';
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
import { BatchRows, stateWords } from './batch-rows.tsx';
import { CombinedText } from './combined-text.tsx';
import { isBeingOpened, isBeingRead, isRead, isWaiting, percentOf, withinReach } from './list-state.ts';
import { thumbnailOfFile } from './use-thumbnails.ts';

/** What reads the list of this document's tool. @param from `owner`: a username; empty while signed out */
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
  /** The shown text; null without one. */
  reading: Reading | null;
  workbench: Workbench;
  hovering: boolean;
  onFiles: (files: readonly File[]) => void;
  onOpen: (reading: Reading) => void;
  /** True where a dialog says why there is no text. */
  isExplained: (failure: ExtractionFailure) => boolean;
  onUpgrade: () => void;
  onSignIn: () => void;
  /** The list was given up for a single picture. */
  onOnlyFirst: (file: File) => void;
}

const isNew = ({ state, turn }: ListItem): boolean =>
  (state.status === 'selected' || state.status === 'idle') && turn === 'none';

/** The list is one document. */
const arePages = (items: readonly ListItem[]): boolean =>
  items.every(({ document }) => document !== undefined && document === items[0]?.document);

/** Several pictures at once: a list in the place of a single picture, with the opened text below it. */
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

  // Ahead of need: a failure occurs again, and is reported, when the code is needed.
  useEffect(() => {
    for (const load of [loadWorkspace, loadCall]) load().catch(() => {});
  }, []);
  useEffect(() => {
    if (batch.takesFocus()) heading.current?.focus();
    return () => batch.leave();
  }, [batch]);

  const open = (found: Reading) => {
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
              ? 'The pages are read one after another. Each without text of its own counts as one extraction.'
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
        {list.said}
      </p>
      <p className="sr-only" role="status">
        {now ? `Reading ${now.file.name}` : spokenEnd(read, isOnline)}
      </p>
      <RemainingNotice
        waiting={waiting.length}
        onTheirWay={now ? 1 : 0}
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

/** How many files there are, how far they are, and what can be done with all of them. */
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

/** The toast at the end of a run; null if another message covers it. */
function endMessage(
  why: Halt | null,
  failure: ExtractionFailure | null,
  entries: readonly ListItem[],
): ToastMessage | null {
  // The sign-in dialog covers it.
  if (why === 'person') return null;
  const failed = entries.flatMap(({ state }) => (state.status === 'failed' ? [state.failure] : []));
  const title = 'Extraction failed';
  if (why !== null) return failure && { title, description: failure.message, variant: 'destructive' };
  if (failed[0]) {
    const of = entries.length > 1 ? `${failed.length} of ${counted(entries.length, 'file')}: ` : '';
    return { title, description: of + failed[0].message, variant: 'destructive' };
  }
  const read = entries.flatMap((entry) => readingIn(entry) ?? []);
  return read.length > 0 && !entries.some(isWaiting) ? { title: 'Success!', description: inAll(read) } : null;
}

/** The toast of a single picture, for all of them: the confidence is the mean over words. */
function inAll(done: readonly Reading[]): string {
  const words = done.reduce((sum, { extraction }) => sum + extraction.wordCount, 0);
  const sure = done.reduce((sum, { extraction }) => sum + extraction.wordCount * extraction.confidence, 0);
  const confidence = words === 0 ? 0 : Math.round(sure / words);
  return `Extracted ${counted(words, 'word')} with ${confidence}% confidence from ${counted(done.length, 'picture')}`;
}

function spokenEnd(read: readonly ListItem[], isOnline: boolean): string {
  const last = read.at(-1);
  return last
    ? `${counted(read.length, 'picture')} read. ${last.file.name}: ${stateWords(last, isOnline)}`
    : '';
}

interface RemainingNoticeProps {
  waiting: number;
  /** Extractions in progress, which are charged first. */
  onTheirWay: number;
  isRunning: boolean;
  halt: Halt | null;
  usage: Usage | undefined;
  onUpgrade: () => void;
  onSignIn: () => void;
}

/** Explains why queued images will not be read, or why the batch stopped; else the warning before and at the limit. */
function RemainingNotice({
  waiting,
  onTheirWay,
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
  const stay = waiting === 1 ? 'The one that waits stays here.' : `The ${waiting} that wait stay here.`;
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
  const within = withinReach(waiting, onTheirWay, usage);
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
      {stayWords(within, waiting)} here until there is more to be had.
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
  const these = isRunning ? 'those that wait' : waiting === 1 ? 'these' : `these ${waiting}`;
  return within === 0 ? `None of ${these} can be read ${when}` : `${within} of ${these} can be read ${when}`;
}
