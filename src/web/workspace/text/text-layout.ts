import type { Extraction } from '#contract/extraction';
import { itemAt } from '#formats/checked';
import { toPageLayout } from '#formats/page-layout';
import { fromPageLayout } from '#formats/page-lines';
import { insertPiece, type MappedText, type Piece } from '#formats/pieces';
import type { Layout, TextState } from './text-history.ts';
import { replaceRange } from './text-mapping.ts';

const isHyphenated = (first: string, second: string) => /\p{L}-$/u.test(first) && /^\p{Ll}/u.test(second);

/** A hyphenated word with another hyphen is a compound: its hyphen at the line end is kept. */
const isCompound = (first: string, second: string) =>
  [first, second].some((part) => /\p{L}-\p{L}/u.test(part));

/**
 * A replacement of the text between the mark with index `mark` and the next one, from `start`. `extendsMarkBy`: the number of
 * inserted characters that belong to the first mark.
 */
interface Gap {
  mark: number;
  start: number;
  inserted: string;
  extendsMarkBy: number;
}

/** A text in a layout. */
export type TextInLayout = Pick<TextState, 'mapped' | 'layout' | 'lines'>;

/** The parts of an extraction that determine the layout. */
interface Page {
  pieces: readonly Piece[];
  image: Extraction['image'];
}

/** The text in reading order, with all edits. */
export const inReadingOrder = (
  { mapped, layout, lines }: TextInLayout,
  { pieces, image }: Page,
): MappedText => (layout === 'page' && lines ? fromPageLayout(mapped, lines, pieces, image) : mapped);

/** Converts a text in reading order to a layout. The layout `page` also stores the lines that it was made of. */
export function toLayout(layout: Layout, mapped: MappedText, { pieces, image }: Page): TextInLayout {
  const laidOut = layOut(mapped, pieces, layout === 'paragraphs' ? layout : 'lines');
  if (layout !== 'page') return { layout, mapped: laidOut, lines: null };
  return { layout, mapped: toPageLayout(laidOut, pieces, image), lines: laidOut };
}

/** Applies `step` to the text in reading order, and restores its layout. */
export function applyInReadingOrder(
  now: TextInLayout,
  page: Page,
  step: (mapped: MappedText) => MappedText,
): TextInLayout {
  if (now.layout !== 'page') return { ...now, mapped: step(now.mapped) };
  const lines = step(inReadingOrder(now, page));
  return { ...now, mapped: toPageLayout(lines, page.pieces, page.image), lines };
}

/** Joins or splits the lines of each paragraph. Everything else, including edits, is unchanged. */
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
      // A rejoined word is hyphenated again.
      gaps.push({ mark, start: first.end, inserted: '-\n', extendsMarkBy: 1 });
    }
  });
  return gaps.length === 0 ? mapped : replaceGaps(mapped, gaps);
}

/** Whether two consecutive pieces are on different lines of a paragraph. Rows of a table are never joined. */
const isLineBreakInParagraph = (first: Piece, second: Piece) =>
  first.paragraph === second.paragraph &&
  first.row === second.row &&
  (first.line !== second.line || second.hidden === 'line');

/** Replaces the text between words in one pass. Marks grow only by `extendsMarkBy`. */
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

/** Inserts a hidden piece at its position in the text. Does nothing if the text has it already. */
export function restoreHidden(mapped: MappedText, pieces: readonly Piece[], index: number): MappedText {
  const piece = pieces[index];
  if (!piece || mapped.marks.some((mark) => mark.piece === index)) return mapped;
  const { text, marks } = mapped;
  // Pieces of formerly empty cells are ignored, because their indices are not in reading order.
  const read = marks.filter((mark) => pieces[mark.piece]?.text !== '');
  const next = read.find((mark) => mark.piece > index);
  const previous = read.findLast((mark) => mark.piece < index);
  const isWord = piece.hidden === 'word';

  // A word is inserted beside its neighbor on the same line. A line, or a word without neighbors, becomes a separate
  // line.
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

/** Hides a restored piece again, with the space that was inserted with it. */
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
