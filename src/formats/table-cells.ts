import type { Box, Extraction } from '#contract/extraction';
import { boundsOf } from '#geometry/boxes';
import { itemAt, required } from './checked.ts';
import type { MappedText, Mark, Piece } from './pieces.ts';
import type { Table, TableCell } from './tables.ts';
import type { TranscriptWord } from './transcript.ts';
import { fromUpright, toUpright } from './upright.ts';

/** A run of text in a cell without a space, in the text of the table. */
interface Token {
  start: number;
  end: number;
  text: string;
}

/**
 * The text after a user's edit of a cell; `text` is the one that the table was found in. Unchanged words keep their places in
 * the picture, and the cell keeps one as long as it holds text.
 */
export function rewriteCell(mapped: MappedText, { words }: TableCell, says: string): MappedText {
  const old = tokensOf(mapped.text, words);
  const now = says.split(/\s+/).filter((part) => part !== '');
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && itemAt(old, head).text === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && required(old.at(-1 - tail)).text === now.at(-1 - tail)) tail += 1;
  // Text in front of all words takes the first word's place, or it would belong to the cell before.
  if (head === 0 && tail === old.length && now.length > old.length && tail > 0) tail -= 1;
  const [gone, come] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  let next = mapped;
  for (let at = Math.max(gone.length, come.length) - 1; at >= 0; at -= 1) {
    const [token, text] = [gone[at], come[at]];
    if (token && text !== undefined) next = replaced(next, token, text);
    else if (token) next = replaced(next, widened(next.text, token), '');
    else if (at === gone.length) {
      const place = required(gone.at(-1) ?? old[head - 1]).end;
      next = replaced(next, { start: place, end: place }, ` ${come.slice(at).join(' ')}`);
    }
  }
  return next;
}

function tokensOf(text: string, words: readonly TranscriptWord[]): Token[] {
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

/** With the space beside it. */
function widened(text: string, { start, end }: Range): Range {
  if (text[end] === ' ') return { start, end: end + 1 };
  return { start: start > 0 && /\s/.test(text.charAt(start - 1)) ? start - 1 : start, end };
}

/** Replaces the range by one word, or removes it for an empty word. */
function replaced({ text, marks }: MappedText, { start, end }: Range, inserted: string): MappedText {
  const shift = inserted.length - (end - start);
  let isTaken = start === end || inserted === '';
  const moved = marks.flatMap((mark): Mark[] => {
    if (mark.end <= start) return [mark];
    if (mark.start >= end) return [{ ...mark, start: mark.start + shift, end: mark.end + shift }];
    if (isTaken) return [];
    isTaken = true;
    return [{ ...mark, start, end: start + inserted.length }];
  });
  return { text: text.slice(0, start) + inserted + text.slice(end), marks: moved };
}

/** A text with a new word in an empty cell, and the piece of that word. */
export interface FilledCell {
  mapped: MappedText;
  piece: Piece;
}

/**
 * Writes into an empty cell; its place in the picture is the intersection of its row and its column. In a row without any text it
 * begins a line of its own, after the row above or before the one below.
 */
export function fillCell(
  mapped: MappedText,
  pieces: readonly Piece[],
  picture: Extraction['image'],
  { cells, source }: Table,
  place: { row: number; column: number },
  says: string,
): FilledCell | null {
  const written = says.trim().replaceAll(/\s+/g, ' ');
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
  const markOf = ({ start }: TranscriptWord) =>
    mapped.marks.find((mark) => mark.start <= start && start < mark.end);
  const mark = neighbor?.words.map(markOf).find((one) => one !== undefined);
  const beside = mark && pieces[mark.piece];
  if (!neighbor || !beside || written === '') return null;
  const at = before
    ? Math.max(...before.words.map(({ end }) => end))
    : Math.min(...neighbor.words.map(({ start }) => start));
  const gap = isAlone ? '\n' : ' ';
  const opened = replaced(mapped, { start: at, end: at }, before ? `${gap}${written}` : `${written}${gap}`);
  const start = before ? at + 1 : at;
  const made = { piece: pieces.length, start, end: start + written.length };
  const index = opened.marks.findIndex((other) => other.start >= made.end);
  const marks = opened.marks.toSpliced(index < 0 ? opened.marks.length : index, 0, made);
  // The layout has a place for each cell, also for one in a row or column without text.
  const empty = source?.table.cells.find(
    (cell) => cell.row === source.rows[place.row] && cell.column === place.column,
  );
  const hasColumn = cells.some(({ column, columnSpan }) => column === place.column && columnSpan === 1);
  const box = empty && (isAlone || !hasColumn) ? empty.box : crossing(row, cells, place.column, picture);
  const { line, paragraph } = beside;
  return {
    mapped: { text: opened.text, marks },
    piece: {
      text: '',
      confidence: 100,
      box,
      // Between two lines of the picture.
      line: isAlone ? line + (before ? 0.5 : -0.5) : line,
      paragraph,
      hidden: null,
      readings: [],
    },
  };
}

/** Where a row and a column meet. */
function crossing(
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
