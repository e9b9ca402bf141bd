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
import {
  SelectionAnnouncer,
  SelectionBar,
  SelectionHandles,
  SelectionHighlight,
} from './selection-marks.tsx';
import { usePicturePointer } from './use-picture-pointer.ts';
import { type PictureSelection, usePictureSelection } from './use-picture-selection.ts';
import { useZoom, type Zoom } from './use-zoom.ts';
import { piecePlaces } from './word-box.ts';
import { cornersIn, textOf, type WordsOnPicture, wordsOnPicture } from './words-on-picture.ts';
import { ZoomBar } from './zoom-bar.tsx';

const ascending = (one: number, other: number) => one - other;

interface PictureViewProps {
  /** The scroll container. */
  viewport: RefObject<HTMLElement | null>;
  /** The URL of the picture; null if it cannot be shown, and only the boxes are. */
  url: string | null;
  name: string;
  image: Extraction['image'];
  /** Regions with text that was not read. */
  unread: NonNullable<Extraction['unread']>;
  /** The index of the chosen unread region. */
  chosenUnread: number | null;
  pieces: readonly Piece[];
  /** Returns the current text, which the selected words are copied from. */
  currentText: () => MappedText;
  /** Pieces in the text, whose boxes can be pressed. */
  placed: readonly number[];
  doubtful: readonly number[];
  hiddenPieces: readonly number[];
  active: readonly number[];
  /** A word to show: the view scrolls to it and zooms in until it is legible. */
  reviewedWord: number | null;
  hovered: number | null;
  onHover: (piece: number | null) => void;
  onPick: (piece: number, pointer: string) => void;
  found: readonly Finding[];
  chosen: Finding | null;
  /** A counter: increasing it reveals `chosen` again. */
  revealCount: number;
  onFound: (found: Finding) => void;
  /** Shows a part of the text in the editor. */
  onShowInText: (start: number, end: number) => void;
  /**
   * Reads a region as a separate picture. `part`: in pixels of the upright picture rotated by `angle`. Null if the picture
   * cannot be cropped.
   */
  onReadPart: ((part: Box, angle: number) => unknown) | null;
  /** The box of the table with the focused cell. */
  outlined: Box | null;
}

