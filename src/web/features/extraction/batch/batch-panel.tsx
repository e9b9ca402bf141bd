import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { MOST_PICTURES_AT_ONCE } from '#contract/product';
import type { Usage } from '#contract/usage';
import { usageQuery } from '../../../session/queries.ts';
import { useSite } from '../../../site/site.tsx';
import { Alert } from '../../../ui/basics/alert.tsx';
import { Button } from '../../../ui/basics/button.tsx';
import { useOnline } from '../../../ui/basics/use-online.ts';
import { counted } from '../../../ui/basics/words.ts';
import { type ToastMessage, toast } from '../../../ui/toast/toast-store.ts';
import type { Reading, ReadingOptions } from '../../../workspace/reading.ts';
import type { Workbench } from '../../../workspace/workbench.ts';
import { ChangePicture } from '../tool/drop-zone.tsx';
import type { ExtractionFailure } from '../tool/extraction-failure.ts';
import { loadWorkspace } from '../tool/result-view.tsx';
import { processingLabel, ToolFrame, type ToolFrameProps } from '../tool/tool-frame.tsx';
import { CountReset } from '../tool/usage-notices.tsx';
import type { Halt } from './batch.ts';
import { BatchRow, stateWords } from './batch-row.tsx';
import {
  type BatchEntry,
  isBeingOpened,
  isBeingRead,
  isRead,
  isWaiting,
  percentOf,
  withinReach,
} from './batch-state.ts';
import { CombinedText } from './combined-text.tsx';
import { type BatchInput, readingIn, useBatch } from './use-batch.ts';
import { useReorder } from './use-reorder.ts';

export interface BatchPanelProps {
  given: BatchInput;
  frame: Omit<ToolFrameProps, 'view' | 'onSubmit' | 'problem' | 'problemId' | 'onRemedy'>;
  options: ReadingOptions;
  /** A username; empty while signed out. */
  person: string;
  usage: Usage | undefined;
  /** The text on the screen; null where there is none. */
  reading: Reading | null;
  workbench: Workbench;
  hovering: boolean;
  onFiles: (files: readonly File[]) => void;
  onOpen: (reading: Reading) => void;
  onClose: () => void;
  onLimitReached: ((limit: NonNullable<ExtractionFailure['limit']>) => boolean) | undefined;
  onUpgrade: () => void;
  onSignIn: () => void;
  onEnd: () => void;
  /** The list is given up for a single picture. */
  onOnlyFirst: (file: File) => void;
}

const isNew = ({ state, turn }: BatchEntry): boolean =>
  (state.status === 'selected' || state.status === 'idle') && turn === 'none';

/**
 * Several pictures at once: a list in the place of a single picture, with the opened text below it. Long because every row
 * needs its actions on the batch.
 */
