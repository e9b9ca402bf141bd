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
import { TextField } from '../../ui/forms/field.tsx';
import { CouldNotLoad } from '../../ui/forms/form.tsx';
import { formatBytes, SavedTextEntry } from './saved-text-entry.tsx';
import { savedTextsQuery } from './saved-texts-calls.ts';

const TYPING_PAUSE_MS = 250;

/** A search loads more pages automatically until it has this many results, or this many pages. */
const ENOUGH_FOUND = 10;
const MAX_AUTOMATIC_PAGES = 20;

/** Lists a user's saved texts, with a search and buttons to open, rename, delete and export them. */
export function SavedTextsList({ premium }: { premium: boolean }) {
  const { words: typed, setWords: setTyped } = useSearchInHistory();
  const search = useDeferredValue(useDebounced(typed.trim()));
  const query = useInfiniteQuery({ ...savedTextsQuery(search), placeholderData: keepPreviousData });
  const { data, isError, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const texts = data?.pages.flatMap((page) => page.texts) ?? [];
  const loadsMore =
    search !== '' &&
    hasNextPage &&
    !isPlaceholderData &&
    !isError &&
    texts.length < ENOUGH_FOUND &&
    (data?.pages.length ?? 0) < MAX_AUTOMATIC_PAGES;
  useEffect(() => {
    if (loadsMore && !isFetchingNextPage) void fetchNextPage();
  }, [loadsMore, isFetchingNextPage, fetchNextPage]);

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
            ? 'Nothing saved yet. “Save text” below a result saves its text here; the picture is never stored.'
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
            {countInWords({ count: texts.length, isSearch: search !== '', hasMore: hasNextPage, loadsMore })}
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
            {hasNextPage && !loadsMore && (
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
  loadsMore: boolean;
}

function countInWords({ count, isSearch, hasMore, loadsMore }: Count): string {
  if (loadsMore) return count === 0 ? 'Searching…' : `${counted(count, 'text')} so far, searching…`;
  if (isSearch && count === 0) {
    return hasMore
      ? 'No text contains these words so far. There are older texts.'
      : 'No text contains these words.';
  }
  return hasMore ? `${count} or more texts` : counted(count, 'text');
}

/** Stores the search terms in the history entry, so that Back from a text restores them. */
function useSearchInHistory() {
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const [words, setWords] = useState(() => wordsIn(state));
  const settled = useDebounced(words);
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
function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
