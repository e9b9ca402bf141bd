import { itemAt } from '#formats/checked';
import type { MappedText } from '#formats/pieces';
import { type PositionedText, type PositionedTextSource, positionedTextOf } from '#formats/positioned-text';
import { findTables, type Table, type TableCell } from '#formats/tables';

export interface TableSource extends PositionedTextSource {
  edited: MappedText;
  /** Indices of the pieces in rejected tables. */
  notTables?: ReadonlySet<number>;
}

/** A table with the indices of the pieces in it and in each of its cells. */
export interface FoundTable {
  table: Table;
  pieces: readonly number[];
  piecesOf: ReadonlyMap<TableCell, readonly number[]>;
}

/** The tables of the current text, except those that the user has rejected. */
export function foundTables(
  source: TableSource,
  positionedText: PositionedText = positionedTextOf(source),
): FoundTable[] {
  const { marks } = source.edited;
  return findTables(positionedText)
    .map((table) => {
      const piecesOf = new Map(
        table.cells.map(({ words }, index) => [
          itemAt(table.cells, index),
          words.flatMap(({ start, end }) =>
            marks.filter((mark) => mark.start < end && mark.end > start).map(({ piece }) => piece),
          ),
        ]),
      );
      return { table, pieces: [...piecesOf.values()].flat(), piecesOf };
    })
    .filter(
      ({ pieces }) => pieces.filter((piece) => source.notTables?.has(piece)).length <= pieces.length / 2,
    );
}
