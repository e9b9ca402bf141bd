import type { Box, Extraction } from '#contract/extraction';
import { firstOf, itemAt } from '#formats/checked';
import type { MappedText, Piece } from '#formats/pieces';
import { type Slanted, slantedLines } from '#formats/slanted';
import { toUpright } from '#formats/upright';
import { intoFrame, type Pose } from './picture-pose.ts';

/** In pixels of the upright picture, y downwards, like every length in this file. */
export interface Point {
  x: number;
  y: number;
}

/** A word of the text with its skewed box on the picture. */
export interface PlacedWord extends Slanted {
  piece: number;
  /** The index of its line on the picture, in reading order. */
  line: number;
}

/**
 * Words in text order. Ranges use indices into `words`, which are the indices of the marks in the text. Editing a word does
 * not change its box.
 */
export interface WordsOnPicture {
  words: readonly PlacedWord[];
  /** Indices of each line's words. */
  lines: readonly (readonly number[])[];
  /** The left and right end of each line, extended to its paragraph's neighboring lines. */
  extents: readonly { left: number; right: number }[];
}

/** Computes the boxes of a text's words on the upright picture. `placed`: pieces in text order. */
export function wordsOnPicture(
  placed: readonly number[],
  pieces: readonly Piece[],
  image: Extraction['image'],
): WordsOnPicture {
  const lines: number[][] = [];
  let last: Piece | undefined;
  placed.forEach((which, index) => {
    const piece = itemAt(pieces, which);
    const isContinued = last?.line === piece.line && last.hidden !== 'line' && piece.hidden !== 'line';
    const line = lines.at(-1);
    if (isContinued && line) line.push(index);
    else lines.push([index]);
    last = piece;
  });
  const boxesByLine = slantedLines(
    lines.map((indices) =>
      indices.map((index) => toUpright(itemAt(pieces, itemAt(placed, index)).box, image)),
    ),
  );
  const words = lines.flatMap((indices, line) =>
    indices.map((index, at) => ({
      ...itemAt(itemAt(boxesByLine, line), at),
      piece: itemAt(placed, index),
      line,
    })),
  );

  const ends = lines.map((indices) => {
    const boxes = indices.map((index) => itemAt(words, index));
    return {
      left: Math.min(...boxes.map(({ x, width }) => x - width / 2)),
      right: Math.max(...boxes.map(({ x, width }) => x + width / 2)),
    };
  });
  const paragraphOf = (line: number) =>
    itemAt(pieces, itemAt(placed, firstOf(itemAt(lines, line)))).paragraph;
  const reach = ends.map((own, line) => {
    // A short line is extended to its paragraph's width, so that a pointer after its end selects its last word and not a
    // word of the longer line above.
    const near = [line - 1, line, line + 1].filter(
      (other) => lines[other] && paragraphOf(other) === paragraphOf(line),
    );
    const others = near
      .map((other) => itemAt(ends, other))
      .filter(({ left, right }) => left < own.right && right > own.left);
    return {
      left: Math.min(...others.map(({ left }) => left)),
      right: Math.max(...others.map(({ right }) => right)),
    };
  });
  return { words, lines, extents: reach };
}

/** Padding of a highlight around a word, as a fraction of the word's height. */
const OUTLINE_PADDING = 0.08;

type Corners = readonly [Point, Point, Point, Point];

/** Top left, top right, bottom right, bottom left, in the direction of the word's line. */
function cornersOf({ x, y, width, height, angle }: Slanted): Corners {
  const padding = height * OUTLINE_PADDING;
  const [u, v] = [width / 2 + padding, height / 2 + padding];
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const at = (along: number, across: number) => ({
    x: x + along * cos - across * sin,
    y: y + along * sin + across * cos,
  });
  return [at(-u, -v), at(u, -v), at(u, v), at(-u, v)];
}

const polygon = (points: readonly Point[]) =>
  `M${points.map(({ x, y }) => `${round(x)} ${round(y)}`).join('L')}Z`;
const round = (value: number) => Math.round(value * 10) / 10;

