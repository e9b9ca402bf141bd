import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useState } from 'react';
import type { SavedTextsResponse } from '#contract/saved-text';
import { savedTexts } from '../../calls.ts';
import { DownloadLink } from '../../download-link.tsx';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { counted } from '../../words.ts';
import { formatBytes } from './format-bytes.ts';
import { SavedTextEntry } from './saved-text-entry.tsx';
import { savedTextsQuery } from './saved-texts-calls.ts';

const TYPING_PAUSE_MS = 250;

/** What a person has kept: found by a word in it, opened, renamed, deleted, taken away. */
export function SavedTextsList({ premium }: { premium: boolean }) {
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(useSettled(typed.trim()));
  const query = useInfiniteQuery({ ...savedTextsQuery(search), placeholderData: keepPreviousData });
  const { data, isError, hasNextPage, isFetchingNextPage, fetchNextPage } = query;

  if (isError) return <Alert tone="danger">Your texts could not be loaded. Please reload the page.</Alert>;
  if (!data) return <Skeleton className="h-40" />;
  const texts = data.pages.flatMap((page) => page.texts);
  const storage = data.pages[0]?.storage;
  const isEmpty = texts.length === 0 && search === '';
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
              value={typed}
              onValue={setTyped}
            />
          </search>
          <p role="status" className={texts.length === 0 ? 'text-ink-soft' : 'sr-only'}>
            {texts.length === 0
              ? 'No text holds these words.'
              : hasNextPage
                ? `${texts.length} or more texts`
                : counted(texts.length, 'text')}
          </p>
          {texts.length > 0 && (
            <ul className="border-b border-rule">
              {texts.map((text) => (
                <SavedTextEntry key={text.id} saved={text} />
              ))}
            </ul>
          )}
          <div className="flex flex-wrap gap-3">
            {hasNextPage && (
              <Button variant="secondary" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
                Show older texts
              </Button>
            )}
            <DownloadLink href={savedTexts.address('GET /api/texts/export')}>Export all texts</DownloadLink>
          </div>
        </>
      )}
    </div>
  );
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

/** The value once it has stood still for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
