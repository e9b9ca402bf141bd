import { clsx } from 'clsx';
import { type ComponentProps, type ReactNode, type RefObject, useRef, useState } from 'react';
import { useOnline } from '../../../ui/basics/browser-state.ts';
import { Button } from '../../../ui/basics/button.tsx';
import { Progress } from '../../../ui/basics/display.tsx';
import { focusInstead } from '../../../ui/basics/events.ts';
import { Icon, PathIcon } from '../../../ui/basics/icon.tsx';
import { counted, formatSize } from '../../../ui/basics/words.ts';
import { toast } from '../../../ui/toast/toast-store.ts';
import type { RecognitionResult } from '../../../workspace/reading.ts';
import { CONNECTION_LOST_TEXT, OFFLINE_TEXT } from '../tool/extraction-state.ts';
import type { Rejection, Remedy } from '../tool/image-file.ts';
import type { List, ListItem } from '../tool/items-state.ts';
import { shownStage } from '../upload/extraction-progress.tsx';
import { type Batch, readingIn } from './batch.ts';
import { isBeingRead } from './list-state.ts';
import { useReorder } from './use-reorder.ts';
import { useThumbnails } from './use-thumbnails.ts';

const GRIP = 'M6 9h12M6 15h12';

interface BatchRowsProps {
  list: List;
  batch: Batch;
  /** Id of the shown extraction; null without one. */
  shown: string | null;
  /** Gets the focus when the last row is removed. */
  heading: RefObject<HTMLElement | null>;
  onOpen: (reading: RecognitionResult) => void;
  onStart: (item: string) => void;
}

/** The rows of the list. They can be moved and removed. */
export function BatchRows({ list, batch, shown, heading, onOpen, onStart }: BatchRowsProps) {
  const { items: entries, isRunning } = list;
  const isOnline = useOnline();
  const [moving, setMoving] = useState<string | null>(null);
  const rowList = useRef<HTMLUListElement>(null);
  const thumbnails = useThumbnails(entries);
  const places = entries.map((entry) => entry.id);
  const move = (id: string, to: number) => batch.dispatch({ type: 'moved', id, to });
  const { dragged, onPointerDown, onKeyDown } = useReorder(rowList, places, move);

  const focusRow = (place: number) =>
    focusInstead(() => {
      const row = [...(rowList.current?.children ?? [])].at(place) ?? rowList.current?.lastElementChild;
      return row?.querySelector<HTMLElement>('button:not(:disabled)') ?? heading.current;
    });
  const remove = (entry: ListItem, place: number) => {
    if (isBeingRead(entry)) batch.stop(entry.id);
    const removed = batch.item(entry.id) ?? entry;
    batch.remove(entry.id);
    toast({
      title: 'Removed',
      description: `“${entry.file.name}” was removed from the list.`,
      onUndo: () => batch.restore(removed, place),
    });
    if (entries.length === 1) batch.close();
    else focusRow(place);
  };

  return (
    <ul ref={rowList} aria-label="Files" className="max-h-112 overflow-y-auto border-y border-rule">
      {entries.map((entry, place) => {
        const found = readingIn(entry);
        return (
          <BatchRow
            key={entry.id}
            entry={entry}
            place={place}
            of={entries.length}
            thumbnail={thumbnails.get(entry.file) ?? null}
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
            onOpen={() => found && onOpen(found)}
            onRead={() => onStart(entry.id)}
            onStop={() => batch.stop(entry.id)}
            onRetry={() => onStart(entry.id)}
            onResend={() => batch.items.resend(entry.id)}
            onRemove={() => remove(entry, place)}
            onRemedy={(problem, step) => void batch.remedy(entry, problem, step)}
          />
        );
      })}
    </ul>
  );
}

interface RowProps {
  entry: ListItem;
  place: number;
  of: number;
  thumbnail: string | null;
  isRunning: boolean;
  isShown: boolean;
  isOnline: boolean;
  isDragged: boolean;
  /** Whether the buttons that move the row are shown. A click on the handle shows them, for users who do not drag. */
  isMoving: boolean;
  handle: Pick<ComponentProps<'button'>, 'onPointerDown' | 'onKeyDown' | 'onClick'>;
  onMove: (to: number) => void;
  onOpen: () => void;
  /** Recognizes the page as a picture although it has a text layer. */
  onRead: () => void;
  onStop: () => void;
  onRetry: () => void;
  onResend: () => void;
  onRemove: () => void;
  onRemedy: (problem: Rejection, step: Remedy) => void;
}