/** The SVG path of words. Neighbors on a line have one outline. */
export function pathOf({ words }: WordsOnPicture, indices: readonly number[]): string {
  const runs: number[][] = [];
  for (const index of indices) {
    const run = runs.at(-1);
    const goesOn = run?.at(-1) === index - 1 && itemAt(words, index - 1).line === itemAt(words, index).line;
    if (goesOn) run.push(index);
    else runs.push([index]);
  }
  return runs
    .map((run) => {
      const corners = run.map((index) => cornersOf(itemAt(words, index)));
      const above = corners.flatMap((four) => four.slice(0, 2));
      const below = corners.flatMap(([, , bottomRight, bottomLeft]) => [bottomLeft, bottomRight]);
      return polygon([...above, ...below.reverse()]);
    })
    .join('');
}

/** The corners of the words' boxes. */
export const cornersIn = ({ words }: WordsOnPicture, indices: readonly number[]): readonly Point[] =>
  indices.flatMap((index) => cornersOf(itemAt(words, index)));

/** The positions of the selection handles: below the start of the first word and below the end of the last. */
export function endsOf({ words }: WordsOnPicture, first: number, last: number): { start: Point; end: Point } {
  return { start: cornersOf(itemAt(words, first))[3], end: cornersOf(itemAt(words, last))[2] };
}

/** The distance of a point from a word along and across its line; 0 inside the box. */
function distances(word: Slanted, point: Point): { along: number; across: number } {
  const [cos, sin] = [Math.cos(word.angle), Math.sin(word.angle)];
  const [dx, dy] = [point.x - word.x, point.y - word.y];
  return {
    along: Math.max(0, Math.abs(dx * cos + dy * sin) - word.width / 2),
    across: Math.max(0, Math.abs(dy * cos - dx * sin) - word.height / 2),
  };
}

/** Weight of the distance across lines, relative to the distance along a line. */
const ACROSS_WEIGHT = 3;

/** The index of the word nearest to a point; null without words. */
export function nearestWord(pictureWords: WordsOnPicture, point: Point): number | null {
  let best: { word: number; cost: number } | null = null;
  pictureWords.lines.forEach((indices, line) => {
    const { left, right } = itemAt(pictureWords.extents, line);
    const beside = Math.max(0, left - point.x, point.x - right);
    const nearest = indices.reduce<{ word: number; along: number; across: number } | null>((found, word) => {
      const distance = distances(itemAt(pictureWords.words, word), point);
      return found && found.along <= distance.along ? found : { word, ...distance };
    }, null);
    if (!nearest) return;
    const cost = ACROSS_WEIGHT * nearest.across + Math.min(beside, nearest.along);
    if (!best || cost < best.cost) best = { word: nearest.word, cost };
  });
  return (best as { word: number } | null)?.word ?? null;
}

/** The indices from one word to another. */
export function wordsBetween(one: number, other: number): readonly number[] {
  const from = Math.min(one, other);
  return Array.from({ length: Math.abs(other - one) + 1 }, (_, at) => from + at);
}

export function lineEnds({ words, lines }: WordsOnPicture, word: number): [first: number, last: number] {
  const indices = lines[itemAt(words, word).line] ?? [];
  return [indices[0] ?? word, indices.at(-1) ?? word];
}

/** The nearest word in the previous (-1) or next (1) line; the word itself without such a line. */
export function wordBeside({ words, lines }: WordsOnPicture, word: number, direction: 1 | -1): number {
  const from = itemAt(words, word);
  const line = lines[from.line + direction];
  if (!line) return word;
  return line.reduce((best, other) =>
    Math.abs(itemAt(words, other).x - from.x) < Math.abs(itemAt(words, best).x - from.x) ? other : best,
  );
}

/** The indices of words whose center is in a region of the picture's frame. */
export const wordsWithin = ({ words }: WordsOnPicture, part: Box, pose: Pose): number[] =>
  words.flatMap((word, index) => {
    const { x, y } = intoFrame(pose, word);
    const isWithin = x >= part.x && x <= part.x + part.width && y >= part.y && y <= part.y + part.height;
    return isWithin ? [index] : [];
  });

/**
 * The current text of words. Consecutive words keep the text between them; others are joined by a paragraph break, a line
 * break or a space.
 */
export function textOf({ text, marks }: MappedText, indices: readonly number[]): string {
  return indices
    .map((index, at) => {
      const { start, end } = itemAt(marks, index);
      const next = indices[at + 1];
      if (next === undefined) return text.slice(start, end);
      const gap = text.slice(end, itemAt(marks, next).start);
      return text.slice(start, end) + (next === index + 1 ? gap : (/\n[ \t]*\n|\n/.exec(gap)?.[0] ?? ' '));
    })
    .join('');
}
