import {
  type KeyboardEvent,
  memo,
  type RefObject,
  startTransition,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
} from 'react';
import type { Box, Extraction } from '#contract/extraction';
import type { MappedText, Piece } from '#formats/pieces';
import { quarterTurns, toUpright } from '#formats/upright';
import { revealIn } from '../../ui/reveal.ts';
import { copyText } from '../export/copy-and-save.ts';
import type { Finding } from '../findings/use-findings.ts';
import { useStableList } from '../use-derived.ts';
import { FindingOutline, TextLines, WordBox, WordBoxes } from './box-layer.tsx';
import { SelectionAnnouncer, SelectionBar, SelectionHighlight, SelectionHandles } from './picture-marks.tsx';
import {
  boundsInFrame,
  degrees,
  frameTransform,
  intoFrame,
  type Pose,
  poseOf,
  tiltOf,
} from './picture-pose.ts';
import { PictureTools } from './picture-tools.tsx';
import { RectangleFrame } from './rectangle-frame.tsx';
import { usePicturePointer } from './use-picture-pointer.ts';
import { type PictureSelection, usePictureSelection } from './use-picture-selection.ts';
import { useZoom, type Zoom } from './use-zoom.ts';
import { piecePlaces } from './word-box.ts';
import { cornersIn, textOf, type WordsOnPicture, wordsOnPicture } from './words-on-picture.ts';
import { ZoomBar } from './zoom-bar.tsx';

const ascending = (one: number, other: number) => one - other;

interface PictureViewProps {
  /** What scrolls. */
  viewport: RefObject<HTMLElement | null>;
  /** Where the picture is shown from; null when it cannot be shown, and only the boxes can. */
  url: string | null;
  name: string;
  image: Extraction['image'];
  /** Places with text that was not read. */
  unread: NonNullable<Extraction['unread']>;
  /** The one of them that is looked at. */
  unreadAt: number | null;
  pieces: readonly Piece[];
  /** The text as it stands at the moment: what is marked on the picture is copied from it. */
  now: () => MappedText;
  /** Pieces that can be pressed: those in the text. */
  placed: readonly number[];
  doubtful: readonly number[];
  leftOut: readonly number[];
  active: readonly number[];
  /** A piece that is to be read in the picture: it goes there, and as close as it takes. */
  examined: number | null;
  hovered: number | null;
  onHover: (piece: number | null) => void;
  onPick: (piece: number, pointer: string) => void;
  found: readonly Finding[];
  chosen: Finding | null;
  /** Rises with every request to show it. */
  shownTimes: number;
  onFound: (found: Finding) => void;
  /** Shows a part of the text in the editor. */
  onShowInText: (start: number, end: number) => void;
  /**
   * Reads a part as a picture of its own: in pixels of the upright picture, turned by `angle`; null where it cannot be cut
   * out here.
   */
  onReadPart: ((part: Box, angle: number) => unknown) | null;
  /** A part of the picture that is looked at elsewhere: a table. */
  outlined: Box | null;
}

