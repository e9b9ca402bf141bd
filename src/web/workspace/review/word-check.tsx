import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import type { Extraction } from '#contract/extraction';
import { itemAt } from '#formats/checked';
import type { MappedText } from '#formats/pieces';
import { Button } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { WordCrop } from '../image/word-crop.tsx';
import { isUndoKey, useCommitOnLeave } from '../pending-input.ts';
import type { TextDocument } from '../text/use-text-document.ts';
import type { DoubtFocus } from './use-word-focus.ts';

interface WordCheckProps {
  document: TextDocument;
  focus: DoubtFocus;
  index: number;
  /** A BCP 47 tag, for the spell checker; undefined for an unknown language. */
  lang: string | undefined;
  /** The URL of the picture; null if it cannot be shown. */
  url: string | null;
  image: Extraction['image'];
}

/** A doubtful word, enlarged and in its line, with buttons for its alternatives and a field to correct it. */
export function WordCheck({ url, image, ...props }: WordCheckProps) {
  const { document, focus, index } = props;
  const { pieces } = document;
  const line = wordInLine(document.mapped, index);
  if (!line || !pieces[index]) return null;
  return (
    <div className="grid gap-1.5 py-2">
      {url && <WordCrop url={url} image={image} pieces={pieces} index={index} />}
      {/* The key remounts the form for every step, which commits the previous correction. */}
      <WordForm key={`${index} ${focus.stepCount} ${line.text}`} {...props} line={line} />
    </div>
  );
}

type WordFormProps = Omit<WordCheckProps, 'url' | 'image'> & { line: WordInLine };

function WordForm({ document, focus, index, lang, line }: WordFormProps) {
  const { readings: alternatives, confidence } = itemAt(document.pieces, index);
  const times = document.sameReadings(index).length;
  const confirmButton = useRef<HTMLButtonElement>(null);
  const word = useId();
  const [draft, setDraft] = useState(line.text);
  const [discarded, setDiscarded] = useState<string | null>(null);
  const [everywhere, setEverywhere] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const correction = draft.trim();
  const isChanged = correction !== '' && correction !== line.text;
  // Focuses the confirm button; a focused input would open the on-screen keyboard of a phone.
  useEffect(() => confirmButton.current?.focus({ preventScroll: true }), []);
  const { type, commitCorrection } = focus;
  useEffect(
    () => type(isChanged ? { piece: index, text: correction, everywhere } : null),
    [type, isChanged, index, correction, everywhere],
  );
  useCommitOnFocusLoss(form, commitCorrection);
  const write = (word: string, replaced: string | null = null) => {
    setDraft(word);
    setDiscarded(replaced);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && draft !== line.text) write(line.text, draft);
    else if (isUndoKey(event) && discarded !== null) write(discarded);
    else return;
    event.preventDefault();
    // Without a change in the field, Escape closes the review.
    event.stopPropagation();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) focus.correct(correction, everywhere);
    else focus.confirm();
  };
  return (
    <form ref={form} className="grid gap-1.5" onSubmit={onSubmit} onKeyDown={onKeyDown}>
      <div className="flex min-w-0 items-center font-mono" dir="auto">
        <span className="min-w-0 shrink overflow-hidden text-ellipsis whitespace-pre text-ink-soft">
          {line.before}
        </span>
        <input
          aria-label="Correct the word"
          data-word-field
          value={draft}
          onChange={({ target }) => write(target.value)}
          size={Math.max(3, Math.min(24, draft.length + 1))}
          dir="auto"
          lang={lang}
          spellCheck
          autoComplete="off"
          autoCapitalize="off"
          className="min-h-9 min-w-0 max-w-full shrink-0 rounded-control border border-rule-strong bg-sheet px-1.5 pointer-coarse:min-h-11"
        />
        <span className="min-w-0 flex-1 overflow-hidden text-ellipsis whitespace-pre text-ink-soft">
          {line.after}
        </span>
        <span className="ml-3 shrink-0 font-sans text-sm text-ink-soft tabular-nums">{confidence}% sure</span>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {alternatives.length > 0 && (
          <fieldset className="contents">
            <legend className="sr-only">It says something else</legend>
            {alternatives.map((alternative, at) => (
              <Button
                key={alternative}
                variant="secondary"
                size="small"
                className="max-w-full"
                aria-keyshortcuts={`${at + 1}`}
                onClick={() => focus.correct(alternative, everywhere)}
              >
                <KeyHint name={`${at + 1}`} />
                <bdi className="truncate font-mono">{alternative}</bdi>
              </Button>
            ))}
          </fieldset>
        )}
        <Button
          ref={confirmButton}
          type="submit"
          size="small"
          aria-describedby={word}
          aria-keyshortcuts="Enter"
        >
          <Icon name="check" />
          {isChanged ? 'Replace' : 'Looks right'}
          <KeyHint name="Enter" />
        </Button>
        <span id={word} hidden>
          {line.text}
        </span>
        {times > 1 && (
          <label className="flex min-h-11 items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={everywhere}
              onChange={({ target }) => setEverywhere(target.checked)}
              className="size-4 accent-ink"
            />
            Replace all {times} of these
          </label>
        )}
        <p role="status" className="min-w-0 text-sm text-ink-soft wrap-anywhere">
          {discarded !== null && (
            <>
              The word as read. Ctrl+Z brings back “<bdi>{discarded}</bdi>”.
            </>
          )}
        </p>
      </div>
    </form>
  );
}