export function BatchPanel(props: BatchPanelProps) {
  const { given, frame, options, person, usage, reading, workbench, onOpen, onClose, onEnd } = props;
  const queries = useQueryClient();
  const isOnline = useOnline();
  const [showsTogether, setShowsTogether] = useState(false);
  const [moving, setMoving] = useState<string | null>(null);
  const [said, say] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const { batch, entries, isRunning, halt, thumbnails, remedy, forget } = useBatch({
    given,
    person,
    async onCounted() {
      await queries.invalidateQueries(usageQuery).catch(() => {});
      const now = queries.getQueryData(usageQuery.queryKey);
      return !now || now.imageCount < now.dailyLimit;
    },
    onRest: (why, failure) => announceRest(why, failure),
    onPages: say,
  });
  const read = entries.filter(isRead);
  const waiting = entries.filter(isWaiting);
  const now = entries.find(isBeingRead);
  const readings = () =>
    entries.flatMap((entry) => {
      const found = readingIn(entry);
      return found ? [workbench.withEdits(found)] : [];
    });

  const announceRest = (why: Halt | null, failure: ExtractionFailure | null) => {
    if (why === 'limit') {
      void queries.invalidateQueries(usageQuery);
      if (failure?.limit && props.onLimitReached?.(failure.limit)) return;
    }
    const message = restMessage(why, failure, batch.state().entries);
    if (message) toast(message);
  };

  // A stop because of the former user no longer applies; the new one starts again by a press.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each person
  useEffect(() => batch.personChanged(), [person, batch]);
  useEffect(() => void loadWorkspace().catch(() => {}), []);

  // The button that was pressed went with the toast.
  useEffect(() => {
    if ('files' in given && given.pagesOf) heading.current?.focus();
  }, [given]);

  const places = entries.map((entry) => entry.id);
  const move = (entry: string, to: number) => {
    const name = entries.find((each) => each.id === entry)?.file.name;
    batch.move(entry, to);
    say(`${name} is now ${to + 1} of ${entries.length}`);
  };
  const { dragged, onPointerDown, onKeyDown } = useReorder(list, places, move);

  const focusRow = (place: number) =>
    requestAnimationFrame(() => {
      const row = [...(list.current?.children ?? [])].at(place) ?? list.current?.lastElementChild;
      const next = row?.querySelector<HTMLElement>('button:not(:disabled)') ?? heading.current;
      (next ?? document.querySelector('main'))?.focus();
    });
  const remove = (entry: BatchEntry, place: number) => {
    if (isBeingRead(entry)) batch.stop(entry.id);
    const aside = batch.state().entries.find((each) => each.id === entry.id) ?? entry;
    batch.remove(entry.id);
    toast({
      title: 'Removed',
      description: `“${entry.file.name}” is not in the list any more.`,
      onUndo: () => batch.add([aside], place),
    });
    if (entries.length === 1) end();
    else focusRow(place);
  };
  const end = () => {
    batch.leave();
    forget();
    onEnd();
  };
  const open = (found: Reading) => {
    setShowsTogether(false);
    onOpen(workbench.withEdits(found));
  };
  const start = (which?: string) => batch.read(options, which);
  const onlyFirst = () => {
    const [first] = entries;
    batch.leave();
    forget();
    if (first) props.onOnlyFirst(first.file);
  };
  const isUntouched = entries.length > 1 && !isRunning && halt === null && entries.every(isNew);
  const shown = reading?.attempt.extractionId;
  const percent = percentOf(entries);

  const rows = (
    <div className="flex min-w-0 flex-col gap-3">
      <BatchHeader
        heading={heading}
        entries={entries}
        isRunning={isRunning}
        mayGoOn={halt === null}
        isTogether={showsTogether && !reading}
        hovering={props.hovering}
        onTogether={() => {
          const opens = reading !== null || !showsTogether;
          if (opens) onClose();
          setShowsTogether(opens);
        }}
        onStop={() => batch.stop()}
        onStart={() => start()}
        onFiles={props.onFiles}
        onEnd={end}
      />
      {isUntouched && (
        <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-1">
          <p role="status" className="text-sm text-ink-soft">
            Several files make a list. They are read one after another.
          </p>
          <Button variant="secondary" size="small" onClick={onlyFirst}>
            Only the first
          </Button>
        </div>
      )}
      <ul ref={list} aria-label="Files" className="max-h-112 overflow-y-auto border-y border-rule">
        {entries.map((entry, place) => {
          const found = readingIn(entry);
          return (
            <BatchRow
              key={entry.id}
              entry={entry}
              place={place}
              of={entries.length}
              thumbnail={thumbnails.get(entry.id)?.url ?? null}
              isRunning={isRunning}
              isShown={found !== null && found.attempt.extractionId === shown}
              isOnline={isOnline}
              isDragged={dragged === entry.id}
              isMoving={moving === entry.id}
              handle={{
                onPointerDown: onPointerDown(entry.id),
                onKeyDown: onKeyDown(entry.id),
                onClick: () => setMoving(moving === entry.id || dragged ? null : entry.id),
              }}
              onMove={(to) => move(entry.id, to)}
              onOpen={() => found && open(found)}
              onRead={() => start(entry.id)}
              onStop={() => batch.stop(entry.id)}
              onRetry={() => start(entry.id)}
              onAgain={batch.again}
              onRemove={() => remove(entry, place)}
              onRemedy={(problem, step) => void remedy(entry, problem, step)}
            />
          );
        })}
      </ul>
      <p className="sr-only" role="status">
        {said}
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
        onSubmit={start}
        problem={null}
        problemId=""
        onRemedy={() => {}}
      />
      {showsTogether && !reading && read.length > 0 && (
        <CombinedText readings={readings} onUpgrade={props.onUpgrade} />
      )}
    </>
  );
}

