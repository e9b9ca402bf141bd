import { memo, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Piece } from '#formats/pieces';
import { Button } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { counted } from '../../ui/basics/words.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import type { DoubtFocus } from './use-word-focus.ts';
import { reviewShortcuts, WordCheck } from './word-check.tsx';

interface ReviewBarProps {
  pieces: readonly Piece[];
  /** Doubtful pieces that are not checked yet. */
  doubtful: readonly number[];
  /** Whether the text had doubtful words at first. */
  hadDoubtful: boolean;
  /** Number of words with a confidence from `DOUBTFUL_BELOW` to `REVIEW_BELOW`. */
  slightCount: number;
  focus: DoubtFocus;
  /** Number of unread regions of the picture. `showsUnread`: whether one of them is shown. */
  unread: number;
  showsUnread: boolean;
  onUnread: () => void;
  /** Whether the `ReviewSheet`, not this bar, shows the step buttons (small screens). */
  isDocked: boolean;
}

/**
 * Counts the doubtful words and steps through them. The counts are underlined like their words in the text, and serve as a
 * legend. On a phone the bar has a separate row, so that an added view or a step does not move the text.
 */
export const ReviewBar = memo(function ReviewBar(props: ReviewBarProps) {
  const { pieces, doubtful, hadDoubtful, slightCount, focus, unread, showsUnread, onUnread, isDocked } =
    props;
  const bar = useRef<HTMLDivElement>(null);
  const { current: currentDoubt, reviewedWord, list } = focus;
  const current = currentDoubt === null ? undefined : pieces[currentDoubt];
  const isLive = useDelayedLiveRegion();

  // After the last word, the focused button is removed. The focus moves to the bar, which may be out of view.
  const wasReviewing = useRef(reviewedWord);
  useEffect(() => {
    const ended = wasReviewing.current !== null && reviewedWord === null;
    wasReviewing.current = reviewedWord;
    if (ended && document.activeElement === document.body) bar.current?.focus();
  }, [reviewedWord]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keyboard shortcuts of its buttons
    <div
      ref={bar}
      tabIndex={-1}
      data-review
      className="flex min-h-11 max-w-full flex-[1_0_auto] flex-wrap items-center justify-end gap-x-2 outline-none max-sm:basis-full max-sm:gap-x-1"
      onKeyDown={reviewShortcuts(focus, current?.readings ?? [])}
    >
      <p className="doubt-legend min-w-0 flex-auto text-sm" aria-live="polite">
        {isLive &&
          (current ? (
            <>
              <Position list={list} piece={currentDoubt} />{' '}
              {!reviewedWord && <DoubtfulWord piece={current} />}
            </>
          ) : (
            <DoubtfulCount
              count={doubtful.length}
              hadDoubtful={hadDoubtful}
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
          aria-pressed={showsUnread}
          onClick={onUnread}
        >
          <span className="doubt-legend">
            <span data-state="unread">{counted(unread, 'place')} not read</span>
          </span>
        </Button>
      )}
      {slightCount > 0 && (
        <Tooltip label="Step through these as well">
          <Button
            variant="ghost"
            size="small"
            className="px-1.5! aria-pressed:bg-sunk"
            aria-pressed={focus.includesSlight}
            onClick={focus.toggleSlight}
          >
            <span className="doubt-legend">
              <span data-state="uncertain">
                {slightCount} slight
                {/* Hidden on a phone and beside the picture, where there is no space. */}
                <span className="max-sm:sr-only lg:max-[100rem]:sr-only">
                  {' '}
                  {slightCount === 1 ? 'doubt' : 'doubts'}
                </span>
              </span>
            </span>
          </Button>
        </Tooltip>
      )}
      {list.length > 0 && !(isDocked && reviewedWord !== null) && (
        <Steps focus={focus}>
          {current && reviewedWord === null && (
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

type ReviewPanelProps = Parameters<typeof WordCheck>[0];

/** A doubtful word with its readings, below the review bar. */
export function ReviewPanel(props: ReviewPanelProps) {
  const { focus, document, index } = props;
  return (
    <section
      aria-label="Doubtful word"
      data-review
      className="border-b border-rule bg-paper px-4"
      onKeyDown={reviewShortcuts(focus, document.pieces[index]?.readings ?? [])}
    >
      <WordCheck {...props} />
    </section>
  );
}

/** The height of the sheet in pixels. CSS scrolls focused elements above it. */
const COVERED_PROPERTY = '--covered-below';

/** `ReviewPanel` for small screens, fixed to the bottom edge. */
export function ReviewSheet(props: ReviewPanelProps) {
  const { focus, index } = props;
  const sheet = useRef<HTMLElement>(null);
  const { stepCount } = focus;
  useStayAboveKeyboard(sheet, () => {
    if (sheet.current) keepWordVisible(sheet.current, index);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `stepCount` changes with every step, even to the same word
  useEffect(() => {
    const element = sheet.current;
    if (!element) return;
    // The height of the sheet changes with each word, and when the word's picture appears.
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.setProperty(COVERED_PROPERTY, `${element.offsetHeight}px`);
      keepWordVisible(element, index);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty(COVERED_PROPERTY);
    };
  }, [index, stepCount]);
  const piece = props.document.pieces[index];
  if (!piece) return null;
  return (
    <section
      ref={sheet}
      aria-label="Doubtful word"
      data-review
      className="review-sheet fixed inset-x-0 bottom-0 z-40 border-t border-rule-strong bg-paper px-4 shadow-lifted"
      onKeyDown={reviewShortcuts(focus, piece.readings)}
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

/** Moves the sheet above the on-screen keyboard, which overlays the page in most browsers. */
function useStayAboveKeyboard(sheet: RefObject<HTMLElement | null>, onMoved: () => void): void {
  const notifyMoved = useEffectEvent(onMoved);
  useEffect(() => {
    const visualViewport = window.visualViewport;
    const place = () => {
      // During pinch zoom, the visual viewport is smaller without a keyboard.
      const covered =
        visualViewport && visualViewport.scale === 1
          ? window.innerHeight - visualViewport.height - visualViewport.offsetTop
          : 0;
      if (!sheet.current) return;
      const bottom = `${Math.max(0, covered)}px`;
      if (sheet.current.style.bottom === bottom) return;
      sheet.current.style.bottom = bottom;
      notifyMoved();
    };
    visualViewport?.addEventListener('resize', place);
    visualViewport?.addEventListener('scroll', place);
    return () => {
      visualViewport?.removeEventListener('resize', place);
      visualViewport?.removeEventListener('scroll', place);
    };
  }, [sheet]);
}

/** Free space around a word in CSS pixels. */
const MARGIN_PX = 16;

/** Scrolls the page until a word is visible between the navigation bar and the sheet. */
function keepWordVisible(sheet: HTMLElement, piece: number): void {
  const word = document.querySelector(`.text-editor [data-word="${piece}"]`)?.getBoundingClientRect();
  if (!word) return;
  const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  const [top, bottom] = [Math.max(0, header) + MARGIN_PX, sheet.getBoundingClientRect().top - MARGIN_PX];
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

/** "2 of 5": the position among the doubtful words. */
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

interface DoubtfulCountProps {
  count: number;
  hadDoubtful: boolean;
  unread: number;
  onStep: () => void;
}

function DoubtfulCount({ count, hadDoubtful, unread, onStep }: DoubtfulCountProps) {
  // With unread regions, the bar must not claim that there are no doubtful words.
  if (count === 0 && unread > 0) {
    return <span className="sr-only">{counted(unread, 'place')} not read, marked in the picture</span>;
  }
  if (count === 0) {
    return (
      <span className="text-ink-soft">{hadDoubtful ? 'No doubtful words left' : 'No doubtful words'}</span>
    );
  }
  return (
    <Button variant="ghost" size="small" className="-ml-1.5 px-1.5!" onClick={onStep}>
      <span data-state="doubtful" className="tabular-nums">
        {counted(count, 'doubtful word')}
      </span>
    </Button>
  );
}

/** Whether the live region may have content. Its initial content would not be announced. */
function useDelayedLiveRegion(): boolean {
  const [isReady, setIsReady] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setIsReady(true));
    return () => cancelAnimationFrame(frame);
  }, []);
  return isReady;
}
