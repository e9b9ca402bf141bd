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
import type { TextDocument } from '../text/use-text-document.ts';
import { isUndoKey, useCommitOnLeave } from '../typing.ts';
import type { DoubtFocus } from './use-word-focus.ts';

interface WordCheckProps {
  document: TextDocument;
  focus: DoubtFocus;
  index: number;
  /** A BCP 47 tag, for the spelling; undefined for an unknown language. */
  lang: string | undefined;
  /** Where the picture is shown from; null when it cannot be shown. */
  url: string | null;
  image: Extraction['image'];
}

/** A doubtful word enlarged and in its line, and what to say of it: one press for each, or another word typed. */
export function WordCheck({ url, image, ...props }: WordCheckProps) {
  const { document, focus, index } = props;
  const { pieces } = document;
  const line = lineAround(document.mapped, index);
  if (!line || !pieces[index]) return null;
  return (
    <div className="grid gap-1.5 py-2">
      {url && <WordCrop url={url} image={image} pieces={pieces} index={index} />}
      {/* Another word, or the same one again: what was typed for the last one is taken. */}
      <Answers key={`${index} ${focus.calls} ${line.says}`} {...props} line={line} />
    </div>
  );
}

type AnswersProps = Omit<WordCheckProps, 'url' | 'image'> & { line: WordInLine };

function Answers({ document, focus, index, lang, line }: AnswersProps) {
  const { readings, confidence } = itemAt(document.pieces, index);
  const times = document.alike(index).length;
  const right = useRef<HTMLButtonElement>(null);
  const word = useId();
  const [draft, setDraft] = useState(line.says);
  const [dropped, setDropped] = useState<string | null>(null);
  const [everywhere, setEverywhere] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const correction = draft.trim();
  const isOther = correction !== '' && correction !== line.says;
  // The keys go where Enter says yes. No keyboard opens there on a phone.
  useEffect(() => right.current?.focus({ preventScroll: true }), []);
  const { type, leave } = focus;
  useEffect(
    () => type(isOther ? { piece: index, says: correction, everywhere } : null),
    [type, isOther, index, correction, everywhere],
  );
  useLeaving(form, leave);
  const write = (word: string, instead: string | null = null) => {
    setDraft(word);
    setDropped(instead);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && draft !== line.says) write(line.says, draft);
    else if (isUndoKey(event) && dropped !== null) write(dropped);
    else return;
    event.preventDefault();
    // With the word as read in its field, Escape closes the check.
    event.stopPropagation();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isOther) focus.take(correction, everywhere);
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
        {readings.length > 0 && (
          <fieldset className="contents">
            <legend className="sr-only">It says something else</legend>
            {readings.map((reading, at) => (
              <Button
                key={reading}
                variant="secondary"
                size="small"
                className="max-w-full"
                aria-keyshortcuts={`${at + 1}`}
                onClick={() => focus.take(reading, everywhere)}
              >
                <Key name={`${at + 1}`} />
                <bdi className="truncate font-mono">{reading}</bdi>
              </Button>
            ))}
          </fieldset>
        )}
        <Button ref={right} type="submit" size="small" aria-describedby={word} aria-keyshortcuts="Enter">
          <Icon name="check" />
          {isOther ? 'Replace' : 'Looks right'}
          <Key name="Enter" />
        </Button>
        <span id={word} hidden>
          {line.says}
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
          {dropped !== null && (
            <>
              The word as read. Ctrl+Z brings back “<bdi>{dropped}</bdi>”.
            </>
          )}
        </p>
      </div>
    </form>
  );
}

/**
 * Calls `leave` once the focus or a press goes out of the region that checks the word, or the check ends. A press only counts
 * when it is over: the text moves as the check goes away, and the press would end at another place.
 */
function useLeaving(within: RefObject<HTMLElement | null>, leave: () => void): void {
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
      if (!isInside(target)) leave();
    };
    const focusOut = ({ target, relatedTarget }: FocusEvent) => {
      // A window that loses the focus keeps it for the field.
      if (!isPressed && !isInside(relatedTarget) && target !== document.activeElement) leave();
    };
    window.addEventListener('mousedown', press, { capture: true, signal });
    window.addEventListener('mouseup', press, { capture: true, signal });
    window.addEventListener('click', click, { capture: true, signal });
    window.addEventListener('focusout', focusOut, { capture: true, signal });
    return () => {
      listening.abort();
      leave();
    };
  }, [within, leave]);
  useCommitOnLeave(leave);
}

interface WordInLine {
  before: string;
  says: string;
  after: string;
}

/** Characters of the line that are shown before a word. */
const LEAD = 18;

/** A word as it stands in its line of the text; null where it does not stand there. */
function lineAround({ text, marks }: MappedText, piece: number): WordInLine | null {
  const mark = marks.find((other) => other.piece === piece);
  if (!mark) return null;
  const end = text.indexOf('\n', mark.end);
  const before = text.slice(text.lastIndexOf('\n', mark.start - 1) + 1, mark.start).trimStart();
  return {
    before: before.length > LEAD ? `…${before.slice(-LEAD)}` : before,
    says: text.slice(mark.start, mark.end),
    after: text.slice(mark.end, end < 0 ? undefined : end),
  };
}

/** The key that does the same, where there may be keys. */
const Key = ({ name }: { name: string }) => (
  <span
    aria-hidden="true"
    className="rounded-sm border border-current px-1 font-sans text-xs leading-4 opacity-70 pointer-coarse:hidden"
  >
    {name}
  </span>
);

/** The keys for stepping through doubtful words. Any letter starts typing the word in its field. */
export function checkKeys(focus: DoubtFocus, readings: readonly string[]) {
  return (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const isTyping = event.target instanceof HTMLInputElement && event.target.type === 'text';
    if (isTyping && key !== 'Escape') return;
    if (isUndoKey(event)) {
      event.preventDefault();
      return focus.undo();
    }
    if (focus.examined === null || ctrlKey || metaKey || altKey) return;
    const reading = /^[1-9]$/.test(key) ? readings[Number(key) - 1] : undefined;
    if (reading !== undefined) {
      event.preventDefault();
      // A key that is held down must not answer for the words that follow.
      if (!event.repeat) focus.take(reading);
    } else if (key === 'Enter') {
      if (event.repeat) event.preventDefault();
    } else if (key === 'Escape') {
      event.preventDefault();
      focus.close();
    } else if ((key.length === 1 && key !== ' ') || key === 'Backspace' || key === 'Delete') {
      // The key that is being pressed replaces the word.
      const field = document.querySelector<HTMLInputElement>('[data-word-field]');
      field?.focus({ preventScroll: true });
      field?.select();
    }
  };
}
