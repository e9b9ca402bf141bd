import { clsx } from 'clsx';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { PAGES } from '#contract/paths';
import { RECENT_RESULTS_LIMITS } from '#contract/product';
import { Alert } from '../ui/basics/alert.tsx';
import { Button, Switch, TextLink } from '../ui/basics/button.tsx';
import { focusInstead } from '../ui/basics/events.ts';
import { Icon } from '../ui/basics/icon.tsx';
import { counted } from '../ui/basics/words.ts';
import type { UnfinishedBatch } from './batch-store.ts';
import type { RecentResult } from './recent-results-store.ts';
import { UnfinishedBatchNotice } from './unfinished-batch.tsx';
import { type RecentResultsOptions, useRecentResults } from './use-recent-results.ts';

/** Results shown before "Show all". */
const SHOWN_FIRST = 4;

type Question = 'remove-all' | 'turn-off';

/**
 * The list of recent results, to open or remove them, and the switch that turns storing off. Renders nothing if no results
 * are stored.
 */
export function RecentResults({
  onResume,
  ...options
}: RecentResultsOptions & {
  /** Opens the unfinished batch. Null while a batch is open. */
  onResume: ((batch: UnfinishedBatch) => Promise<void>) | null;
}) {
  const { results, unfinished, hideUnfinished, shown, isOn, isWritten, open, remove, removeAll, setStoring } =
    useRecentResults(options);
  const [showsAll, setShowsAll] = useState(false);
  const [question, setQuestion] = useState<Question | null>(null);
  const now = useNow();
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLUListElement>(null);

  // Preloaded, so that opening a result works offline.
  useEffect(() => void import('../workspace/plain-result.tsx').catch(() => {}), []);

  const unfinishedNotice = isOn && onResume && unfinished && (
    <UnfinishedBatchNotice batch={unfinished} onRemoved={hideUnfinished} onResume={onResume} />
  );
  if (isOn && results.length === 0) return unfinishedNotice;
  const others = results.filter((result) => result.id !== shown);

  const removeAndFocusNext = async (result: RecentResult, place: number) => {
    await remove(result);
    focusInstead(() => {
      const next = [...(list.current?.children ?? [])].at(place) ?? list.current?.lastElementChild;
      return next?.querySelector('button') ?? heading.current;
    });
  };
  const answer = async (yes: boolean) => {
    setQuestion(null);
    if (yes && question === 'turn-off') setStoring(false);
    if (yes && question === 'remove-all') await removeAll().catch(() => {});
    focusInstead(() => heading.current);
  };
  return (
    <>
      {unfinishedNotice}
      <section aria-labelledby={id} className="mt-5 border-t border-rule-heavy pt-3">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
          <h2 ref={heading} id={id} tabIndex={-1} className="text-xl outline-none">
            Recent results
          </h2>
          <div className="flex min-h-11 items-center gap-3 text-sm">
            <label htmlFor={`${id}-switch`}>Keep in this browser</label>
            <Switch
              id={`${id}-switch`}
              checked={isOn}
              onCheckedChange={(on) =>
                on || results.length === 0 ? setStoring(on) : setQuestion('turn-off')
              }
            />
          </div>
        </div>
        <p className="text-sm text-ink-soft">
          {isOn
            ? `Only in this browser, for ${RECENT_RESULTS_LIMITS.days} days or until you sign out. Our server keeps none of it. `
            : 'Off: a text is lost when you leave or reload the page. '}
          <TextLink href={PAGES.privacy}>Privacy policy</TextLink>
        </p>
        {question && (
          <Confirmation question={question} count={results.length} onAnswer={(yes) => void answer(yes)} />
        )}
        {others.length < results.length && (
          <p className="mt-3 border-t border-rule py-3 text-sm">
            {isWritten ? 'The text above is kept.' : 'Keeping the text above ...'}
          </p>
        )}
        {results.length > 0 && (
          <>
            <ul ref={list} className={clsx(others.length === results.length && 'mt-3')}>
              {(showsAll ? others : others.slice(0, SHOWN_FIRST)).map((result, place) => (
                <Entry
                  key={result.id}
                  result={result}
                  now={now}
                  onOpen={() => void open(result.id)}
                  onRemove={() => removeAndFocusNext(result, place).catch(() => {})}
                />
              ))}
            </ul>
            <div className="flex flex-wrap gap-x-6 border-t border-rule pt-1">
              {others.length > SHOWN_FIRST && (
                <Button
                  variant="quiet"
                  className="min-h-11"
                  aria-expanded={showsAll}
                  onClick={() => setShowsAll((was) => !was)}
                >
                  {showsAll ? 'Show fewer' : `Show all ${others.length}`}
                </Button>
              )}
              <Button variant="quiet" className="min-h-11" onClick={() => setQuestion('remove-all')}>
                Remove all
              </Button>
            </div>
          </>
        )}
      </section>
    </>
  );
}

