import type { Box, Extraction, Ruby } from '#contract/extraction';
import { required } from './checked.ts';

/** A recognized word or hidden text, which may occur in the current text. */
export interface Piece {
  text: string;
  /** 0 to 100: the calibrated chance that it is right. */
  confidence: number;
  /** In pixels of the picture after its EXIF orientation. */
  box: Box;
  /** Its line; for a hidden line, the line that follows it. */
  line: number;
  paragraph: number;
  /** The table row of its line, counted through all tables; absent outside tables. */
  row?: number;
  /** `line` is a whole hidden line, `word` a hidden run of words. */
  hidden: 'line' | 'word' | null;
  /** Its alternatives: other readings of a doubtful word, the likeliest first. */
  readings: readonly string[];
  /** Ruby of its text; absent if it has none. */
  ruby?: readonly Ruby[] | undefined;
}

type Read = Pick<Piece, 'text' | 'confidence' | 'box' | 'ruby'> & {
  readings?: readonly string[] | undefined;
};

/** All recognized text, hidden text included, in reading order. A piece's index is its identity. */
export function piecesOf({
  lines,
  hidden,
  layout,
}: Pick<Extraction, 'lines' | 'hidden' | 'layout'>): readonly Piece[] {
  const rows = rowsOf(layout);
  const piece = (from: Read, line: number, kind: Piece['hidden']): Piece => ({
    text: from.text,
    confidence: from.confidence,
    box: from.box,
    line,
    paragraph: (lines[line] ?? lines.at(-1))?.paragraph ?? 0,
    ...(rows.has(line) && { row: required(rows.get(line)) }),
    hidden: kind,
    readings: from.readings ?? [],
    ...(from.ruby && { ruby: from.ruby }),
  });
  const hiddenAt = (line: number, word: number | null) =>
    hidden
      .filter(({ at }) => at.line === line && at.word === word)
      .map((text) => piece(text, line, word === null ? 'line' : 'word'));

  const ofLine = lines.flatMap((line, l) => [
    ...hiddenAt(l, null),
    ...line.words.flatMap((word, w) => [...hiddenAt(l, w), piece(word, l, null)]),
    ...hiddenAt(l, line.words.length),
  ]);
  return [...ofLine, ...hiddenAt(lines.length, null)];
}

/** The table row of each line; a line in several rows belongs to the first. */
function rowsOf(layout: Extraction['layout']): Map<number, number> {
  const rows = new Map<number, number>();
  let above = 0;
  for (const table of layout?.tables ?? []) {
    for (const { row, words } of table.cells) {
      for (const { line } of words) if (!rows.has(line)) rows.set(line, above + row);
    }
    above += table.rows;
  }
  return rows;
}

/** The range of a piece in the text: `[start, end)` in UTF-16 code units, as in a textarea. It has no formatting. */
export interface Mark {
  piece: number;
  start: number;
  end: number;
}

/** A text and the ranges of the pieces in it. Marks are in text order and never overlap. */
export interface MappedText {
  text: string;
  marks: readonly Mark[];
}

/** Finds each piece that is not hidden in the text, in order. A piece that is missing there gets no mark. */
export function mapText(text: string, pieces: readonly Piece[]): MappedText {
  const marks: Mark[] = [];
  let from = 0;
  pieces.forEach((piece, index) => {
    if (piece.hidden !== null || piece.text === '') return;
    const start = text.indexOf(piece.text, from);
    // A missing piece must not match a distant word with the same text, or all later pieces would be missing too.
    if (start < 0 || text.slice(from, start).trim() !== '') return;
    from = start + piece.text.length;
    marks.push({ piece: index, start, end: from });
  });
  return { text, marks };
}

/** Inserts a piece at an offset, with text before and after it. No other mark grows. */
export function insertPiece(
  { text, marks }: MappedText,
  piece: number,
  at: number,
  before: string,
  inserted: string,
  after: string,
): MappedText {
  const { length } = before + inserted + after;
  const start = at + before.length;
  const moved = marks.map((mark) => {
    if (mark.start >= at) return { ...mark, start: mark.start + length, end: mark.end + length };
    return mark.end > at ? { ...mark, end: at } : mark;
  });
  const next = moved.findIndex((mark) => mark.start >= at);
  const index = next < 0 ? moved.length : next;
  return {
    text: text.slice(0, at) + before + inserted + after + text.slice(at),
    marks: moved.toSpliced(index, 0, { piece, start, end: start + inserted.length }),
  };
}