interface BatchHeaderProps {
  heading: RefObject<HTMLHeadingElement | null>;
  entries: readonly BatchEntry[];
  isRunning: boolean;
  /** Nothing keeps the waiting pictures from being read. */
  mayGoOn: boolean;
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
  const { heading, entries, isRunning, mayGoOn, isTogether, hovering } = props;
  const { onTogether, onStop, onStart, onFiles, onEnd } = props;
  const read = entries.filter(isRead);
  const waiting = entries.filter(isWaiting);
  const now = entries.find(isBeingRead);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-1">
      <h2 ref={heading} tabIndex={-1} className="text-xl outline-none md:mr-auto">
        {counted(entries.length, 'file')}
        <span className="ml-3 font-sans text-sm text-ink-soft tabular-nums">
          {summary(read.length, waiting.length, now)}
        </span>
      </h2>
      <div className="flex min-h-11 flex-wrap items-center gap-x-5 gap-y-1 max-md:order-last max-md:basis-full">
        {read.length > 0 && (
          <Button variant="secondary" size="small" aria-expanded={isTogether} onClick={onTogether}>
            All together
          </Button>
        )}
        {(isRunning || (mayGoOn && read.length > 0 && waiting.length > 0)) && (
          <Button variant="quiet" className="font-normal" onClick={isRunning ? onStop : onStart}>
            {isRunning ? 'Stop all' : 'Go on'}
          </Button>
        )}
        {entries.length < MOST_PICTURES_AT_ONCE && (
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
function restMessage(
  why: Halt | null,
  failure: ExtractionFailure | null,
  entries: readonly BatchEntry[],
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

function summary(read: number, waiting: number, now: BatchEntry | undefined): ReactNode {
  const parts = [read > 0 && `${read} read`, now && '1 being read', waiting > 0 && `${waiting} waiting`];
  return parts.filter(Boolean).join(', ');
}

function spokenEnd(read: readonly BatchEntry[], isOnline: boolean): string {
  const last = read.at(-1);
  return last
    ? `${counted(read.length, 'picture')} read. ${last.file.name}: ${stateWords(last, isOnline)}`
    : '';
}

interface RemainingNoticeProps {
  waiting: number;
  /** Those that will have been counted before it is the turn of one that waits. */
  onTheirWay: number;
  isRunning: boolean;
  halt: Halt | null;
  usage: Usage | undefined;
  onUpgrade: () => void;
  onSignIn: () => void;
}

/** What keeps the waiting pictures from being read, announced in advance, and why the batch stopped. */
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
  if (waiting === 0) return null;
  const button = (label: string, onClick: () => void) => (
    <Button variant="secondary" size="small" onClick={onClick}>
      {label}
    </Button>
  );
  const stay = waiting === 1 ? 'The one that waits stays here.' : `The ${waiting} that wait stay here.`;
  if (halt === 'person') {
    return (
      <Alert tone="danger" title="You were signed out" action={button('Sign in', onSignIn)}>
        Sign in to go on. {stay}
      </Alert>
    );
  }
  if (halt === 'no-answer')
    return <Alert title="The connection was lost">{stay} Go on once you are connected.</Alert>;
  if (halt === 'busy') return <Alert title="The server is busy">{stay} Go on in a moment.</Alert>;
  const within = withinReach(waiting, onTheirWay, usage);
  if (within === null || !usage) return null;
  const isMonth = usage.period === 'month';
  return (
    <Alert
      tone="warning"
      action={!isMonth && button(comingSoon ? 'Join the waitlist' : 'Get Premium', onUpgrade)}
      title={reachWords(within, waiting, isMonth ? 'this month' : 'today', isRunning)}
    >
      {waiting - within === 1 ? 'The other stays' : 'The others stay'} here until there is more to be had.
      <CountReset usage={usage} />
    </Alert>
  );
}

/** "2 of these 5 can be read today" */
function reachWords(within: number, waiting: number, when: string, isRunning: boolean): string {
  const these = isRunning ? 'those that wait' : waiting === 1 ? 'these' : `these ${waiting}`;
  return within === 0 ? `None of ${these} can be read ${when}` : `${within} of ${these} can be read ${when}`;
}
