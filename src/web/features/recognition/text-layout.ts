import type { MappedText, Mark, Piece } from '#formats/pieces';
import { replaceRange } from './text-mapping.ts';

/**
 * `lines`: as in the picture. `paragraphs`: the lines of each paragraph rejoined, words broken at a line's end healed and
 * those that show to be compounds left their hyphen.
 */
export type Layout = 'lines' | 'paragraphs';

interface Seam {
  first: Mark;
  second: Mark;
}

/** The places where one line of a paragraph meets the next, last one first so that replacing does not move the others. */
function seamsOf({ marks }: MappedText, pieces: readonly Piece[]): Seam[] {
  const seams: Seam[] = [];
  for (let i = marks.length - 1; i > 0; i -= 1) {
    const [first, second] = [marks[i - 1]!, marks[i]!];
    const [a, b] = [pieces[first.piece]!, pieces[second.piece]!];
    if (a.paragraph === b.paragraph && (a.line !== b.line || a.hidden === 'line'))
      seams.push({ first, second });
  }
  return seams;
}

const isBroken = (first: string, second: string) => /\p{L}-$/u.test(first) && /^\p{Ll}/u.test(second);

/** Where one part of a broken word has a hyphen within, the one at the line's end is another of them. */
const isCompound = (first: string, second: string) =>
  [first, second].some((part) => /\p{L}-\p{L}/u.test(part));

/** Joins or parts the lines of each paragraph and leaves everything else, edits included, as it is. */
export function layOut(mapped: MappedText, pieces: readonly Piece[], layout: Layout): MappedText {
  let result = mapped;
  for (const { first, second } of seamsOf(mapped, pieces)) {
    const gap = mapped.text.slice(first.end, second.start);
    const word = mapped.text.slice(first.start, first.end);
    const next = mapped.text.slice(second.start, second.end);
    const broken = isBroken(word, next);
    if (layout === 'paragraphs') {
      if (!/^[ \t]*\n[ \t]*$/.test(gap)) continue;
      const end = broken && !isCompound(word, next) ? first.end - 1 : first.end;
      result = replaceGap(result, end, second.start, broken ? '' : ' ');
    } else if (gap === ' ' || (gap === '' && broken)) {
      result = replaceGap(result, first.end, second.start, '\n');
    } else if (gap === '' && `${word}-` === pieces[first.piece]?.text) {
      result = healBreak(result, first);
    }
  }
  return result;
}

/** Replaces what stands between two words; no word grows into the gap. */
function replaceGap(mapped: MappedText, start: number, end: number, gap: string): MappedText {
  const shift = gap.length - (end - start);
  return {
    text: mapped.text.slice(0, start) + gap + mapped.text.slice(end),
    marks: mapped.marks.map((mark) => {
      if (mark.start >= end) return { ...mark, start: mark.start + shift, end: mark.end + shift };
      return mark.end > start ? { ...mark, end: start } : mark;
    }),
  };
}

/** Gives a rejoined word its hyphen and its line break back. */
function healBreak(mapped: MappedText, first: Mark): MappedText {
  const parted = replaceGap(mapped, first.end, first.end, '-\n');
  return {
    ...parted,
    marks: parted.marks.map((mark) => (mark.piece === first.piece ? { ...mark, end: mark.end + 1 } : mark)),
  };
}

/** Puts a hidden piece back where it stood. Does nothing when the text holds it already. */
export function bringBack(mapped: MappedText, pieces: readonly Piece[], index: number): MappedText {
  const piece = pieces[index];
  if (!piece || mapped.marks.some((mark) => mark.piece === index)) return mapped;
  const { text, marks } = mapped;
  const next = marks.find((mark) => mark.piece > index);
  const previous = marks.findLast((mark) => mark.piece < index);
  const isWord = piece.hidden === 'word';

  // A word goes beside its neighbour of the same line; a line, and a word without neighbours, gets a line.
  if (isWord && next && pieces[next.piece]?.line === piece.line && pieces[next.piece]?.hidden !== 'line') {
    return insert(mapped, index, next.start, '', piece.text, ' ');
  }
  if (isWord && previous && pieces[previous.piece]?.line === piece.line) {
    return insert(mapped, index, previous.end, ' ', piece.text, '');
  }
  if (next) {
    const lineStart = text.lastIndexOf('\n', next.start - 1) + 1;
    const opensLine = text.slice(lineStart, next.start).trim() === '';
    return insert(mapped, index, opensLine ? lineStart : next.start, '', piece.text, opensLine ? '\n' : ' ');
  }
  const end = previous?.end ?? 0;
  return insert(mapped, index, end, end === 0 ? '' : '\n', piece.text, end === 0 && text !== '' ? '\n' : '');
}

function insert(mapped: MappedText, piece: number, at: number, before: string, text: string, after: string) {
  const opened = replaceGap(mapped, at, at, before + text + after);
  const start = at + before.length;
  const mark = { piece, start, end: start + text.length };
  const position = opened.marks.findIndex((other) => other.start >= mark.end);
  const marks = opened.marks.toSpliced(position < 0 ? opened.marks.length : position, 0, mark);
  return { text: opened.text, marks };
}

/** Takes a brought-back piece out of the text again, with the space that came with it. */
export function hideAgain(mapped: MappedText, pieces: readonly Piece[], index: number): MappedText {
  const mark = mapped.marks.find((other) => other.piece === index);
  if (!mark || pieces[index]?.hidden === null) return mapped;
  const [before, after] = [mapped.text[mark.start - 1], mapped.text[mark.end]];
  const takesAfter = after === ' ' || (after === '\n' && before !== ' ');
  const gapAfter = takesAfter ? 1 : 0;
  const gapBefore = !takesAfter && (before === ' ' || before === '\n') ? 1 : 0;
  const without = { text: mapped.text, marks: mapped.marks.filter((other) => other !== mark) };
  return replaceRange(without, { start: mark.start - gapBefore, end: mark.end + gapAfter, inserted: '' });
}
