import type { Box, Extraction } from '#contract/extraction';
import { boundsOf } from '#geometry/boxes';
import { itemAt, required } from './checked.ts';
import { insertPiece, type MappedText, type Mark, type Piece } from './pieces.ts';
import type { PositionedTextWord } from './positioned-text.ts';
import type { Table, TableCell } from './tables.ts';
import { fromUpright, toUpright } from './upright.ts';

/** A run of text without spaces in a cell. */
interface Token {
  start: number;
  end: number;
  text: string;
}

/**
 * The text after a user's edit of a cell. `mapped` must be the text in which the table was found. Unchanged words keep their
 * marks, and a cell with text keeps at least one mark.
 */
export function rewriteCell(mapped: MappedText, { words }: TableCell, newText: string): MappedText {
  const old = tokensOf(mapped.text, words);
  const now = newText.split(/\s+/).filter((part) => part !== '');
  const maxShared = Math.min(old.length, now.length);
  let head = 0;
  while (head < maxShared && itemAt(old, head).text === now[head]) head += 1;
  let tail = 0;
  while (tail < maxShared - head && required(old.at(-1 - tail)).text === now.at(-1 - tail)) tail += 1;
  // Text before the first word replaces that word, or it would belong to the previous cell.
  if (head === 0 && tail === old.length && now.length > old.length && tail > 0) tail -= 1;
  const [removed, added] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  let next = mapped;
  for (let at = Math.max(removed.length, added.length) - 1; at >= 0; at -= 1) {
    const [token, text] = [removed[at], added[at]];
    if (token && text !== undefined) next = replaced(next, token, text);
    else if (token) next = replaced(next, withSpace(next.text, token), '');
    else if (at === removed.length) {
      const place = required(removed.at(-1) ?? old[head - 1]).end;
      next = replaced(next, { start: place, end: place }, ` ${added.slice(at).join(' ')}`);
    }
  }
  return next;
}

function tokensOf(text: string, words: readonly PositionedTextWord[]): Token[] {
  const tokens: Token[] = [];
  for (const { start, end } of words.toSorted((one, other) => one.start - other.start)) {
    const last = tokens.at(-1);
    if (last?.end === start) {
      last.end = end;
      last.text = text.slice(last.start, end);
    } else {
      tokens.push({ start, end, text: text.slice(start, end) });
    }
  }
  return tokens;
}

type Range = Pick<Token, 'start' | 'end'>;

/** The range with one adjacent space. */
function withSpace(text: string, { start, end }: Range): Range {
  if (text[end] === ' ') return { start, end: end + 1 };
  return { start: start > 0 && /\s/.test(text.charAt(start - 1)) ? start - 1 : start, end };
}

/** Replaces a range by `inserted`. The first mark in the range moves to the inserted text; the others are removed. */
function replaced({ text, marks }: MappedText, { start, end }: Range, inserted: string): MappedText {
  const shift = inserted.length - (end - start);
  let isReplaced = start === end || inserted === '';
  const moved = marks.flatMap((mark): Mark[] => {
    if (mark.end <= start) return [mark];
    if (mark.start >= end) return [{ ...mark, start: mark.start + shift, end: mark.end + shift }];
    if (isReplaced) return [];
    isReplaced = true;
    return [{ ...mark, start, end: start + inserted.length }];
  });
  return { text: text.slice(0, start) + inserted + text.slice(end), marks: moved };
}

/** A text with new text in an empty cell, and the piece of that text. */
export interface FilledCell {
  mapped: MappedText;
  piece: Piece;
}

/**
 * Writes into an empty cell, whose box is the intersection of its row and its column. In a row without text, the new text is
 * a separate line after the row above or before the row below. Null for empty text, or without a neighbor in the text.
 */
export function fillCell(
  mapped: MappedText,
  pieces: readonly Piece[],
  picture: Extraction['image'],
  { cells, source }: Table,
  place: { row: number; column: number },
  newText: string,
): FilledCell | null {
  const written = newText.trim().replaceAll(/\s+/g, ' ');
  const inRow = (which: number) =>
    cells.filter((cell) => cell.row === which).toSorted((one, other) => one.column - other.column);
  const own = inRow(place.row);
  const above = Math.max(-1, ...cells.map((cell) => cell.row).filter((which) => which < place.row));
  const isAlone = own.length === 0;
  const row = isAlone ? inRow(above < 0 ? Math.min(...cells.map((cell) => cell.row)) : above) : own;
  const before = isAlone
    ? above >= 0
      ? row.at(-1)
      : undefined
    : row.findLast(({ column }) => column < place.column);
  const neighbor = before ?? row[0];
  const markOf = ({ start }: PositionedTextWord) =>
    mapped.marks.find((mark) => mark.start <= start && start < mark.end);
  const mark = neighbor?.words.map(markOf).find((one) => one !== undefined);
  const beside = mark && pieces[mark.piece];
  if (!neighbor || !beside || written === '') return null;
  const at = before
    ? Math.max(...before.words.map(({ end }) => end))
    : Math.min(...neighbor.words.map(({ start }) => start));
  const gap = isAlone ? '\n' : ' ';
  const [gapBefore, gapAfter] = before ? [gap, ''] : ['', gap];
  // The layout also has boxes for cells in rows and columns without text.
  const empty = source?.table.cells.find(
    (cell) => cell.row === source.rows[place.row] && cell.column === place.column,
  );
  const hasColumn = cells.some(({ column, columnSpan }) => column === place.column && columnSpan === 1);
  const box =
    empty && (isAlone || !hasColumn) ? empty.box : intersectionOf(row, cells, place.column, picture);
  const { line, paragraph } = beside;
  return {
    mapped: insertPiece(mapped, pieces.length, at, gapBefore, written, gapAfter),
    piece: {
      text: '',
      confidence: 100,
      box,
      // A line number between two lines of the picture.
      line: isAlone ? line + (before ? 0.5 : -0.5) : line,
      paragraph,
      hidden: null,
      readings: [],
    },
  };
}

/** The box in which a row and a column intersect. */
function intersectionOf(
  row: readonly TableCell[],
  cells: readonly TableCell[],
  at: number,
  picture: Extraction['image'],
): Box {
  const upright = (box: Box) => toUpright(box, picture);
  const column = cells.filter((cell) => cell.column === at && cell.columnSpan === 1);
  const across = boundsOf(column.map(({ box }) => upright(box)));
  const along = required(boundsOf(row.map(({ box }) => upright(box))));
  return fromUpright({ ...along, ...(across && { x: across.x, width: across.width }) }, picture);
}
