import { memo, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Piece } from '#formats/pieces';
import { Button } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { counted } from '../../ui/basics/words.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import type { DoubtFocus } from './use-word-focus.ts';
import { checkKeys, WordCheck } from './word-check.tsx';

interface DoubtBarProps {
  pieces: readonly Piece[];
  /** Those that are not checked yet. */
  doubtful: readonly number[];
  /** Whether there was any such word to begin with. */
  everDoubtful: boolean;
  /** How many words deserve a glance and are not doubtful. */
  slight: number;
  focus: DoubtFocus;
  /** How many places of the picture were not read, and whether one of them is looked at. */
  unread: number;
  looksAtUnread: boolean;
  onUnread: () => void;
  /** Elsewhere, at the bottom of the screen, a word is checked. */
  isDocked: boolean;
}

/**
 * Counts the words that are probably misread and leads through them, one at a time. The counts look as their words do in the
 * text, and so explain the underlines.
 * On a phone it has a row of its own: a view that is added, or a step, must not move the text.
 */
export const DoubtBar = memo(function DoubtBar(props: DoubtBarProps) {
  const { pieces, doubtful, everDoubtful, slight, focus, unread, looksAtUnread, onUnread, isDocked } = props;
  const bar = useRef<HTMLDivElement>(null);
  const { current: currentDoubt, examined, list } = focus;
  const current = currentDoubt === null ? undefined : pieces[currentDoubt];
  const said = useSaidLate();

  // The last answer removes its own button, and the focus would be lost. The page may have scrolled past the bar.
  const wasExamined = useRef(examined);
  useEffect(() => {
    const ended = wasExamined.current !== null && examined === null;
    wasExamined.current = examined;
    if (ended && document.activeElement === document.body) bar.current?.focus();
  }, [examined]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that are short for its buttons
    <div
      ref={bar}
      tabIndex={-1}
      data-review
      className="flex min-h-11 max-w-full flex-[1_0_auto] flex-wrap items-center justify-end gap-x-2 outline-none max-sm:basis-full max-sm:gap-x-1"
      onKeyDown={checkKeys(focus, current?.readings ?? [])}
    >
      <p className="doubt-legend min-w-0 flex-auto text-sm" aria-live="polite">
        {said &&
          (current ? (
            <>
              <Position list={list} piece={currentDoubt} /> {!examined && <DoubtfulWord piece={current} />}
            </>
          ) : (
            <DoubtCount
              count={doubtful.length}
              ever={everDoubtful}
              unread={unread}
              onStep={() => focus.step(1)}
            />
          ))}
      </p>
      {unread > 0 && (
        <Button
          variant="ghost"
          size="small"
          className="px-1.5! aria-pressed:bg-sunk"
          aria-pressed={looksAtUnread}
          onClick={onUnread}
        >
          <span className="doubt-legend">
            <span data-state="unread">{counted(unread, 'place')} not read</span>
          </span>
        </Button>
      )}
      {slight > 0 && (
        <Tooltip label="Step through these as well">
          <Button
            variant="ghost"
            size="small"
            className="px-1.5! aria-pressed:bg-sunk"
            aria-pressed={focus.withSlight}
            onClick={focus.toggleSlight}
          >
            <span className="doubt-legend">
              <span data-state="glance">
                {slight} slight
                {/* On a phone and beside the picture there is no room for it. */}
                <span className="max-sm:sr-only lg:max-[100rem]:sr-only">
                  {' '}
                  {slight === 1 ? 'doubt' : 'doubts'}
                </span>
              </span>
            </span>
          </Button>
        </Tooltip>
      )}
      {list.length > 0 && !(isDocked && examined !== null) && (
        <Steps focus={focus}>
          {current && examined === null && (
            <Tooltip label="Alt+Enter">
              <Button variant="ghost" size="small" onClick={focus.confirm}>
                <Icon name="check" />
                <span className="max-sm:sr-only">Looks right</span>
              </Button>
            </Tooltip>
          )}
        </Steps>
      )}
    </div>
  );
});

type DoubtStripProps = Parameters<typeof WordCheck>[0];

/** What a doubtful word could say, below the bar that led to it. */
export function DoubtStrip(props: DoubtStripProps) {
  const { focus, document, index } = props;
  return (
    <section
      aria-label="Doubtful word"
      data-review
      className="border-b border-rule bg-paper px-4"
      onKeyDown={checkKeys(focus, document.pieces[index]?.readings ?? [])}
    >
      <WordCheck {...props} />
    </section>
  );
}

/** How much of the window the dock covers: what gets the focus is scrolled above it. */
const COVERED = '--covered-below';

