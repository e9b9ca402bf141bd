import { type KeyboardEvent, memo, type PointerEvent, useEffect, useMemo, useRef } from 'react';
import type { Box, Extraction } from '#contract/extraction';
import type { MappedText, Piece } from '#formats/pieces';
import type { Slanted } from '#formats/slanted';
import { quarterTurns, uprightSize } from '#formats/upright';
import { Button } from '../../ui/basics/button.tsx';
import { Icon } from '../../ui/basics/icon.tsx';
import { revealIn } from '../../ui/reveal.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { copyText } from '../export/copy-text.ts';
import type { Found } from '../findings/use-findings.ts';
import { useStableList } from '../use-derived.ts';
import { fromUprightTransform, MarkedAloud, MarkedBar, MarkedWords, MarkHandles } from './picture-marks.tsx';
import { PictureTools } from './picture-tools.tsx';
import { boxBetween } from './rectangle.ts';
import { RectangleFrame } from './rectangle-frame.tsx';
import { usePictureSelection } from './use-picture-selection.ts';
import { useZoom } from './use-zoom.ts';
import { piecePlaces } from './word-box.ts';
import { boundsOf, pathOf, textOf, type WordsOnPicture, wordsOnPicture } from './words-on-picture.ts';

/** A pointer that moved further than this has dragged the picture and not pressed a word. */
const CLICK_SLOP_PX = 4;
/** Two taps no further apart than this, in time and place, are one gesture. */
const DOUBLE_TAP_MS = 300;
const DOUBLE_TAP_PX = 30;

const ascending = (one: number, other: number) => one - other;

interface PictureViewProps {
  /** Where the picture is shown from; null when it cannot be shown, and only the boxes can. */
  url: string | null;
  name: string;
  image: Extraction['image'];
  /** Places with text that was not read. */
  unread: NonNullable<Extraction['unread']>;
  pieces: readonly Piece[];
  /** The text as it stands at the moment: what is marked on the picture is copied from it. */
  now: () => MappedText;
  /** Pieces that can be pressed: those in the text. */
  placed: readonly number[];
  doubtful: readonly number[];
  /** Pieces to show as left out; empty unless asked for. */
  leftOut: readonly number[];
  active: readonly number[];
  /** A piece that is to be read in the picture: it goes there, and as close as it takes. */
  examined: number | null;
  hovered: number | null;
  onHover: (piece: number | null) => void;
  onPick: (piece: number, pointer: string) => void;
  found: readonly Found[];
  /** The selected finding. */
  chosen: Found | null;
  /** Rises with every request to show it. */
  shownTimes: number;
  onFound: (found: Found) => void;
  /** Somebody wants to see a part of the text where it can be edited. */
  onShowInText: (start: number, end: number) => void;
  /** Reads a part of the upright picture as a picture of its own; null where it cannot be cut out here. */
  onReadPart: ((part: Box) => unknown) | null;
  /** A part of the picture that is looked at elsewhere: a table. */
  outlined: Box | null;
}