/**
 * Calls `commit` when the focus or a click is outside the review region, or when the form is unmounted. It waits for the end
 * of a press, because closing the review moves the text, and the press would end on another element.
 */
function useCommitOnFocusLoss(within: RefObject<HTMLElement | null>, commit: () => void): void {
  useEffect(() => {
    const region = within.current?.closest('[data-review]');
    const listening = new AbortController();
    const { signal } = listening;
    const isInside = (target: EventTarget | null) => target instanceof Node && region?.contains(target);
    let isPressed = false;
    const press = ({ type }: Event) => {
      isPressed = type === 'mousedown';
    };
    const click = ({ target }: Event) => {
      if (!isInside(target)) commit();
    };
    const focusOut = ({ target, relatedTarget }: FocusEvent) => {
      // When the window loses focus, `activeElement` stays the field.
      if (!isPressed && !isInside(relatedTarget) && target !== document.activeElement) commit();
    };
    window.addEventListener('mousedown', press, { capture: true, signal });
    window.addEventListener('mouseup', press, { capture: true, signal });
    window.addEventListener('click', click, { capture: true, signal });
    window.addEventListener('focusout', focusOut, { capture: true, signal });
    return () => {
      listening.abort();
      commit();
    };
  }, [within, commit]);
  useCommitOnLeave(commit);
}

interface WordInLine {
  before: string;
  text: string;
  after: string;
}

/** Maximal number of characters of the line before the word. */
const CHARACTERS_BEFORE = 18;

/** A word with the text before and after it in its line; null if the text does not have the word. */
function wordInLine({ text, marks }: MappedText, piece: number): WordInLine | null {
  const mark = marks.find((other) => other.piece === piece);
  if (!mark) return null;
  const end = text.indexOf('\n', mark.end);
  const before = text.slice(text.lastIndexOf('\n', mark.start - 1) + 1, mark.start).trimStart();
  return {
    before: before.length > CHARACTERS_BEFORE ? `…${before.slice(-CHARACTERS_BEFORE)}` : before,
    text: text.slice(mark.start, mark.end),
    after: text.slice(mark.end, end < 0 ? undefined : end),
  };
}

/** The keyboard shortcut of a button; hidden on touch devices. */
const KeyHint = ({ name }: { name: string }) => (
  <span
    aria-hidden="true"
    className="rounded-sm border border-current px-1 font-sans text-xs leading-4 opacity-70 pointer-coarse:hidden"
  >
    {name}
  </span>
);

/** The keyboard shortcuts of the review. Any letter starts typing in the field of the word. */
export function reviewShortcuts(focus: DoubtFocus, alternatives: readonly string[]) {
  return (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const isTyping = event.target instanceof HTMLInputElement && event.target.type === 'text';
    if (isTyping && key !== 'Escape') return;
    if (isUndoKey(event)) {
      event.preventDefault();
      return focus.undo();
    }
    if (focus.reviewedWord === null || ctrlKey || metaKey || altKey) return;
    const alternative = /^[1-9]$/.test(key) ? alternatives[Number(key) - 1] : undefined;
    if (alternative !== undefined) {
      event.preventDefault();
      // A held key must not decide the following words.
      if (!event.repeat) focus.correct(alternative);
    } else if (key === 'Enter') {
      if (event.repeat) event.preventDefault();
    } else if (key === 'Escape') {
      event.preventDefault();
      focus.close();
    } else if ((key.length === 1 && key !== ' ') || key === 'Backspace' || key === 'Delete') {
      // The pressed character replaces the selected word.
      const field = document.querySelector<HTMLInputElement>('[data-word-field]');
      field?.focus({ preventScroll: true });
      field?.select();
    }
  };
}
