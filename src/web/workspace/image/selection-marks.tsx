import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { Box } from '#contract/extraction';
import type { MappedText } from '#formats/pieces';
import { Icon } from '../../ui/basics/icon.tsx';
import { intoFrame, type Pose } from './picture-pose.ts';
import type { PictureSelection } from './use-picture-selection.ts';
import { endsOf, pathOf, textOf, type WordsOnPicture } from './words-on-picture.ts';

/** The highlighted selection, and the outline of the word that the keyboard moves. */
export function SelectionHighlight({
  pictureWords,
  selection,
}: {
  pictureWords: WordsOnPicture;
  selection: PictureSelection;
}) {
  const { selectedWords, head } = selection;
  if (selectedWords.length === 0) return null;
  return (
    <>
      <path className="marked" d={pathOf(pictureWords, selectedWords)} />
      {head !== null && selectedWords.length > 1 && (
        <path className="marked-head" d={pathOf(pictureWords, [head])} />
      )}
    </>
  );
}

export function SelectionHandles({
  pictureWords,
  selection,
  scale,
  pose,
}: {
  pictureWords: WordsOnPicture;
  selection: PictureSelection;
  scale: number;
  pose: Pose;
}) {
  const { selectedWords, isByTouch, region, grab } = selection;
  const [first, last] = [selectedWords[0], selectedWords.at(-1)];
  if (!isByTouch || region || first === undefined || last === undefined) return null;
  const ends = endsOf(pictureWords, first, last);
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

export function SelectionAnnouncer({
  currentText,
  selection,
}: {
  currentText: () => MappedText;
  selection: PictureSelection;
}) {
  const { selectedWords, region, drawing } = selection;
  const live = useRef<HTMLParagraphElement>(null);
  // Set in an effect, so that a selection is announced but not every edit of its words.
  useEffect(() => {
    const text = currentText();
    const words =
      drawing || text.marks.length === 0 ? '' : announcementOf(text, selectedWords, region !== null);
    if (live.current) live.current.textContent = words;
  }, [currentText, selectedWords, region, drawing]);
  return <p ref={live} role="status" className="sr-only" />;
}

function announcementOf(text: MappedText, selectedWords: readonly number[], isRegion: boolean): string {
  if (isRegion)
    return `A part of the picture is selected, with ${selectedWords.length === 1 ? '1 word' : `${selectedWords.length} words`} in it.`;
  const [first, last] = [selectedWords[0], selectedWords.at(-1)];
  if (first === undefined || last === undefined) return '';
  const textAt = (index: number) => textOf(text, [index]);
  if (first === last) return `Selected: ${textAt(first)}`;
  return `${selectedWords.length} words selected, from ${textAt(first)} to ${textAt(last)}`;
}

interface SelectionBarProps {
  viewport: RefObject<HTMLElement | null>;
  /** The bounds of the selection, in CSS pixels of the picture's frame. */
  box: Box;
  /** Space for the selection handles below the box, in CSS pixels. */
  below: number;
  isRegion: boolean;
  /** Number of selected words. */
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

/**
 * Places the bar above the selection, or below it if there is no space, and always in the visible part of the picture.
 */
function useBarPlace({ viewport, box, below }: Pick<SelectionBarProps, 'viewport' | 'box' | 'below'>) {
  const bar = useRef<HTMLDivElement>(null);
  const { x, y, width, height } = box;
  const placeBar = useRef(() => {});
  useLayoutEffect(() => {
    placeBar.current = () => {
      const [element, viewportElement] = [bar.current, viewport.current];
      const frame = viewportElement?.firstElementChild?.getBoundingClientRect();
      if (!element || !viewportElement || !frame) return;
      const viewportBox = viewportElement.getBoundingClientRect();
      const [left, top] = [frame.left - viewportBox.left + x, frame.top - viewportBox.top + y];
      const max = {
        left: viewportElement.clientWidth - element.offsetWidth - MARGIN_PX,
        top: viewportElement.clientHeight - element.offsetHeight - MARGIN_PX,
      };
      const above = top - element.offsetHeight - MARGIN_PX;
      const wanted = above >= MARGIN_PX ? above : top + height + below + MARGIN_PX;
      const centered = left + width / 2 - element.offsetWidth / 2;
      element.style.left = `${Math.max(MARGIN_PX, Math.min(centered, max.left))}px`;
      element.style.top = `${viewportElement.offsetTop + Math.max(MARGIN_PX, Math.min(wanted, max.top))}px`;
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