/** The original picture under a layer of word boxes, to zoom, to move and to press words in. */
export const PictureView = memo(function PictureView({
  url,
  name,
  image,
  unread,
  active,
  examined,
  hovered,
  onHover,
  onPick,
  now,
  found,
  chosen,
  shownTimes,
  onFound,
  onShowInText,
  onReadPart,
  outlined,
  ...boxes
}: PictureViewProps) {
  const viewport = useRef<HTMLElement>(null);
  const shown = uprightSize(image);
  const zoom = useZoom(viewport, shown);
  const { pieces, placed, doubtful } = boxes;
  // In the order of the picture: another view of the text has its words in another order, and none of its boxes elsewhere.
  const placedHere = useStableList(useMemo(() => placed.toSorted(ascending), [placed]));
  const doubtfulHere = useStableList(useMemo(() => doubtful.toSorted(ascending), [doubtful]));
  const on = useMemo(() => wordsOnPicture(placed, pieces, image), [placed, pieces, image]);
  const places = useMemo(() => piecePlaces(pieces, image), [pieces, image]);
  const selection = usePictureSelection({ viewport, on, scale: zoom.scale, size: shown });
  const { marked, region } = selection;
  const drag = useRef<{ x: number; y: number; left: number; top: number; moved: boolean } | null>(null);
  const tap = useRef<{ x: number; y: number; time: number } | null>(null);
  const first = active[0];

  useEffect(() => {
    const word = first === undefined ? null : viewport.current?.querySelector(`rect[data-piece="${first}"]`);
    if (word && viewport.current) revealIn(viewport.current, word);
  }, [first]);
  const { head } = selection;
  useEffect(() => {
    const lone = viewport.current?.querySelector('.marked');
    const word = head === null ? null : (viewport.current?.querySelector('.marked-head') ?? lone);
    if (word && viewport.current) revealIn(viewport.current, word);
  }, [head]);
  const chosenKey = chosen?.key;
  useEffect(() => {
    const element = viewport.current;
    const place = chosenKey === undefined ? null : element?.querySelector('.found-chosen');
    if (!element || !place) return;
    revealIn(element, place);
    if (shownTimes > 0) element.scrollIntoView({ block: 'nearest' });
  }, [chosenKey, shownTimes]);

  const markedText = () => textOf(now(), marked);
  const copyMarked = async () => {
    const copied = await copyText(markedText());
    if (!copied) showMarked();
  };
  const showMarked = () => {
    const { marks } = now();
    const [from, to] = [marks[marked[0] ?? -1], marks[marked.at(-1) ?? -1]];
    if (from && to) onShowInText(from.start, to.end);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: it goes to a word once, and is left where a person puts it
  useEffect(() => {
    const place = examined === null ? undefined : places[examined];
    if (place) zoom.show(place, place.height);
  }, [examined]);

  const pieceUnder = (event: PointerEvent) => {
    const under = event.target instanceof Element ? event.target.getAttribute('data-piece') : null;
    return under === null ? null : Number(under);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    selection.begin(event);
    const { scrollLeft, scrollTop } = event.currentTarget;
    drag.current = { x: event.clientX, y: event.clientY, left: scrollLeft, top: scrollTop, moved: false };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (selection.move(event)) {
      if (hovered !== null) onHover(null);
      return;
    }
    const held = drag.current;
    if (!held) {
      if (event.pointerType === 'mouse') onHover(pieceUnder(event));
      return;
    }
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    held.moved ||= Math.hypot(dx, dy) > CLICK_SLOP_PX;
    // A finger scrolls the picture natively.
    if (!held.moved || event.pointerType !== 'mouse') return;
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.scrollTo({ left: held.left - dx, top: held.top - dy, behavior: 'instant' });
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    const isPress = drag.current !== null && !drag.current.moved;
    drag.current = null;
    if (selection.end(event) || !isPress) return;
    const code = event.target instanceof Element ? event.target.getAttribute('data-found') : null;
    const pressed = found.find(({ key }) => key === code);
    if (pressed) return onFound(pressed);
    if (isSecondTap(event)) return zoom.toggle({ x: event.clientX, y: event.clientY });
    const piece = pieceUnder(event);
    if (piece !== null) onPick(piece, event.pointerType);
  };
  const isSecondTap = ({ pointerType, clientX: x, clientY: y, timeStamp: time }: PointerEvent) => {
    if (pointerType !== 'touch') return false;
    const before = tap.current;
    const isSecond =
      before !== null &&
      time - before.time < DOUBLE_TAP_MS &&
      Math.hypot(x - before.x, y - before.y) < DOUBLE_TAP_PX;
    tap.current = isSecond ? null : { x, y, time };
    return isSecond;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) {
      if (event.key === 'Escape') selection.clear();
      return;
    }
    const copies = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c' && marked.length > 0;
    if (copies) void copyMarked();
    if (copies || selection.onKeyDown(event)) {
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = {
      '+': zoom.zoomIn,
      '=': zoom.zoomIn,
      '-': zoom.zoomOut,
      '0': zoom.fit,
      '1': zoom.actualSize,
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };

  const { scale } = zoom;
  /** An initial region for keyboard users: half of the visible part, in its middle. */
  const placeRegion = () => {
    const [frame, seen] = [
      viewport.current?.firstElementChild?.getBoundingClientRect(),
      viewport.current?.getBoundingClientRect(),
    ];
    if (!frame || !seen) return;
    const at = (x: number, y: number) => ({ x: (x - frame.left) / scale, y: (y - frame.top) / scale });
    const seenBox = boxBetween(at(seen.left, seen.top), at(seen.right, seen.bottom), shown);
    const { x, y, width, height } = seenBox;
    selection.setRegion({ x: x + width / 4, y: y + height / 4, width: width / 2, height: height / 2 });
  };
  return (
    <div className="relative flex h-full min-h-0 flex-col">
      <PictureTools
        selection={selection}
        hasWords={on.words.length > 0}
        viewport={viewport}
        onRegion={placeRegion}
      />
      <section
        ref={viewport}
        data-tool={selection.tool}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={`Original picture: ${name}. Plus and minus zoom, 0 fits, arrow keys move, Enter selects words.`}
        className="picture-viewport flex min-h-0 flex-1 overflow-auto bg-sunk p-3"
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          drag.current = null;
          selection.cancel();
        }}
        onClick={selection.onClick}
        onPointerLeave={() => onHover(null)}
      >
        <div
          className="relative m-auto shrink-0 bg-sheet"
          style={{ width: shown.width * scale, height: shown.height * scale }}
        >
          <div
            className="absolute top-0 left-0 origin-top-left"
            style={{
              width: image.width * scale,
              height: image.height * scale,
              transform: uprightTransform(image, scale),
            }}
          >
            {url && (
              <img
                src={url}
                alt={`The original: ${name}`}
                draggable={false}
                className="block size-full max-w-none"
              />
            )}
            <svg
              viewBox={`0 0 ${image.width} ${image.height}`}
              preserveAspectRatio="none"
              aria-hidden="true"
              className="word-boxes absolute inset-0 size-full"
            >
              <g transform={fromUprightTransform(image)}>
                <TextLines on={on} />
                {found.map((item) => (
                  <FoundPlace key={item.key} found={item} on={on} isChosen={item.key === chosen?.key} />
                ))}
              </g>
              <g transform={fromUprightTransform(image)}>
                <WordBoxes
                  places={places}
                  placed={placedHere}
                  doubtful={doubtfulHere}
                  leftOut={boxes.leftOut}
                />
                {active.map((piece) => (
                  <WordBox key={piece} place={places[piece]} className="active" />
                ))}
              </g>
              {unread.map(({ box }) => (
                <rect key={`${box.x} ${box.y}`} className="unread" {...box} />
              ))}
              {outlined && <rect className="outlined" {...outlined} />}
              <g transform={fromUprightTransform(image)}>
                {hovered !== null && <WordBox place={places[hovered]} className="hovered" />}
                <MarkedWords on={on} selection={selection} />
              </g>
            </svg>
          </div>
          <MarkHandles on={on} selection={selection} scale={scale} />
          {region && (
            <RectangleFrame
              label="Part of the picture"
              box={region}
              frame={shown}
              scale={scale}
              onChange={selection.setRegion}
            />
          )}
        </div>
      </section>
      {(region || marked.length > 0) && !selection.drawing && (
        <MarkedBar
          viewport={viewport}
          box={scaled(region ?? boundsOf(on, marked)!, scale)}
          isRegion={region !== null}
          below={selection.byFinger ? 36 : 0}
          count={marked.length}
          onCopy={() => void copyMarked()}
          onShowInText={showMarked}
          onReadPart={region && onReadPart ? () => void onReadPart(region) : null}
          onClose={() => {
            selection.clear();
            viewport.current?.focus({ preventScroll: true });
          }}
        />
      )}
      <MarkedAloud now={now} selection={selection} />
      <div
        className="flex items-center gap-1 border-t border-rule px-2 py-1.5"
        role="toolbar"
        aria-label="Zoom"
      >
        <Tooltip label="Zoom out (−)">
          <Button
            variant="ghost"
            size="icon"
            aria-label="Zoom out"
            onClick={zoom.zoomOut}
            disabled={zoom.isWhole}
          >
            <Icon name="minus" />
          </Button>
        </Tooltip>
        <output aria-label="Zoom" className="w-14 text-center font-mono text-sm tabular-nums">
          {Math.round(scale * 100)}%
        </output>
        <Tooltip label="Zoom in (+)">
          <Button variant="ghost" size="icon" aria-label="Zoom in" onClick={zoom.zoomIn}>
            <Icon name="plus" />
          </Button>
        </Tooltip>
        <span aria-hidden="true" className="mx-1 h-5 w-px bg-rule" />
        <Button
          variant="ghost"
          size="small"
          className="min-h-11"
          aria-pressed={zoom.isFit}
          onClick={zoom.fit}
        >
          Fit
        </Button>
        <Button
          variant="ghost"
          size="small"
          className="min-h-11 whitespace-nowrap!"
          aria-pressed={scale === 1}
          onClick={zoom.actualSize}
        >
          100 %
        </Button>
        {first !== undefined && <WordNote piece={boxes.pieces[first]} />}
      </div>
    </div>
  );
});

