import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { Box } from '#contract/extraction';
import type { MappedText } from '#formats/pieces';
import { Icon } from '../../ui/basics/icon.tsx';
import { intoFrame, type Pose } from './picture-pose.ts';
import type { PictureSelection } from './use-picture-selection.ts';
import { endsOf, pathOf, textOf, type WordsOnPicture } from './words-on-picture.ts';

/** The selection, drawn along its lines, and the line of the word that keys move. */
export function SelectionHighlight({ on, selection }: { on: WordsOnPicture; selection: PictureSelection }) {
  const { marked, head } = selection;
  if (marked.length === 0) return null;
  return (
    <>
      <path className="marked" d={pathOf(on, marked)} />
      {head !== null && marked.length > 1 && <path className="marked-head" d={pathOf(on, [head])} />}
    </>
  );
}

export function SelectionHandles({
  on,
  selection,
  scale,
  pose,
}: {
  on: WordsOnPicture;
  selection: PictureSelection;
  scale: number;
  pose: Pose;
}) {
  const { marked, isByTouch: byFinger, region, grab } = selection;
  const [first, last] = [marked[0], marked.at(-1)];
  if (!byFinger || region || first === undefined || last === undefined) return null;
  const ends = endsOf(on, first, last);
  return (['start', 'end'] as const).map((which) => {
    const { x, y } = intoFrame(pose, ends[which]);
    return (
      <span
        key={which}
        aria-hidden="true"
        data-handle={which}
        className="mark-handle"
        style={{ left: x * scale, top: y * scale }}
        onPointerDown={(event) => grab(event, which)}
      />
    );
  });
}

export function SelectionAnnouncer({ now, selection }: { now: () => MappedText; selection: PictureSelection }) {
  const { marked, region, drawing } = selection;
  const live = useRef<HTMLParagraphElement>(null);
  // Into the document and not into a state: only a selection is announced, and not each edit of the selected words.
  useEffect(() => {
    const text = now();
    const words = drawing || text.marks.length === 0 ? '' : announcementOf(text, marked, region !== null);
    if (live.current) live.current.textContent = words;
  }, [now, marked, region, drawing]);
  return <p ref={live} role="status" className="sr-only" />;
}

function announcementOf(text: MappedText, marked: readonly number[], isRegion: boolean): string {
  if (isRegion)
    return `A part of the picture is selected, with ${marked.length === 1 ? '1 word' : `${marked.length} words`} in it.`;
  const [first, last] = [marked[0], marked.at(-1)];
  if (first === undefined || last === undefined) return '';
  const textAt = (index: number) => textOf(text, [index]);
  if (first === last) return `Selected: ${textAt(first)}`;
  return `${marked.length} words selected, from ${textAt(first)} to ${textAt(last)}`;
}

interface SelectionBarProps {
  viewport: RefObject<HTMLElement | null>;
  /** What it stands beside: a box of the picture, in CSS pixels of its frame. */
  box: Box;
  /** Room for what hangs below the box. */
  below: number;
  isRegion: boolean;
  /** How many words are marked. */
  count: number;
  onCopy: () => void;
  onShowInText: () => void;
  onReadPart: (() => void) | null;
  onClose: () => void;
}

const ITEM =
  'inline-flex min-h-9 items-center justify-center gap-1.5 rounded-sm px-2.5 text-sm font-medium whitespace-nowrap hover:bg-ink-lifted hover:text-paper focus-visible:-outline-offset-2 focus-visible:outline-paper disabled:opacity-60 pointer-coarse:min-h-11 pointer-coarse:min-w-11';

export function SelectionBar(props: SelectionBarProps) {
  const { isRegion, count, onCopy, onShowInText, onReadPart, onClose } = props;
  const bar = useBarPlace(props);
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={isRegion ? 'Part of the picture' : 'Selected words'}
      className="motion-fade absolute z-10 max-w-[calc(100%-1rem)] rounded-control border border-ink-lifted bg-ink p-0.5 text-paper shadow-lifted"
    >
      <div className="flex flex-wrap">
        <button type="button" className={ITEM} disabled={count === 0} onClick={onCopy}>
          <Icon name="copy" className={isRegion ? 'size-4 max-sm:hidden' : 'size-4'} />
          {isRegion ? 'Copy text in it' : 'Copy'}
        </button>
        {onReadPart ? (
          <button type="button" className={ITEM} aria-describedby="reading-a-part-costs" onClick={onReadPart}>
            <Icon name="eye" className="size-4 max-sm:hidden" />
            Read only this
          </button>
        ) : (
          !isRegion && (
            <button type="button" className={ITEM} onClick={onShowInText}>
              <Icon name="text" className="size-4" />
              Show in text
            </button>
          )
        )}
        <button type="button" className={ITEM} aria-label="Clear selection" onClick={onClose}>
          <Icon name="close" className="size-4" />
        </button>
      </div>
      {onReadPart && (
        <p id="reading-a-part-costs" className="px-2.5 pb-1 text-xs">
          Reading it counts as 1 extraction
        </p>
      )}
    </div>
  );
}

const MARGIN_PX = 8;

/** Puts a bar above what is marked, or below it where there is no room; never outside what is seen of the picture. */
function useBarPlace({ viewport, box, below }: Pick<SelectionBarProps, 'viewport' | 'box' | 'below'>) {
  const bar = useRef<HTMLDivElement>(null);
  const { x, y, width, height } = box;
  const placeBar = useRef(() => {});
  useLayoutEffect(() => {
    placeBar.current = () => {
      const [element, seen] = [bar.current, viewport.current];
      const frame = seen?.firstElementChild?.getBoundingClientRect();
      if (!element || !seen || !frame) return;
      const room = seen.getBoundingClientRect();
      const [left, top] = [frame.left - room.left + x, frame.top - room.top + y];
      const most = {
        left: seen.clientWidth - element.offsetWidth - MARGIN_PX,
        top: seen.clientHeight - element.offsetHeight - MARGIN_PX,
      };
      const above = top - element.offsetHeight - MARGIN_PX;
      const wanted = above >= MARGIN_PX ? above : top + height + below + MARGIN_PX;
      const centered = left + width / 2 - element.offsetWidth / 2;
      element.style.left = `${Math.max(MARGIN_PX, Math.min(centered, most.left))}px`;
      element.style.top = `${seen.offsetTop + Math.max(MARGIN_PX, Math.min(wanted, most.top))}px`;
    };
    placeBar.current();
  });
  useEffect(() => {
    const seen = viewport.current;
    const listening = new AbortController();
    const options = { passive: true, signal: listening.signal };
    seen?.addEventListener('scroll', () => placeBar.current(), options);
    window.addEventListener('resize', () => placeBar.current(), options);
    return () => listening.abort();
  }, [viewport]);
  return bar;
}
