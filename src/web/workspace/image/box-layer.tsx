import { memo } from 'react';
import type { Slanted } from '#formats/slanted';
import type { Finding } from '../findings/use-findings.ts';
import { pathOf, type WordsOnPicture } from './words-on-picture.ts';

/** Padding of a word's box and height of the line below a doubtful word, as fractions of the word's height. */
const WORD_PADDING = 0.08;
const DOUBT_LINE_HEIGHT = 0.16;

interface WordBoxesProps {
  /** Pieces in the text, whose boxes can be pressed. */
  placed: readonly number[];
  doubtful: readonly number[];
  hiddenPieces: readonly number[];
  /** The skewed box of each piece on the upright picture. */
  places: readonly Slanted[];
}

/** The area of each line, where a selection can start. */
export const TextLines = memo(function TextLines({ pictureWords }: { pictureWords: WordsOnPicture }) {
  return pictureWords.lines.map((line) => (
    <path key={line[0]} data-text-line="" d={pathOf(pictureWords, line)} />
  ));
});

/** All word boxes. Separate from the elements that re-render on every pointer move. */
export const WordBoxes = memo(function WordBoxes({ places, placed, doubtful, hiddenPieces }: WordBoxesProps) {
  return (
    <>
      {doubtful.map((piece) => (
        <DoubtLine key={`doubt-${piece}`} place={places[piece]} />
      ))}
      {hiddenPieces.map((piece) => (
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

export function WordBox({ place, index, className }: WordBoxProps) {
  if (!place) return null;
  const { x, y, width, height } = place;
  const padding = height * WORD_PADDING;
  return (
    <rect
      data-piece={index}
      className={className}
      x={x - width / 2 - padding}
      y={y - height / 2 - padding}
      width={width + 2 * padding}
      height={height + 2 * padding}
      transform={rotation(place)}
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
      height={Math.max(2, height * DOUBT_LINE_HEIGHT)}
      transform={rotation(place)}
    />
  );
}

/** The rotation of a word's box. */
const rotation = ({ x, y, angle }: Slanted) =>
  angle === 0 ? undefined : `rotate(${(angle * 180) / Math.PI} ${x} ${y})`;

/** The outline of a finding. A code is pressed here; the words of other findings are pressed as words. */
export function FindingOutline({
  found,
  pictureWords,
  isChosen,
}: {
  found: Finding;
  pictureWords: WordsOnPicture;
  isChosen: boolean;
}) {
  const className = isChosen ? 'found found-chosen' : 'found';
  if (found.box) return <rect data-found={found.key} className={className} {...found.box} />;
  const indices = pictureWords.words.flatMap(({ piece }, index) =>
    found.pieces.includes(piece) ? [index] : [],
  );
  return <path className={className} d={pathOf(pictureWords, indices)} />;
}
