import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useState } from 'react';
import type { SavedTextsResponse } from '#contract/saved-text';
import { savedTexts } from '../../api/client.ts';
import { DownloadLink } from '../../api/download-link.tsx';
import { useLocation, useNavigate } from '../../router/router.tsx';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { Progress, Skeleton } from '../../ui/basics/display.tsx';
import { counted } from '../../ui/basics/words.ts';
import { CouldNotLoad } from '../../ui/forms/could-not-load.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { formatBytes, SavedTextEntry } from './saved-text-entry.tsx';
import { savedTextsQuery } from './saved-texts-calls.ts';

const TYPING_PAUSE_MS = 250;

/** Pages that a search with few results loads automatically. */
const ENOUGH_FOUND = 10;
const PAGES_BY_ITSELF = 20;

/** A user's saved texts: searched, opened, renamed, deleted, downloaded. */
export function SavedTextsList({ premium }: { premium: boolean }) {
  const { words: typed, setWords: setTyped } = useSearchInHistory();
  const search = useDeferredValue(useSettled(typed.trim()));
  const query = useInfiniteQuery({ ...savedTextsQuery(search), placeholderData: keepPreviousData });
  const { data, isError, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const texts = data?.pages.flatMap((page) => page.texts) ?? [];
  const goesOn =
    search !== '' &&
    hasNextPage &&
    !isPlaceholderData &&
    !isError &&
    texts.length < ENOUGH_FOUND &&
    (data?.pages.length ?? 0) < PAGES_BY_ITSELF;
  useEffect(() => {
    if (goesOn && !isFetchingNextPage) void fetchNextPage();
  }, [goesOn, isFetchingNextPage, fetchNextPage]);

  if (isError && !data) {
    return <CouldNotLoad onTryAgain={() => refetch()}>Your texts could not be loaded.</CouldNotLoad>;
  }
  if (!data) return <Skeleton className="h-40" />;
  const storage = data.pages[0]?.storage;
  const isEmpty = texts.length === 0 && search === '' && typed === '';
  return (
    <div className="grid gap-5">
      {storage && <Meter storage={storage} />}
      {isEmpty ? (
        <p className="crop-marks p-5 text-ink-soft">
          {premium
            ? 'Nothing saved yet. “Save text” under a result puts its text here; the picture is never kept.'
            : 'Nothing is saved here. Saving texts is part of premium.'}
        </p>
      ) : (
        <>
          <search>
            <TextField
              label="Search your texts"
              name="search"
              type="search"
              autoComplete="off"
              maxLength={200}
              value={typed}
              onValue={setTyped}
            />
          </search>
          <p role="status" className={texts.length === 0 || search !== '' ? 'text-ink-soft' : 'sr-only'}>
            {countInWords({ count: texts.length, isSearch: search !== '', hasMore: hasNextPage, goesOn })}
          </p>
          {texts.length > 0 && (
            <ul className="border-b border-rule">
              {texts.map((text) => (
                <SavedTextEntry key={text.id} saved={text} />
              ))}
            </ul>
          )}
          {isError && <Alert tone="danger">The rest could not be loaded.</Alert>}
          <div className="flex flex-wrap gap-3">
            {hasNextPage && !goesOn && (
              <Button variant="secondary" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
                {search === '' ? 'Show older texts' : 'Search older texts'}
              </Button>
            )}
            <DownloadLink href={savedTexts.address('GET /api/texts/export')}>Export all texts</DownloadLink>
          </div>
        </>
      )}
    </div>
  );
}

interface Count {
  count: number;
  isSearch: boolean;
  hasMore: boolean;
  goesOn: boolean;
}

function countInWords({ count, isSearch, hasMore, goesOn }: Count): string {
  if (goesOn) return count === 0 ? 'Searching…' : `${counted(count, 'text')} so far, searching…`;
  if (isSearch && count === 0) {
    return hasMore ? 'No text holds these words so far. There are older ones.' : 'No text holds these words.';
  }
  return hasMore ? `${count} or more texts` : counted(count, 'text');
}

/** The search terms are part of the history entry: Back from a text restores them. */
function useSearchInHistory() {
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const [words, setWords] = useState(() => wordsIn(state));
  const settled = useSettled(words);
  useEffect(() => {
    if (settled !== wordsIn(state))
      void navigate(pathname, { replace: true, state: { textSearch: settled } });
  }, [settled, state, pathname, navigate]);
  return { words, setWords };
}

function wordsIn(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('textSearch' in state)) return '';
  return typeof state.textSearch === 'string' ? state.textSearch : '';
}

function Meter({ storage: { usedBytes, limitBytes } }: { storage: SavedTextsResponse['storage'] }) {
  const words = `${formatBytes(usedBytes)} of ${formatBytes(limitBytes)} used`;
  return (
    <div className="grid gap-1.5">
      <Progress value={(100 * usedBytes) / limitBytes} label={`Storage: ${words}`} />
      <p className="text-sm text-ink-soft tabular-nums">{words}</p>
    </div>
  );
}

/** The debounced value. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
