import type { Box, Extraction, LayoutTable } from '#contract/extraction';
import { boundsOf } from '#geometry/boxes';
import { itemAt, required } from './checked.ts';
import { fromUpright, toUpright } from './upright.ts';

type Cell = LayoutTable['cells'][number];

/** Structural edits of a table. Rows and columns are inserted after the cell; cells are merged with the next one. */
export const TABLE_EDITS = [
  'insert-row',
  'delete-row',
  'insert-column',
  'delete-column',
  'merge-right',
  'merge-below',
  'split',
  'heading',
] as const;
export type TableEdit = (typeof TABLE_EDITS)[number];

/** The properties of a cell and a table along one axis, so that edits of rows and columns share their code. */
interface Axis {
  at: 'row' | 'column';
  span: 'rowSpan' | 'columnSpan';
  count: 'rows' | 'columns';
}
const ROWS: Axis = { at: 'row', span: 'rowSpan', count: 'rows' };
const COLUMNS: Axis = { at: 'column', span: 'columnSpan', count: 'columns' };
const otherAxis = (axis: Axis) => (axis === ROWS ? COLUMNS : ROWS);

/**
 * A table after an edit at one of its cells. Words stay in their cells; the words of a deleted row or column leave the table.
 * @returns null if the edit is not possible, such as merging the last cell with the next one
 */
export function editedTable(
  table: LayoutTable,
  edit: TableEdit,
  place: { row: number; column: number },
  { lines, image }: Pick<Extraction, 'lines' | 'image'>,
): LayoutTable | null {
  const cell = table.cells.find(
    ({ row, column, rowSpan, columnSpan }) =>
      place.row >= row &&
      place.row < row + rowSpan &&
      place.column >= column &&
      place.column < column + columnSpan,
  );
  if (!cell) return null;
  switch (edit) {
    case 'insert-row':
      return inserted(table, ROWS, cell.row + cell.rowSpan, image);
    case 'insert-column':
      return inserted(table, COLUMNS, cell.column + cell.columnSpan, image);
    case 'delete-row':
      return deleted(table, ROWS, place.row);
    case 'delete-column':
      return deleted(table, COLUMNS, place.column);
    case 'merge-right':
      return merged(table, COLUMNS, cell);
    case 'merge-below':
      return merged(table, ROWS, cell);
    case 'split':
      return split(table, cell, lines, image);
    case 'heading':
      return { ...table, headerRows: table.headerRows === place.row + 1 ? place.row : place.row + 1 };
  }
}

function inserted(table: LayoutTable, axis: Axis, index: number, image: Extraction['image']): LayoutTable {
  const { at, span, count } = axis;
  const other = otherAxis(axis);
  const spansIndex = (cell: Cell) => cell[at] < index && cell[at] + cell[span] > index;
  const moved = table.cells.map((cell) => {
    if (cell[at] >= index) return { ...cell, [at]: cell[at] + 1 };
    return spansIndex(cell) ? { ...cell, [span]: cell[span] + 1 } : cell;
  });
  const gap = gapBefore(table, axis, index, image);
  const added = Array.from({ length: table[other.count] }, (_, place) => place)
    .filter(
      (place) =>
        !table.cells.some(
          (cell) => spansIndex(cell) && place >= cell[other.at] && place < cell[other.at] + cell[other.span],
        ),
    )
    .map((place): Cell => {
      const band = bandOf(table, other, place, image);
      const box =
        axis === ROWS
          ? { ...band, y: gap.start, height: gap.length }
          : { ...band, x: gap.start, width: gap.length };
      return {
        row: axis === ROWS ? index : place,
        column: axis === ROWS ? place : index,
        rowSpan: 1,
        columnSpan: 1,
        box: fromUpright(box, image),
        confidence: 100,
        words: [],
      };
    });
  const cells = inOrder([...moved, ...added]);
  return {
    ...table,
    [count]: table[count] + 1,
    ...(axis === ROWS && index < table.headerRows && { headerRows: table.headerRows + 1 }),
    cells,
    box: required(boundsOf([table.box, ...added.map(({ box }) => box)])),
  };
}

