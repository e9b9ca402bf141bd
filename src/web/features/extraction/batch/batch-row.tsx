import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../../../ui/basics/button.tsx';
import { classNames } from '../../../ui/basics/class-names.ts';
import { Drawing, Icon } from '../../../ui/basics/icon.tsx';
import { Progress } from '../../../ui/basics/progress.tsx';
import { counted, formatSize } from '../../../ui/basics/words.ts';
import { shownStage } from '../tool/extraction-progress.tsx';
import { LOST, OFFLINE } from '../tool/extraction-state.ts';
import type { Rejection, Remedy } from '../tool/image-file.ts';
import type { ListItem } from '../tool/items-state.ts';

const GRIP = 'M6 9h12M6 15h12';

export interface RowProps {
  entry: ListItem;
  place: number;
  of: number;
  thumbnail: string | null;
  isRunning: boolean;
  isShown: boolean;
  isOnline: boolean;
  isDragged: boolean;
  /** Shows the buttons that move it; the handle opens them for everyone who does not drag. */
  isMoving: boolean;
  handle: Pick<ComponentProps<'button'>, 'onPointerDown' | 'onKeyDown' | 'onClick'>;
  onMove: (to: number) => void;
  onOpen: () => void;
  /** The picture is to be read, although the PDF holds a text. */
  onRead: () => void;
  onStop: () => void;
  onRetry: () => void;
  onAgain: () => void;
  onRemove: () => void;
  onRemedy: (problem: Rejection, step: Remedy) => void;
}

/** One file of a batch: its name, its progress, and its buttons. */
export function BatchRow(props: RowProps) {
  const { entry, place, of, thumbnail, isShown, isDragged, isMoving, handle, onMove, onRemove } = props;
  const { file, state } = entry;
  const { name } = file;
  return (
    <li
      data-dragged={isDragged || undefined}
      aria-current={isShown || undefined}
      className={classNames(
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
        <Drawing path={GRIP} />
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
      {/* On a phone a row of their own, below everything else. */}
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

/** One button in one place for every state, so that the focus stays on it. */
function MainAction(props: RowProps) {
  const { entry, isRunning, onRead, onOpen, onStop, onRetry, onAgain, onRemedy } = props;
  const { state, turn, file } = entry;
  const { name } = file;
  if (state.status === 'result' && !(isRunning && turn === 'asked')) {
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
  if (state.status === 'processing' || (isRunning && turn === 'asked')) {
    return (
      <>
        {state.status === 'processing' && state.silent && (
          <Small label={`Try again to send ${name}`} onClick={onAgain}>
            Try again
          </Small>
        )}
        <Small label={`Stop ${name}`} onClick={onStop}>
          Stop
        </Small>
      </>
    );
  }
  if (state.status === 'failed' || turn === 'stopped') {
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
    <Small busy={step.underWay !== null} onClick={() => onRemedy(problem, step)}>
      {step.underWay ?? step.label}
    </Small>
  );
}

function StateLine({ entry, isOnline }: Pick<RowProps, 'entry' | 'isOnline'>) {
  const { state } = entry;
  const isBad = state.status === 'failed' || state.status === 'idle';
  return (
    <p className="text-sm text-ink-soft tabular-nums">
      {formatSize(entry.file.size)} <span aria-hidden="true">·</span>{' '}
      <span className={isBad ? 'text-danger' : undefined}>{stateWords(entry, isOnline)}</span>
    </p>
  );
}

export function stateWords({ state, turn }: ListItem, isOnline: boolean): string {
  switch (state.status) {
    case 'idle':
      return wordsOf(state.problem);
    case 'selected':
      if (state.problem) return wordsOf(state.problem);
      return turn === 'stopped' ? 'Stopped' : 'Waiting';
    case 'processing':
      if (state.silent) return 'Nothing was heard for a while. To try again is counted once.';
      return shownStage(state.sending, state.stage) ?? 'Processing your image...';
    case 'failed':
      if (state.failure.status === null) return isOnline ? LOST : OFFLINE;
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

const wordsOf = (problem: Rejection | null) =>
  problem ? `${problem.title}. ${problem.about ?? problem.description}` : '';
