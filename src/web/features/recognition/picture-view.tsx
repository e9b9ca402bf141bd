import { type KeyboardEvent, memo, type PointerEvent, useEffect, useRef } from 'react';
import type { Box, Extraction } from '#contract/extraction';
import type { Piece } from '#formats/pieces';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { revealIn } from './reveal.ts';
import { useZoom } from './use-zoom.ts';
import { wordPlace } from './word-place.ts';

/** A pointer that moved further than this has dragged the picture and not pressed a word. */
const CLICK_SLOP_PX = 4;
/** Two taps no further apart than this, in time and place, are one gesture. */
const DOUBLE_TAP_MS = 300;
const DOUBLE_TAP_PX = 30;

interface PictureViewProps {
  /** Where the picture is shown from; null when it cannot be shown, and only the boxes can. */
  url: string | null;
  name: string;
  image: Extraction['image'];
  pieces: readonly Piece[];
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
}

/** The original picture under a layer of word boxes, to zoom, to move and to press words in. */
export const PictureView = memo(function PictureView({
  url,
  name,
  image,
  active,
  examined,
  hovered,
  onHover,
  onPick,
  ...boxes
}: PictureViewProps) {
  const viewport = useRef<HTMLElement>(null);
  const turned = quarterTurns(image.rotation) % 2 === 1;
  const shown = turned ? { width: image.height, height: image.width } : image;
  const zoom = useZoom(viewport, shown);
  const drag = useRef<{ x: number; y: number; left: number; top: number; moved: boolean } | null>(null);
  const tap = useRef<{ x: number; y: number; time: number } | null>(null);
  const first = active[0];

  useEffect(() => {
    const word = first === undefined ? null : viewport.current?.querySelector(`rect[data-piece="${first}"]`);
    if (word && viewport.current) revealIn(viewport.current, word);
  }, [first]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it goes to a word once, and is left where a person puts it
  useEffect(() => {
    const place = examined === null ? null : wordPlace(boxes.pieces, examined, image);
    if (place) zoom.show(place, place.height);
  }, [examined]);

  const pieceUnder = (event: PointerEvent) => {
    const under = event.target instanceof Element ? event.target.getAttribute('data-piece') : null;
    return under === null ? null : Number(under);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    const { scrollLeft, scrollTop } = event.currentTarget;
    drag.current = { x: event.clientX, y: event.clientY, left: scrollLeft, top: scrollTop, moved: false };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const held = drag.current;
    if (!held) {
      if (event.pointerType === 'mouse') onHover(pieceUnder(event));
      return;
    }
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    held.moved ||= Math.hypot(dx, dy) > CLICK_SLOP_PX;
    // A finger moves the picture by itself, as it scrolls anything.
    if (!held.moved || event.pointerType !== 'mouse') return;
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.scrollTo({ left: held.left - dx, top: held.top - dy, behavior: 'instant' });
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    const isPress = drag.current !== null && !drag.current.moved;
    drag.current = null;
    if (!isPress) return;
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
  return (
    <div className="relative flex h-full min-h-0 flex-col">
      <section
        ref={viewport}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={`Original picture: ${name}. Plus and minus zoom, 0 fits, arrow keys move.`}
        className="picture-viewport flex min-h-0 flex-1 overflow-auto bg-sunk p-3"
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          drag.current = null;
        }}
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
              <WordBoxes {...boxes} />
              {active.map((piece) => (
                <WordBox key={piece} piece={boxes.pieces[piece]} className="active" />
              ))}
              {hovered !== null && <WordBox piece={boxes.pieces[hovered]} className="hovered" />}
            </svg>
          </div>
        </div>
      </section>
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
            className="disabled:border-transparent!"
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
          className="min-h-11"
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

/** What was read under the finger, for screens that show picture and text one at a time. */
function WordNote({ piece }: { piece: Piece | undefined }) {
  if (!piece) return null;
  return (
    <p className="ml-auto flex min-w-0 items-baseline gap-2 pr-2 pl-4 text-sm lg:hidden">
      <bdi className="highlighted min-w-0 truncate font-mono">{piece.text}</bdi>
      <span className="whitespace-nowrap text-ink-soft tabular-nums">{piece.confidence}% sure</span>
    </p>
  );
}

const quarterTurns = (rotation: number) => ((Math.round(rotation / 90) % 4) + 4) % 4;

/** Turns the picture as it was turned to read it, so that it stands upright in its frame. */
export function uprightTransform(
  { width, height, rotation }: Extraction['image'],
  scale: number,
): string | undefined {
  const [w, h] = [width * scale, height * scale];
  return [
    undefined,
    `translate(${h}px, 0) rotate(90deg)`,
    `translate(${w}px, ${h}px) rotate(180deg)`,
    `translate(0, ${w}px) rotate(270deg)`,
  ][quarterTurns(rotation)];
}

type WordBoxesProps = Pick<PictureViewProps, 'pieces' | 'placed' | 'doubtful' | 'leftOut'>;

/** Every box that can be pressed. Kept apart from what changes with each move of the pointer. */
const WordBoxes = memo(function WordBoxes({ pieces, placed, doubtful, leftOut }: WordBoxesProps) {
  return (
    <>
      {doubtful.map((piece) => (
        <DoubtLine key={`doubt-${piece}`} box={pieces[piece]?.box} />
      ))}
      {leftOut.map((piece) => (
        <WordBox key={`hidden-${piece}`} piece={pieces[piece]} className="left-out" />
      ))}
      {placed.map((piece) => (
        <WordBox key={piece} piece={pieces[piece]} index={piece} />
      ))}
    </>
  );
});

function WordBox({
  piece,
  index,
  className,
}: {
  piece: Piece | undefined;
  index?: number;
  className?: string;
}) {
  if (!piece) return null;
  const { x, y, width, height } = piece.box;
  const air = height * 0.08;
  return (
    <rect
      data-piece={index}
      className={className}
      x={x - air}
      y={y - air}
      width={width + 2 * air}
      height={height + 2 * air}
    />
  );
}

function DoubtLine({ box }: { box: Box | undefined }) {
  if (!box) return null;
  const height = Math.max(2, box.height * 0.16);
  return <rect className="doubt" x={box.x} y={box.y + box.height} width={box.width} height={height} />;
}