interface ConfirmationProps {
  question: Question;
  count: number;
  onAnswer: (yes: boolean) => void;
}

function Confirmation({ question, count, onAnswer }: ConfirmationProps) {
  const keepButton = useRef<HTMLButtonElement>(null);
  useEffect(() => keepButton.current?.focus(), []);
  const what = counted(count, 'recent result');
  return (
    <Alert
      tone="warning"
      className="mt-3"
      title={question === 'turn-off' ? `Turn off, and remove ${what}?` : `Remove ${what}?`}
      action={
        <div className="flex flex-wrap gap-2">
          <Button ref={keepButton} variant="secondary" size="small" onClick={() => onAnswer(false)}>
            Keep {count === 1 ? 'it' : 'them'}
          </Button>
          <Button variant="secondary" size="small" onClick={() => onAnswer(true)}>
            {question === 'turn-off' ? 'Turn off and remove' : 'Remove'}
          </Button>
        </div>
      }
    >
      Pictures, texts and edits cannot be brought back.
    </Alert>
  );
}

interface EntryProps {
  result: RecentResult;
  now: number;
  onOpen: () => void;
  onRemove: () => void;
}

function Entry({ result, now, onOpen, onRemove }: EntryProps) {
  const { name, beginning, wordCount, readAt, edited, thumbnail } = result;
  const about = [counted(wordCount, 'word'), timeSince(readAt, now), ...(edited ? ['edited'] : [])];
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2 border-t border-rule py-3 md:grid-cols-[auto_minmax(0,1fr)_auto]">
      <Thumbnail of={thumbnail} />
      <div className="min-w-0">
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <span className="min-w-0 truncate font-medium">{name}</span>
          <span className="text-sm text-ink-soft tabular-nums">{about.join(', ')}</span>
        </p>
        <p className="truncate font-mono text-sm text-ink-soft">
          <bdi>{beginning || 'No text'}</bdi>
        </p>
      </div>
      <div className="flex items-center gap-1 max-md:col-span-2 max-md:justify-end">
        <Button
          variant="secondary"
          size="small"
          aria-label={`Open ${name}, read ${timeSince(readAt, now)}`}
          onClick={onOpen}
        >
          Open
        </Button>
        <Button
          variant="ghost"
          size="icon"
          aria-label={`Remove ${name}, read ${timeSince(readAt, now)}`}
          onClick={onRemove}
        >
          <Icon name="close" />
        </Button>
      </div>
    </li>
  );
}

const Thumbnail = ({ of }: { of: Blob | null }) => (
  <span className="flex h-[3.75rem] w-20 items-center justify-center overflow-hidden border border-rule bg-sunk">
    {of ? <BlobPicture of={of} /> : <Icon name="picture" />}
  </span>
);

function BlobPicture({ of }: { of: Blob }) {
  const show = useCallback(
    (picture: HTMLImageElement) => {
      picture.src = URL.createObjectURL(of);
      return () => URL.revokeObjectURL(picture.src);
    },
    [of],
  );
  return <img ref={show} alt="" className="size-full object-cover" />;
}

/** The time by this device's clock, as `readAt` is. Updated once a minute. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Time since a moment: "just now", "25 min ago", "3 h ago", "12 days ago". Both in milliseconds since 1970. */
export function timeSince(moment: number, now: number): string {
  const elapsed = now - moment;
  if (elapsed < MINUTE_MS) return 'just now';
  if (elapsed < HOUR_MS) return `${Math.floor(elapsed / MINUTE_MS)} min ago`;
  const hours = Math.floor(elapsed / HOUR_MS);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}