function deleted(table: LayoutTable, axis: Axis, index: number): LayoutTable | null {
  const { at, span, count } = axis;
  if (table[count] === 1) return null;
  const cells = table.cells.flatMap((cell) => {
    if (cell[at] > index) return [{ ...cell, [at]: cell[at] - 1 }];
    if (cell[at] + cell[span] <= index) return [cell];
    return cell[span] === 1 ? [] : [{ ...cell, [span]: cell[span] - 1 }];
  });
  const isHeading = axis === ROWS && index < table.headerRows;
  return {
    ...table,
    [count]: table[count] - 1,
    ...(isHeading && { headerRows: table.headerRows - 1 }),
    cells,
  };
}

function merged(table: LayoutTable, axis: Axis, cell: Cell): LayoutTable | null {
  const { at, span } = axis;
  const other = otherAxis(axis);
  const next = table.cells.find(
    (one) =>
      one[at] === cell[at] + cell[span] &&
      one[other.at] === cell[other.at] &&
      one[other.span] === cell[other.span],
  );
  if (!next) return null;
  const joined: Cell = {
    ...cell,
    [span]: cell[span] + next[span],
    box: required(boundsOf([cell.box, next.box])),
    confidence: Math.min(cell.confidence, next.confidence),
    words: [...cell.words, ...next.words],
  };
  return {
    ...table,
    cells: table.cells.filter((one) => one !== next).map((one) => (one === cell ? joined : one)),
  };
}

function split(
  table: LayoutTable,
  cell: Cell,
  lines: Extraction['lines'],
  image: Extraction['image'],
): LayoutTable | null {
  const { row, column, rowSpan, columnSpan } = cell;
  if (rowSpan * columnSpan === 1) return null;
  const rest = { ...table, cells: table.cells.filter((one) => one !== cell) };
  const parts = Array.from({ length: rowSpan * columnSpan }, (_, part): Cell => {
    const at = { row: row + Math.floor(part / columnSpan), column: column + (part % columnSpan) };
    const [along, down] = [bandOf(rest, COLUMNS, at.column, image), bandOf(rest, ROWS, at.row, image)];
    const box = { x: along.x, width: along.width, y: down.y, height: down.height };
    return { ...cell, ...at, rowSpan: 1, columnSpan: 1, box: fromUpright(box, image), words: [] };
  });
  const middleOf = (box: Box) => {
    const { x, y, width, height } = toUpright(box, image);
    return { x: x + width / 2, y: y + height / 2 };
  };
  const middles = parts.map(({ box }) => middleOf(box));
  for (const { line, from, to } of cell.words) {
    for (let word = from; word < to; word += 1) {
      const read = lines[line]?.words[word];
      if (!read) continue;
      const { x, y } = middleOf(read.box);
      const distances = middles.map((middle) => Math.hypot(middle.x - x, middle.y - y));
      const { words } = itemAt(parts, distances.indexOf(Math.min(...distances)));
      const last = words.at(-1);
      if (last?.line === line && last.to === word) last.to = word + 1;
      else words.push({ line, from: word, to: word + 1 });
    }
  }
  return { ...table, cells: inOrder([...rest.cells, ...parts]) };
}

const inOrder = (cells: readonly Cell[]): Cell[] =>
  cells.toSorted((one, other) => one.row - other.row || one.column - other.column);

/** The box of a row or column: around its cells without spans, or without such cells an equal share of the table. */
function bandOf(
  table: LayoutTable,
  { at, span, count }: Axis,
  index: number,
  image: Extraction['image'],
): Box {
  const own = table.cells.filter((cell) => cell[at] === index && cell[span] === 1);
  const bounds = boundsOf(own.map(({ box }) => toUpright(box, image)));
  if (bounds) return bounds;
  const whole = toUpright(table.box, image);
  const share = 1 / table[count];
  return at === 'row'
    ? { ...whole, y: whole.y + index * share * whole.height, height: share * whole.height }
    : { ...whole, x: whole.x + index * share * whole.width, width: share * whole.width };
}

/** Position and size of an inserted row or column: its center differs from the centers of its neighbors. */
function gapBefore(table: LayoutTable, axis: Axis, index: number, image: Extraction['image']) {
  const band = bandOf(table, axis, Math.min(index, table[axis.count] - 1), image);
  const [start, length] = axis === ROWS ? [band.y, band.height] : [band.x, band.width];
  if (index === table[axis.count]) return { start: start + length, length: length / 2 };
  return { start: start - length / 4, length: length / 2 };
}
