import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Button } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import type { WordFocus } from '../review/use-word-focus.ts';
import { findMatches, useHighlights } from './find-in-text.ts';
import type { TextDocument } from './use-text-document.ts';

interface FindBarProps {
  document: TextDocument;
  focus: WordFocus;
  /** The scroll container of the text, and its text area. */
  pane: RefObject<HTMLElement | null>;
  area: RefObject<HTMLTextAreaElement | null>;
  /** A BCP 47 tag; undefined for an unknown language. */
  lang: string | undefined;
  onClose: () => void;
}

const FIELD =
  'min-h-9 min-w-0 flex-1 basis-32 rounded-control border border-rule-strong bg-sheet px-2 font-mono pointer-coarse:min-h-11';

/** Find and replace in the text. Each replacement is a step that can be undone. */
export function FindBar({ document, focus, pane, area, lang, onClose }: FindBarProps) {
  const { text } = document.mapped;
  const { selectWithoutFocus } = focus;
  const [query, setQuery] = useState(() => selectedText(area.current));
  const [replacement, setReplacement] = useState('');
  const [matchesCase, setMatchesCase] = useState(false);
  const [at, setAt] = useState(0);
  const matches = useMemo(() => findMatches(text, query, matchesCase), [text, query, matchesCase]);
  // The text may have become shorter.
  const current = matches[Math.min(at, matches.length - 1)];
  const index = current ? matches.indexOf(current) : -1;
  const field = useRef<HTMLInputElement>(null);
  const count = useId();
  useHighlights(pane, matches, current);
  useEffect(() => field.current?.select(), []);
  useEffect(() => {
    if (current) selectWithoutFocus(current.start, current.end);
  }, [current, selectWithoutFocus]);

  const step = (by: number) => matches.length > 0 && setAt((index + by + matches.length) % matches.length);
  const replace = (matchesToReplace: typeof matches) => document.replaceAt(matchesToReplace, replacement);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onClose();
    if (current) focus.selectRange(current.start, current.end);
    else area.current?.focus();
  };
  return (
    <search
      aria-label="Find and replace"
      className="grid gap-1.5 border-b border-rule bg-paper px-4 py-2 text-sm"
      onKeyDown={onKeyDown}
    >
      <form
        className="flex flex-wrap items-center gap-1"
        onSubmit={(event) => {
          event.preventDefault();
          step(1);
        }}
      >
        <input
          ref={field}
          aria-label="Find"
          aria-describedby={count}
          placeholder="Find"
          value={query}
          lang={lang}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          className={FIELD}
          onChange={({ target }) => {
            setQuery(target.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !event.shiftKey) return;
            event.preventDefault();
            step(-1);
          }}
        />
        <output id={count} className="min-w-16 px-1 text-center whitespace-nowrap text-ink-soft tabular-nums">
          {query !== '' && (current ? `${index + 1} of ${matches.length}` : 'Not found')}
        </output>
        <Button
          variant="ghost"
          size="icon"
          aria-label="Previous place found"
          disabled={!current}
          onClick={() => step(-1)}
        >
          <Icon name="chevron" className="rotate-180" />
        </Button>
        <Button
          variant="ghost"
          size="icon"
          aria-label="Next place found"
          disabled={!current}
          onClick={() => step(1)}
        >
          <Icon name="chevron" />
        </Button>
        <Button
          variant="ghost"
          size="small"
          className="aria-pressed:bg-sunk"
          aria-label="Match case"
          aria-pressed={matchesCase}
          onClick={() => setMatchesCase(!matchesCase)}
        >
          Aa
        </Button>
        <Button variant="ghost" size="icon" aria-label="Close find and replace" onClick={onClose}>
          <Icon name="close" />
        </Button>
      </form>
      <form
        className="flex flex-wrap items-center gap-1"
        onSubmit={(event) => {
          event.preventDefault();
          if (!current) return;
          replace([current]);
          // Matches inside the replacement are skipped.
          const newMatches = findMatches(replacement, query, matchesCase).length;
          setAt((index + newMatches) % Math.max(1, matches.length - 1 + newMatches));
        }}
      >
        <input
          aria-label="Replace with"
          placeholder="Replace with"
          value={replacement}
          lang={lang}
          spellCheck
          autoComplete="off"
          autoCapitalize="off"
          className={FIELD}
          onChange={({ target }) => setReplacement(target.value)}
        />
        <Button type="submit" variant="secondary" size="small" disabled={!current}>
          Replace
        </Button>
        <Button variant="secondary" size="small" disabled={!current} onClick={() => replace(matches)}>
          Replace all
        </Button>
      </form>
    </search>
  );
}

/** The selected text if it is in one line; otherwise empty. */
function selectedText(area: HTMLTextAreaElement | null): string {
  const selected = area?.value.slice(area.selectionStart, area.selectionEnd) ?? '';
  return selected.includes('\n') ? '' : selected;
}
