import { memo } from 'react';
import type { Slanted } from '#formats/slanted';
import type { Finding } from '../findings/use-findings.ts';
import { pathOf, type WordsOnPicture } from './words-on-picture.ts';

/** The space around a word within its box, and the weight of the line below a doubtful one, in heights of the word. */
const WORD_PADDING = 0.08;
const DOUBT_LINE_HEIGHT = 0.16;

interface WordBoxesProps {
  /** Pieces that can be pressed: those in the text. */
  placed: readonly number[];
  doubtful: readonly number[];
  leftOut: readonly number[];
  /** How each piece lies on the upright picture. */
  places: readonly Slanted[];
}

/** Where text can be marked, line by line. */
export const TextLines = memo(function TextLines({ on }: { on: WordsOnPicture }) {
  return on.lines.map((line) => <path key={line[0]} data-text-line="" d={pathOf(on, line)} />);
});

/** Every box that can be pressed. Kept apart from what changes with each move of the pointer. */
export const WordBoxes = memo(function WordBoxes({ places, placed, doubtful, leftOut }: WordBoxesProps) {
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

/** Marks lie as their word does. */
const rotation = ({ x, y, angle }: Slanted) =>
  angle === 0 ? undefined : `rotate(${(angle * 180) / Math.PI} ${x} ${y})`;

/** Where something that can be acted on stands; a code is pressed here, words are pressed as words. */
export function FindingOutline({
  found,
  on,
  isChosen,
}: {
  found: Finding;
  on: WordsOnPicture;
  isChosen: boolean;
}) {
  const className = isChosen ? 'found found-chosen' : 'found';
  if (found.box) return <rect data-found={found.key} className={className} {...found.box} />;
  const indices = on.words.flatMap(({ piece }, index) => (found.pieces.includes(piece) ? [index] : []));
  return <path className={className} d={pathOf(on, indices)} />;
}