/** The picture under a layer of word boxes. It can be zoomed and moved, and its words can be pressed. */
export const PictureView = memo(function PictureView(props: PictureViewProps) {
  const { viewport, url, name, image, pieces, placed, doubtful, active, currentText, chosen, revealCount } =
    props;
  const { onShowInText, onReadPart } = props;
  const { pose, isAsRead, canTurn, turn } = usePose(pieces, image);
  const zoom = useZoom(viewport, pose);
  // Sorted, so that another text layout does not re-render the boxes.
  const placedHere = useStableList(useMemo(() => placed.toSorted(ascending), [placed]));
  const doubtfulHere = useStableList(useMemo(() => doubtful.toSorted(ascending), [doubtful]));
  const pictureWords = useMemo(() => wordsOnPicture(placed, pieces, image), [placed, pieces, image]);
  const places = useMemo(() => piecePlaces(pieces, image), [pieces, image]);
  const selection = usePictureSelection({ viewport, pictureWords, scale: zoom.scale, pose });
  const { selectedWords, region } = selection;
  const first = active[0];

  useReveal(viewport, { word: first, head: selection.head, found: chosen?.key, revealCount });

  const showSelectionInText = () => {
    const { marks } = currentText();
    const [from, to] = [marks[selectedWords[0] ?? -1], marks[selectedWords.at(-1) ?? -1]];
    if (from && to) onShowInText(from.start, to.end);
  };
  const copySelection = async () => {
    if (!(await copyText(textOf(currentText(), selectedWords)))) showSelectionInText();
  };
  useScrollToTarget({ ...props, zoom, pose, places });

  const pointer = usePicturePointer({ ...props, zoom, selection });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) {
      if (event.key === 'Escape') selection.clear();
      return;
    }
    const isCopyKey =
      (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c' && selectedWords.length > 0;
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
        hasWords={pictureWords.words.length > 0}
        viewport={viewport}
        onRegion={selection.placeRegion}
        isDeskewed={isAsRead}
        onToggleOriginal={canTurn ? turn : null}
      />
      <section
        ref={viewport}
        data-tool={selection.tool}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
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
            pictureWords={pictureWords}
            pose={pose}
            places={places}
            placed={placedHere}
            doubtful={doubtfulHere}
            selection={selection}
          />
          <SelectionHandles pictureWords={pictureWords} selection={selection} scale={scale} pose={pose} />
          {region && (
            <RectangleFrame
              label="Part of the picture"
              box={region}
              bounds={pose}
              scale={scale}
              onChange={selection.setRegion}
            />
          )}
        </div>
      </section>
      {(region || selectedWords.length > 0) && !selection.drawing && (
        <SelectionBar
          viewport={viewport}
          box={scaleBox(region ?? boundsInFrame(pose, cornersIn(pictureWords, selectedWords)), scale)}
          isRegion={region !== null}
          below={selection.isByTouch ? 36 : 0}
          count={selectedWords.length}
          onCopy={() => void copySelection()}
          onShowInText={showSelectionInText}
          onReadPart={region && onReadPart ? () => void onReadPart(region, pose.angle) : null}
          onClose={() => {
            selection.clear();
            viewport.current?.focus({ preventScroll: true });
          }}
        />
      )}
      <SelectionAnnouncer currentText={currentText} selection={selection} />
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
  | 'chosenUnread'
  | 'outlined'
  | 'hovered'
  | 'placed'
  | 'doubtful'
  | 'hiddenPieces'
> & {
  pictureWords: WordsOnPicture;
  pose: Pose;
  places: ReturnType<typeof piecePlaces>;
  selection: PictureSelection;
};

/** The boxes, outlines and highlights over the picture. */
function PictureLayers(props: LayersProps) {
  const { pictureWords, pose, places, image, found, chosen, placed, doubtful, hiddenPieces, active } = props;
  const { unread, chosenUnread, outlined, hovered, selection } = props;
  // Thousands of boxes are rendered after the picture and the text, because they would delay both.
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
        {hasBoxes && <TextLines pictureWords={pictureWords} />}
        {found.map((item) => (
          <FindingOutline
            key={item.key}
            found={item}
            pictureWords={pictureWords}
            isChosen={item.key === chosen?.key}
          />
        ))}
        {hasBoxes && (
          <WordBoxes places={places} placed={placed} doubtful={doubtful} hiddenPieces={hiddenPieces} />
        )}
        {active.map((piece) => (
          <WordBox key={piece} place={places[piece]} className="active" />
        ))}
        {unread.map(({ box }, at) => (
          <rect
            key={`${box.x} ${box.y}`}
            className={at === chosenUnread ? 'unread unread-chosen' : 'unread'}
            {...toUpright(box, image)}
          />
        ))}
        {outlined && <rect className="outlined" {...toUpright(outlined, image)} />}
        {hovered !== null && <WordBox place={places[hovered]} className="hovered" />}
        <SelectionHighlight pictureWords={pictureWords} selection={selection} />
      </g>
    </svg>
  );
}

/** The pose of the picture: deskewed as recognized, or in its original orientation. */
function usePose(pieces: readonly Piece[], image: Extraction['image']) {
  const [isAsRead, setIsAsRead] = useState(true);
  // Computed once, because words that are added to the text must not rotate the picture.
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

interface ScrollTargets extends Pick<PictureViewProps, 'reviewedWord' | 'image' | 'unread' | 'chosenUnread'> {
  zoom: Zoom;
  pose: Pose;
  places: ReturnType<typeof piecePlaces>;
}

/** Scrolls to a word or an unread region once. Later scrolling by the user is kept. */
function useScrollToTarget({
  zoom,
  pose,
  places,
  reviewedWord,
  image,
  unread,
  chosenUnread,
}: ScrollTargets): void {
  const showPiece = useEffectEvent((piece: number) => {
    const place = places[piece];
    if (place) zoom.show(intoFrame(pose, place), place.height);
  });
  useEffect(() => {
    if (reviewedWord !== null) showPiece(reviewedWord);
  }, [reviewedWord]);
  const showUnread = useEffectEvent((index: number) => {
    const place = unread[index];
    if (!place) return;
    const { x, y, width, height } = toUpright(place.box, image);
    zoom.show(intoFrame(pose, { x: x + width / 2, y: y + height / 2 }), Math.min(width, height));
  });
  useEffect(() => {
    if (chosenUnread !== null) showUnread(chosenUnread);
  }, [chosenUnread]);
}

/** Plus and minus zoom, 0 fits the picture, 1 shows it at 100 %. */
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
  revealCount: number;
}

function useReveal(
  viewport: RefObject<HTMLElement | null>,
  { word, head, found, revealCount }: RevealOptions,
) {
  useEffect(() => {
    const box = word === undefined ? null : viewport.current?.querySelector(`rect[data-piece="${word}"]`);
    if (box && viewport.current) revealIn(viewport.current, box);
  }, [viewport, word]);
  useEffect(() => {
    const single = viewport.current?.querySelector('.marked');
    const highlight = head === null ? null : (viewport.current?.querySelector('.marked-head') ?? single);
    if (highlight && viewport.current) revealIn(viewport.current, highlight);
  }, [viewport, head]);
  useEffect(() => {
    const element = viewport.current;
    const place = found === undefined ? null : element?.querySelector('.found-chosen');
    if (!element || !place) return;
    revealIn(element, place);
    if (revealCount > 0) element.scrollIntoView({ block: 'nearest' });
  }, [viewport, found, revealCount]);
}