/** The original picture under a layer of word boxes, to zoom, to move and to press words in. */
export const PictureView = memo(function PictureView(props: PictureViewProps) {
  const { viewport, url, name, image, pieces, placed, doubtful, active, now, chosen, shownTimes } = props;
  const { onShowInText, onReadPart } = props;
  const { pose, isAsRead, canTurn, turn } = usePose(pieces, image);
  const zoom = useZoom(viewport, pose);
  // In the order of the picture: another view of the text has its words in another order, and none of its boxes elsewhere.
  const placedHere = useStableList(useMemo(() => placed.toSorted(ascending), [placed]));
  const doubtfulHere = useStableList(useMemo(() => doubtful.toSorted(ascending), [doubtful]));
  const on = useMemo(() => wordsOnPicture(placed, pieces, image), [placed, pieces, image]);
  const places = useMemo(() => piecePlaces(pieces, image), [pieces, image]);
  const selection = usePictureSelection({ viewport, on, scale: zoom.scale, pose });
  const { marked, region } = selection;
  const first = active[0];

  useReveal(viewport, { word: first, head: selection.head, found: chosen?.key, shownTimes });

  const showSelectionInText = () => {
    const { marks } = now();
    const [from, to] = [marks[marked[0] ?? -1], marks[marked.at(-1) ?? -1]];
    if (from && to) onShowInText(from.start, to.end);
  };
  const copySelection = async () => {
    if (!(await copyText(textOf(now(), marked)))) showSelectionInText();
  };
  useScrollToTarget({ ...props, zoom, pose, places });

  const pointer = usePicturePointer({ ...props, zoom, selection });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) {
      if (event.key === 'Escape') selection.clear();
      return;
    }
    const isCopyKey = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c' && marked.length > 0;
    if (isCopyKey) void copySelection();
    if (isCopyKey || selection.onKeyDown(event)) {
      event.preventDefault();
      return;
    }
    zoomByKey(event, zoom);
  };

  const { scale } = zoom;
  return (
    <div className="relative flex h-full min-h-0 flex-col">
      <PictureTools
        selection={selection}
        hasWords={on.words.length > 0}
        viewport={viewport}
        onRegion={selection.placeRegion}
        isDeskewed={isAsRead}
        onToggleOriginal={canTurn ? turn : null}
      />
      <section
        ref={viewport}
        data-tool={selection.tool}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={`Original picture: ${name}. Plus and minus zoom, 0 fits, arrow keys move, Enter selects words.`}
        className="picture-viewport flex min-h-0 flex-1 overflow-auto bg-sunk p-3"
        onKeyDown={onKeyDown}
        onClick={selection.onClick}
        {...pointer}
      >
        <div
          className="relative m-auto shrink-0 overflow-clip"
          style={{ width: pose.width * scale, height: pose.height * scale }}
        >
          {url && (
            <img
              src={url}
              alt={`The original: ${name}`}
              draggable={false}
              className="absolute top-1/2 left-1/2 block max-w-none bg-sheet"
              style={{
                width: image.width * scale,
                height: image.height * scale,
                transform: `translate(-50%, -50%) rotate(${quarterTurns(image) * 90 + degrees(pose.angle)}deg)`,
              }}
            />
          )}
          <PictureLayers
            {...props}
            on={on}
            pose={pose}
            places={places}
            placed={placedHere}
            doubtful={doubtfulHere}
            selection={selection}
          />
          <SelectionHandles on={on} selection={selection} scale={scale} pose={pose} />
          {region && (
            <RectangleFrame
              label="Part of the picture"
              box={region}
              frame={pose}
              scale={scale}
              onChange={selection.setRegion}
            />
          )}
        </div>
      </section>
      {(region || marked.length > 0) && !selection.drawing && (
        <SelectionBar
          viewport={viewport}
          box={scaleBox(region ?? boundsInFrame(pose, cornersIn(on, marked)), scale)}
          isRegion={region !== null}
          below={selection.isByTouch ? 36 : 0}
          count={marked.length}
          onCopy={() => void copySelection()}
          onShowInText={showSelectionInText}
          onReadPart={region && onReadPart ? () => void onReadPart(region, pose.angle) : null}
          onClose={() => {
            selection.clear();
            viewport.current?.focus({ preventScroll: true });
          }}
        />
      )}
      <SelectionAnnouncer now={now} selection={selection} />
      <ZoomBar zoom={zoom} word={first === undefined ? undefined : pieces[first]} />
    </div>
  );
});

type LayersProps = Pick<
  PictureViewProps,
  | 'image'
  | 'found'
  | 'chosen'
  | 'active'
  | 'unread'
  | 'unreadAt'
  | 'outlined'
  | 'hovered'
  | 'placed'
  | 'doubtful'
  | 'leftOut'
> & {
  on: WordsOnPicture;
  pose: Pose;
  places: ReturnType<typeof piecePlaces>;
  selection: PictureSelection;
};