/** The same for a screen with room for one thing at a time: at its bottom, where the thumb is. */
export function DoubtDock(props: DoubtStripProps) {
  const { focus, index } = props;
  const dock = useRef<HTMLElement>(null);
  const { calls } = focus;
  useAboveKeyboard(dock, () => {
    if (dock.current) keepAbove(dock.current, index);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every step, even to the same word
  useEffect(() => {
    const element = dock.current;
    if (!element) return;
    // Its height changes with each word, and when the word's picture appears.
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.setProperty(COVERED, `${element.offsetHeight}px`);
      keepAbove(element, index);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty(COVERED);
    };
  }, [index, calls]);
  const piece = props.document.pieces[index];
  if (!piece) return null;
  return (
    <section
      ref={dock}
      aria-label="Doubtful word"
      data-review
      className="doubt-dock fixed inset-x-0 bottom-0 z-40 border-t border-rule-strong bg-paper px-4 shadow-lifted"
      onKeyDown={checkKeys(focus, piece.readings)}
    >
      <div className="mx-auto max-w-2xl">
        <div className="flex min-h-11 items-center justify-between gap-x-4">
          <p className="min-w-0 truncate text-sm">
            <Position list={focus.list} piece={index} />
          </p>
          <Steps focus={focus}>
            <Button variant="ghost" size="icon" aria-label="Close" onClick={focus.close}>
              <Icon name="close" />
            </Button>
          </Steps>
        </div>
        <WordCheck {...props} />
      </div>
    </section>
  );
}

/** Lifts what stands at the bottom of the window above a keyboard on the screen, which most browsers lay over the page. */
function useAboveKeyboard(dock: RefObject<HTMLElement | null>, onMoved: () => void): void {
  const moved = useEffectEvent(onMoved);
  useEffect(() => {
    const seen = window.visualViewport;
    const place = () => {
      // While a person has zoomed in with two fingers, less is seen for another reason.
      const covered = seen && seen.scale === 1 ? window.innerHeight - seen.height - seen.offsetTop : 0;
      if (!dock.current) return;
      const bottom = `${Math.max(0, covered)}px`;
      if (dock.current.style.bottom === bottom) return;
      dock.current.style.bottom = bottom;
      moved();
    };
    seen?.addEventListener('resize', place);
    seen?.addEventListener('scroll', place);
    return () => {
      seen?.removeEventListener('resize', place);
      seen?.removeEventListener('scroll', place);
    };
  }, [dock]);
}

/** CSS pixels around a word that are left free. */
const FREE_PX = 16;

/** Scrolls the page so far that a word in the text is seen between the bar at the top and the dock. */
function keepAbove(dock: HTMLElement, piece: number): void {
  const word = document.querySelector(`.text-editor [data-word="${piece}"]`)?.getBoundingClientRect();
  if (!word) return;
  const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  const [top, bottom] = [Math.max(0, header) + FREE_PX, dock.getBoundingClientRect().top - FREE_PX];
  if (word.bottom > bottom) window.scrollBy({ top: word.bottom - bottom, behavior: 'instant' });
  else if (word.top < top) window.scrollBy({ top: word.top - top, behavior: 'instant' });
}

function Steps({ focus, children }: { focus: DoubtFocus; children: ReactNode }) {
  return (
    <div className="-mr-2 flex shrink-0 items-center">
      {children}
      <Tooltip label="Previous doubtful word (Shift+F2)">
        <Button
          variant="ghost"
          size="icon"
          aria-label="Previous doubtful word"
          onClick={() => focus.step(-1)}
        >
          <Icon name="chevron" className="rotate-180" />
        </Button>
      </Tooltip>
      <Tooltip label="Next doubtful word (F2)">
        <Button variant="ghost" size="icon" aria-label="Next doubtful word" onClick={() => focus.step(1)}>
          <Icon name="chevron" />
        </Button>
      </Tooltip>
    </div>
  );
}

/** "2 of 5" among the words that are stepped through. */
function Position({ list, piece }: { list: readonly number[]; piece: number | null }) {
  const at = piece === null ? -1 : list.indexOf(piece);
  if (at < 0) return null;
  return (
    <span className="whitespace-nowrap tabular-nums">
      {at + 1} of {list.length}
    </span>
  );
}

const DoubtfulWord = ({ piece }: { piece: Piece }) => (
  <>
    <bdi className="highlighted font-mono">{piece.text}</bdi>{' '}
    <span className="whitespace-nowrap text-ink-soft">{piece.confidence}% sure</span>
  </>
);

interface DoubtCountProps {
  count: number;
  ever: boolean;
  unread: number;
  onStep: () => void;
}

function DoubtCount({ count, ever, unread, onStep }: DoubtCountProps) {
  // No doubtful words is no statement about text that was not read.
  if (count === 0 && unread > 0) {
    return <span className="sr-only">{counted(unread, 'place')} not read, marked in the picture</span>;
  }
  if (count === 0) {
    return <span className="text-ink-soft">{ever ? 'No doubtful words left' : 'No doubtful words'}</span>;
  }
  return (
    <Button variant="ghost" size="small" className="-ml-1.5 px-1.5!" onClick={onStep}>
      <span data-state="doubtful" className="tabular-nums">
        {counted(count, 'doubtful word')}
      </span>
    </Button>
  );
}

/** False at first: the initial content of a live region is not announced. */
function useSaidLate(): boolean {
  const [said, setSaid] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setSaid(true));
    return () => cancelAnimationFrame(frame);
  }, []);
  return said;
}
