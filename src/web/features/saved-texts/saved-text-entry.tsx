import { useState } from 'react';
import { longDate } from '#contract/long-date';
import { savedTextPage } from '#contract/paths';
import type { Found, ListedText } from '#contract/saved-text';
import { Button, ButtonLink } from '../../ui/basics/button.tsx';
import { counted } from '../../ui/basics/words.ts';
import { DeleteDialog, RenameDialog } from './saved-text-dialogs.tsx';

type Opened = 'name' | 'deletion' | null;

/** One saved text in the list, with the matches of a search, and buttons to open, rename and delete it. */
export function SavedTextEntry({ saved }: { saved: ListedText }) {
  const [opened, setOpened] = useState<Opened>(null);
  const { found } = saved;
  const dialog = (which: Opened) => ({
    saved,
    open: opened === which,
    onOpenChange: (open: boolean) => setOpened(open ? which : null),
  });
  const action = (label: string, which: Opened) => (
    <Button
      variant="quiet"
      className="min-h-11"
      aria-label={`${label} ${saved.name}`}
      onClick={() => setOpened(which)}
    >
      {label}
    </Button>
  );
  return (
    <li className="border-t border-rule py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="min-w-0 text-xl wrap-anywhere">
          <HighlightedText text={saved.name} marks={found?.name ?? []} />
        </h3>
        <p className="flex flex-wrap gap-x-3 text-sm text-ink-soft tabular-nums">
          {/* The number is unknown for a plain text, and zero is not shown. */}
          {saved.doubtful ? (
            <span className="doubted text-ink">{counted(saved.doubtful, 'doubtful word')}</span>
          ) : null}
          <span>
            {longDate(saved.createdAt)}, {formatBytes(saved.bytes)}
          </span>
        </p>
      </div>
      <p dir="auto" className="mt-1 line-clamp-3 font-mono text-sm wrap-anywhere text-ink-soft">
        {found ? <HighlightedText text={found.excerpt} marks={found.marks} /> : saved.preview}
      </p>
      <div className="mt-2 flex flex-wrap gap-x-5">
        <ButtonLink
          to={savedTextPage(saved.id)}
          variant="quiet"
          className="min-h-11"
          aria-label={`Open ${saved.name}`}
        >
          Open
        </ButtonLink>
        {action('Rename', 'name')}
        {action('Delete', 'deletion')}
      </div>
      <RenameDialog {...dialog('name')} />
      <DeleteDialog {...dialog('deletion')} />
    </li>
  );
}

/** A text with the matches of a search highlighted. */
function HighlightedText({ text, marks }: { text: string; marks: Found['marks'] }) {
  return (
    <>
      {marks.map(({ start, end }, at) => [
        text.slice(marks[at - 1]?.end ?? 0, start),
        <mark key={start} className="highlighted forced-colors:underline">
          {text.slice(start, end)}
        </mark>,
      ])}
      {text.slice(marks.at(-1)?.end ?? 0)}
    </>
  );
}

const UNITS = ['bytes', 'kB', 'MB', 'GB'] as const;

/** A number of bytes with a unit, in steps of 1024: "812 bytes", "1.4 MB". */
export function formatBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** step;
  const rounded = step === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
  return `${rounded} ${bytes === 1 ? 'byte' : UNITS[step]}`;
}