/** What is drawn over the picture, from its words to the selection. */
function PictureLayers(props: LayersProps) {
  const { on, pose, places, image, found, chosen, placed, doubtful, leftOut, active } = props;
  const { unread, unreadAt, outlined, hovered, selection } = props;
  // Thousands of boxes come after the picture and the text: together they would hold the page up.
  const [hasBoxes, setHasBoxes] = useState(false);
  useEffect(() => startTransition(() => setHasBoxes(true)), []);
  return (
    <svg
      viewBox={`0 0 ${pose.width} ${pose.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="word-boxes absolute inset-0 size-full"
    >
      <g transform={frameTransform(pose)}>
        {hasBoxes && <TextLines on={on} />}
        {found.map((item) => (
          <FindingOutline key={item.key} found={item} on={on} isChosen={item.key === chosen?.key} />
        ))}
        {hasBoxes && <WordBoxes places={places} placed={placed} doubtful={doubtful} leftOut={leftOut} />}
        {active.map((piece) => (
          <WordBox key={piece} place={places[piece]} className="active" />
        ))}
        {unread.map(({ box }, at) => (
          <rect
            key={`${box.x} ${box.y}`}
            className={at === unreadAt ? 'unread unread-chosen' : 'unread'}
            {...toUpright(box, image)}
          />
        ))}
        {outlined && <rect className="outlined" {...toUpright(outlined, image)} />}
        {hovered !== null && <WordBox place={places[hovered]} className="hovered" />}
        <SelectionHighlight on={on} selection={selection} />
      </g>
    </svg>
  );
}

/** The picture stands as it was read, with level lines, or as it was chosen. */
function usePose(pieces: readonly Piece[], image: Extraction['image']) {
  const [isAsRead, setIsAsRead] = useState(true);
  // Of the words that were read: what is added to the text must not turn the picture.
  const [tilt] = useState(() => tiltOf(pieces, image));
  const turns = quarterTurns(image);
  const pose = useMemo(
    () => poseOf(image, isAsRead ? -tilt : (-turns * Math.PI) / 2),
    [image, isAsRead, tilt, turns],
  );
  return { pose, isAsRead, canTurn: tilt !== 0 || turns !== 0, turn: () => setIsAsRead(!isAsRead) };
}

const scaleBox = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x * by,
  y: y * by,
  width: width * by,
  height: height * by,
});

interface ScrollTargets extends Pick<PictureViewProps, 'examined' | 'image' | 'unread' | 'unreadAt'> {
  zoom: Zoom;
  pose: Pose;
  places: ReturnType<typeof piecePlaces>;
}

/** The picture goes to a word or an unread place once, and is left where a person puts it. */
function useScrollToTarget({ zoom, pose, places, examined, image, unread, unreadAt }: ScrollTargets): void {
  const showPiece = useEffectEvent((piece: number) => {
    const place = places[piece];
    if (place) zoom.show(intoFrame(pose, place), place.height);
  });
  useEffect(() => {
    if (examined !== null) showPiece(examined);
  }, [examined]);
  const showUnread = useEffectEvent((index: number) => {
    const place = unread[index];
    if (!place) return;
    const { x, y, width, height } = toUpright(place.box, image);
    zoom.show(intoFrame(pose, { x: x + width / 2, y: y + height / 2 }), Math.min(width, height));
  });
  useEffect(() => {
    if (unreadAt !== null) showUnread(unreadAt);
  }, [unreadAt]);
}

/** Plus and minus, 0 for all of the picture, 1 for its own size. */
function zoomByKey(event: KeyboardEvent, zoom: Zoom): void {
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
}

interface RevealOptions {
  word: number | undefined;
  head: number | null;
  found: string | undefined;
  shownTimes: number;
}

function useReveal(viewport: RefObject<HTMLElement | null>, { word, head, found, shownTimes }: RevealOptions) {
  useEffect(() => {
    const box = word === undefined ? null : viewport.current?.querySelector(`rect[data-piece="${word}"]`);
    if (box && viewport.current) revealIn(viewport.current, box);
  }, [viewport, word]);
  useEffect(() => {
    const lone = viewport.current?.querySelector('.marked');
    const marked = head === null ? null : (viewport.current?.querySelector('.marked-head') ?? lone);
    if (marked && viewport.current) revealIn(viewport.current, marked);
  }, [viewport, head]);
  useEffect(() => {
    const element = viewport.current;
    const place = found === undefined ? null : element?.querySelector('.found-chosen');
    if (!element || !place) return;
    revealIn(element, place);
    if (shownTimes > 0) element.scrollIntoView({ block: 'nearest' });
  }, [viewport, found, shownTimes]);
}