/** The word under the finger, for screens that show picture and text one at a time. */
function WordNote({ piece }: { piece: Piece | undefined }) {
  if (!piece) return null;
  return (
    <p className="ml-auto flex min-w-0 items-baseline gap-2 pr-2 pl-4 text-sm lg:hidden">
      <bdi className="highlighted min-w-0 truncate font-mono">{piece.text}</bdi>
      <span className="whitespace-nowrap text-ink-soft tabular-nums">{piece.confidence}% sure</span>
    </p>
  );
}

/** Turns the picture as it was turned to read it, so that it stands upright in its frame. */
export function uprightTransform(image: Extraction['image'], scale: number): string | undefined {
  const { width, height } = image;
  const [w, h] = [width * scale, height * scale];
  return [
    undefined,
    `translate(${h}px, 0) rotate(90deg)`,
    `translate(${w}px, ${h}px) rotate(180deg)`,
    `translate(0, ${w}px) rotate(270deg)`,
  ][quarterTurns(image)];
}

interface WordBoxesProps extends Pick<PictureViewProps, 'placed' | 'doubtful' | 'leftOut'> {
  /** How each piece lies on the upright picture. */
  places: readonly Slanted[];
}

/** Where text can be marked, line by line. */
const TextLines = memo(function TextLines({ on }: { on: WordsOnPicture }) {
  return on.lines.map((line) => <path key={line[0]} data-text-line="" d={pathOf(on, line)} />);
});