/** The row of one file: its name, its progress and its buttons. */
function BatchRow(props: RowProps) {
  const { entry, place, of, thumbnail, isShown, isDragged, isMoving, handle, onMove, onRemove } = props;
  const { file, state } = entry;
  const { name } = file;
  return (
    <li
      data-dragged={isDragged || undefined}
      aria-current={isShown || undefined}
      className={clsx(
        'grid grid-cols-[auto_auto_minmax(0,1fr)_auto] items-center gap-x-2 border-t border-rule py-1.5 first:border-t-0 md:grid-cols-[auto_auto_minmax(0,1fr)_auto_auto] md:gap-x-3',
        isDragged ? 'bg-marker-wash' : isShown && 'bg-sunk',
      )}
    >
      <button
        type="button"
        aria-label={`Move ${name}, ${place + 1} of ${of}`}
        aria-expanded={isMoving}
        disabled={of < 2}
        className="flex h-11 w-8 cursor-grab touch-none items-center justify-center rounded-control text-ink-faint hover:text-ink focus-visible:-outline-offset-2 disabled:invisible"
        {...handle}
      >
        <PathIcon path={GRIP} />
      </button>
      <span className="flex size-12 items-center justify-center overflow-hidden border border-rule bg-sunk text-ink-faint">
        {thumbnail ? (
          <img src={thumbnail} alt="" className="size-full object-cover" />
        ) : (
          <Icon name="picture" />
        )}
      </span>
      <div className="min-w-0">
        <p className="truncate font-medium">{name}</p>
        <StateLine {...props} />
        {state.status === 'processing' && (
          <Progress className="mt-1" value={state.percent} label={`Reading ${name}`} />
        )}
      </div>
      {/* On a phone these buttons are in a separate row at the bottom. */}
      <div className="flex flex-wrap items-center gap-2 empty:hidden max-md:col-span-2 max-md:col-start-3 max-md:row-start-2 max-md:pt-1 md:justify-end">
        {isMoving && (
          <>
            <Small onClick={() => onMove(place - 1)} disabled={place === 0} label={`Move ${name} up`}>
              Up
            </Small>
            <Small onClick={() => onMove(place + 1)} disabled={place === of - 1} label={`Move ${name} down`}>
              Down
            </Small>
          </>
        )}
        <MainAction {...props} />
      </div>
      <Button
        variant="ghost"
        size="icon"
        className="focus-visible:-outline-offset-2 max-md:col-start-4 max-md:row-start-1 md:col-start-5"
        aria-label={`Remove ${name}`}
        onClick={onRemove}
      >
        <Icon name="close" />
      </Button>
    </li>
  );
}

interface SmallProps {
  label?: string;
  disabled?: boolean;
  busy?: boolean;
  onClick: () => void;
  children: ReactNode;
}

const Small = ({ label, ...rest }: SmallProps) => (
  <Button variant="secondary" size="small" aria-label={label} {...rest} />
);

/** The main button of a row. It is in the same place in every state, so that the focus stays on it. */
function MainAction(props: RowProps) {
  const { entry, isRunning, onRead, onOpen, onStop, onRetry, onResend, onRemedy } = props;
  const { state, queueState, file } = entry;
  const { name } = file;
  if (state.status === 'result' && !(isRunning && queueState === 'queued')) {
    return (
      <>
        <Small label={`Open ${name}`} onClick={onOpen}>
          Open
        </Small>
        {state.attempt.fromDocument && (
          <Small label={`Read ${name} as a picture`} onClick={onRead}>
            Read the picture
          </Small>
        )}
      </>
    );
  }
  if (state.status === 'processing' || (isRunning && queueState === 'queued')) {
    return (
      <>
        {state.status === 'processing' && state.silent && (
          <Small label={`Try again to send ${name}`} onClick={onResend}>
            Try again
          </Small>
        )}
        <Small label={`Stop ${name}`} onClick={onStop}>
          Stop
        </Small>
      </>
    );
  }
  if (state.status === 'failed' || queueState === 'stopped') {
    return (
      <Small label={`Try ${name} again`} onClick={onRetry}>
        Try again
      </Small>
    );
  }
  const { problem } = state;
  const step = problem?.remedy;
  if (!problem || !step) return null;
  return (
    <Small busy={step.busyLabel !== null} onClick={() => onRemedy(problem, step)}>
      {step.busyLabel ?? step.label}
    </Small>
  );
}

function StateLine({ entry, isOnline }: Pick<RowProps, 'entry' | 'isOnline'>) {
  const { state } = entry;
  const isBad = state.status === 'failed' || state.status === 'idle';
  return (
    <p className="text-sm text-ink-soft tabular-nums">
      {formatSize(entry.file.size)} <span aria-hidden="true">·</span>{' '}
      <span className={isBad ? 'text-danger' : undefined}>{stateText(entry, isOnline)}</span>
    </p>
  );
}

export function stateText({ state, queueState }: ListItem, isOnline: boolean): string {
  switch (state.status) {
    case 'idle':
      return problemText(state.problem);
    case 'selected':
      if (state.problem) return problemText(state.problem);
      return queueState === 'stopped' ? 'Stopped' : 'Waiting';
    case 'processing':
      if (state.silent) return 'No response for a while. Trying again is counted once.';
      return shownStage(state.sending, state.stage) ?? 'Processing your image...';
    case 'failed':
      if (state.failure.status === null) return isOnline ? CONNECTION_LOST_TEXT : OFFLINE_TEXT;
      return state.failure.message;
    case 'result': {
      const { wordCount, confidence } = state.extraction;
      if (wordCount === 0) return 'No text was found in this picture.';
      if (state.attempt.fromDocument)
        return `Text from the PDF, nothing was counted: ${counted(wordCount, 'word')}`;
      return `Read: ${counted(wordCount, 'word')}, ${confidence}% confidence`;
    }
  }
}

const problemText = (problem: Rejection | null) =>
  problem ? `${problem.title}. ${problem.about ?? problem.description}` : '';
