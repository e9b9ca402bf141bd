import type { Extraction } from '#contract/extraction';
import { itemAt } from '#formats/checked';
import { toPageLayout } from '#formats/page-layout';
import { fromPageLayout } from '#formats/page-lines';
import { insertPiece, type MappedText, type Piece } from '#formats/pieces';
import type { Layout, TextState } from './text-history.ts';
import { replaceRange } from './text-mapping.ts';

const isHyphenated = (first: string, second: string) => /\p{L}-$/u.test(first) && /^\p{Ll}/u.test(second);

/** Where one part of a broken word has a hyphen within, the one at the line's end is another of them. */
const isCompound = (first: string, second: string) =>
  [first, second].some((part) => /\p{L}-\p{L}/u.test(part));

/**
 * Replaces the text between the `mark`-th mark and the next, from `start` on; `grows`: so many of its characters belong
 * to the first mark.
 */
interface Gap {
  mark: number;
  start: number;
  inserted: string;
  extendsMarkBy: number;
}

/** A text in one of its layouts. */
export type TextInLayout = Pick<TextState, 'mapped' | 'layout' | 'lines'>;

/** The extraction that a text is laid out by. */
interface Page {
  pieces: readonly Piece[];
  image: Extraction['image'];
}

/** The text in reading order, with all edits, for further processing. */
export const inReadingOrder = (
  { mapped, layout, lines }: TextInLayout,
  { pieces, image }: Page,
): MappedText => (layout === 'page' && lines ? fromPageLayout(mapped, lines, pieces, image) : mapped);

/** A text in reading order in another layout. A page layout remembers the lines that it was made of. */
export function toLayout(layout: Layout, mapped: MappedText, { pieces, image }: Page): TextInLayout {
  const laidOut = layOut(mapped, pieces, layout === 'paragraphs' ? layout : 'lines');
  if (layout !== 'page') return { layout, mapped: laidOut, lines: null };
  return { layout, mapped: toPageLayout(laidOut, pieces, image), lines: laidOut };
}

/** Something is done to the text in the order of reading, and is seen in the layout that it has. */
export function applyInReadingOrder(
  now: TextInLayout,
  page: Page,
  step: (mapped: MappedText) => MappedText,
): TextInLayout {
  if (now.layout !== 'page') return { ...now, mapped: step(now.mapped) };
  const lines = step(inReadingOrder(now, page));
  return { ...now, mapped: toPageLayout(lines, page.pieces, page.image), lines };
}

/** Joins or parts the lines of each paragraph and leaves everything else, edits included, as it is. */
export function layOut(
  mapped: MappedText,
  pieces: readonly Piece[],
  layout: Exclude<Layout, 'page'>,
): MappedText {
  const { text, marks } = mapped;
  const gaps: Gap[] = [];
  marks.forEach((first, mark) => {
    const second = marks[mark + 1];
    if (!second || !isLineBreakInParagraph(itemAt(pieces, first.piece), itemAt(pieces, second.piece))) return;
    const gap = text.slice(first.end, second.start);
    const word = text.slice(first.start, first.end);
    const next = text.slice(second.start, second.end);
    const hyphenated = isHyphenated(word, next);
    if (layout === 'paragraphs') {
      if (!/^[ \t]*\n[ \t]*$/.test(gap)) return;
      const start = hyphenated && !isCompound(word, next) ? first.end - 1 : first.end;
      gaps.push({ mark, start, inserted: hyphenated ? '' : ' ', extendsMarkBy: 0 });
    } else if (gap === ' ' || (gap === '' && hyphenated)) {
      gaps.push({ mark, start: first.end, inserted: '\n', extendsMarkBy: 0 });
    } else if (gap === '' && `${word}-` === pieces[first.piece]?.text) {
      // A rejoined word gets its hyphen and its line break back.
      gaps.push({ mark, start: first.end, inserted: '-\n', extendsMarkBy: 1 });
    }
  });
  return gaps.length === 0 ? mapped : replaceGaps(mapped, gaps);
}

/** A place where one line of a paragraph meets the next. Rows of a table stay lines of their own. */
const isLineBreakInParagraph = (first: Piece, second: Piece) =>
  first.paragraph === second.paragraph &&
  first.row === second.row &&
  (first.line !== second.line || second.hidden === 'line');

/** Replaces the text between words, in one pass; words do not grow into a gap unless stated. */
function replaceGaps({ text, marks }: MappedText, gaps: readonly Gap[]): MappedText {
  const parts: string[] = [];
  let from = 0;
  let shift = 0;
  let at = 0;
  const moved = marks.map((mark, index) => {
    const gap = gaps[at]?.mark === index ? gaps[at++] : undefined;
    const start = mark.start + shift;
    if (!gap) return { ...mark, start, end: mark.end + shift };
    const end = Math.min(mark.end, gap.start) + gap.extendsMarkBy + shift;
    const gapEnd = marks[index + 1]?.start ?? text.length;
    parts.push(text.slice(from, gap.start), gap.inserted);
    from = gapEnd;
    shift += gap.inserted.length - (gapEnd - gap.start);
    return { ...mark, start, end };
  });
  return { text: parts.join('') + text.slice(from), marks: moved };
}

/** Restores a hidden piece at its place. Does nothing if the text has it already. */
export function restoreHidden(mapped: MappedText, pieces: readonly Piece[], index: number): MappedText {
  const piece = pieces[index];
  if (!piece || mapped.marks.some((mark) => mark.piece === index)) return mapped;
  const { text, marks } = mapped;
  // The content of a formerly empty cell comes after everything that was read, wherever it is in the text.
  const read = marks.filter((mark) => pieces[mark.piece]?.text !== '');
  const next = read.find((mark) => mark.piece > index);
  const previous = read.findLast((mark) => mark.piece < index);
  const isWord = piece.hidden === 'word';

  // A word goes beside its neighbor of the same line; a line, and a word without neighbors, gets a line.
  if (isWord && next && pieces[next.piece]?.line === piece.line && pieces[next.piece]?.hidden !== 'line') {
    return insertPiece(mapped, index, next.start, '', piece.text, ' ');
  }
  if (isWord && previous && pieces[previous.piece]?.line === piece.line) {
    return insertPiece(mapped, index, previous.end, ' ', piece.text, '');
  }
  if (next) {
    const lineStart = text.lastIndexOf('\n', next.start - 1) + 1;
    const isFirstInLine = text.slice(lineStart, next.start).trim() === '';
    return insertPiece(
      mapped,
      index,
      isFirstInLine ? lineStart : next.start,
      '',
      piece.text,
      isFirstInLine ? '\n' : ' ',
    );
  }
  const end = previous?.end ?? 0;
  return insertPiece(
    mapped,
    index,
    end,
    end === 0 ? '' : '\n',
    piece.text,
    end === 0 && text !== '' ? '\n' : '',
  );
}

/** Hides a restored piece again, with the space that came with it. */
export function hideRestored(mapped: MappedText, pieces: readonly Piece[], index: number): MappedText {
  const mark = mapped.marks.find((other) => other.piece === index);
  if (!mark || pieces[index]?.hidden === null) return mapped;
  const [before, after] = [mapped.text[mark.start - 1], mapped.text[mark.end]];
  const takesAfter = after === ' ' || (after === '\n' && before !== ' ');
  const gapAfter = takesAfter ? 1 : 0;
  const gapBefore = !takesAfter && (before === ' ' || before === '\n') ? 1 : 0;
  const without = { text: mapped.text, marks: mapped.marks.filter((other) => other !== mark) };
  return replaceRange(without, { start: mark.start - gapBefore, end: mark.end + gapAfter, inserted: '' });
}