/** Every box that can be pressed. Kept apart from what changes with each move of the pointer. */
const WordBoxes = memo(function WordBoxes({ places, placed, doubtful, leftOut }: WordBoxesProps) {
  return (
    <>
      {doubtful.map((piece) => (
        <DoubtLine key={`doubt-${piece}`} place={places[piece]} />
      ))}
      {leftOut.map((piece) => (
        <WordBox key={`hidden-${piece}`} place={places[piece]} className="left-out" />
      ))}
      {placed.map((piece) => (
        <WordBox key={piece} place={places[piece]} index={piece} />
      ))}
    </>
  );
});

interface WordBoxProps {
  place: Slanted | undefined;
  index?: number;
  className?: string;
}

function WordBox({ place, index, className }: WordBoxProps) {
  if (!place) return null;
  const { x, y, width, height } = place;
  const air = height * 0.08;
  return (
    <rect
      data-piece={index}
      className={className}
      x={x - width / 2 - air}
      y={y - height / 2 - air}
      width={width + 2 * air}
      height={height + 2 * air}
      transform={turned(place)}
    />
  );
}

function DoubtLine({ place }: { place: Slanted | undefined }) {
  if (!place) return null;
  const { x, y, width, height } = place;
  return (
    <rect
      className="doubt"
      x={x - width / 2}
      y={y + height / 2}
      width={width}
      height={Math.max(2, height * 0.16)}
      transform={turned(place)}
    />
  );
}

/** Marks lie as their word does. */
const turned = ({ x, y, angle }: Slanted) =>
  angle === 0 ? undefined : `rotate(${(angle * 180) / Math.PI} ${x} ${y})`;

/** Where something that can be acted on stands; a code is pressed here, words are pressed as words. */
function FoundPlace({ found, on, isChosen }: { found: Found; on: WordsOnPicture; isChosen: boolean }) {
  const className = isChosen ? 'found found-chosen' : 'found';
  if (found.box) return <rect data-found={found.key} className={className} {...found.box} />;
  const indices = on.words.flatMap(({ piece }, index) => (found.pieces.includes(piece) ? [index] : []));
  return <path className={className} d={pathOf(on, indices)} />;
}

const scaled = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x * by,
  y: y * by,
  width: width * by,
  height: height * by,
});
