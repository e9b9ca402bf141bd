import { type KeyboardEvent, memo, useEffect, useId, useRef, useState } from 'react';
import { itemAt } from '#formats/checked';
import { type GridCell, gridOf, tableHtml, tableTsv } from '#formats/html';
import { isRightToLeft } from '#formats/positioned-text';
import { editedTable, type TableEdit } from '#formats/table-edits';
import type { Table } from '#formats/tables';
import { Button } from '../../ui/basics/button.tsx';
import { useEventCallback } from '../../ui/basics/events.ts';
import { Icon } from '../../ui/basics/icon.tsx';
import { counted } from '../../ui/basics/words.ts';
import { copyText } from '../export/copy-and-save.ts';
import { isUndoKey, useCommitOnLeave } from '../pending-input.ts';
import type { FoundTable } from './found-tables.ts';
import { isNumeric, type Total, totalsOf } from './totals.ts';

export interface TablePanelProps {
  tables: readonly FoundTable[];
  /** Returns the tables of the current text. */
  tablesNow: () => readonly FoundTable[];
  onCell: (index: number, row: number, column: number, says: string) => void;
  /** Inserts, deletes, merges or splits rows, columns or cells at a cell. */
  onEdit: (index: number, edit: TableEdit, cell: { row: number; column: number }) => void;
  /** Highlights a cell or a whole table in the picture; null for none. */
  onHighlight: (index: number | null, cell: { row: number; column: number } | null) => void;
  onReject: (index: number) => void;
  /** The heading level, one below the surrounding heading. */
  heading?: 'h2' | 'h3';
}

/** The tables of the text, with editable cells. They can be copied as cells. */
export const TablePanel = memo(function TablePanel(props: TablePanelProps) {
  return props.tables.map((_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tables are identified by their position on the page
    <TableSheet key={index} {...props} index={index} />
  ));
});

function TableSheet({
  tables,
  tablesNow,
  index,
  onCell,
  onEdit,
  onHighlight,
  onReject,
  heading: Heading = 'h3',
}: TablePanelProps & { index: number }) {
  const headingId = useId();
  const sheet = useRef<HTMLElement>(null);
  const focusElement = (selector: string) => sheet.current?.querySelector<HTMLElement>(selector)?.focus();
  const [current, setCurrent] = useState<Pick<GridCell, 'row' | 'column'> | null>(null);
  const [discarded, setDiscarded] = useState<string | null>(null);
  useCommitOnLeave(() => sheet.current?.querySelector<HTMLElement>('[data-cell]:focus')?.blur());
  const { table } = itemAt(tables, index);
  const { rows, cells, headerRows } = table;
  const name = tables.length > 1 ? `Table ${index + 1}` : 'Table';
  const heads = rows[0] ?? [];
  // Cells that span several columns are ignored.
  const widths = heads.map((_, at) =>
    Math.max(
      ...cells.flatMap(({ column, columnSpan, text }) =>
        column === at && columnSpan === 1 ? text.length : [],
      ),
    ),
  );
  const numeric = heads.map((_, column) => isNumeric(rows, column, headerRows));
  const totals = totalsOf(rows, headerRows);
  const nameOf = ({ row, column }: GridCell) => {
    const head = headerRows > 0 && row >= headerRows ? heads[column] : '';
    return `${head || `Column ${column + 1}`}, row ${row + 1}`;
  };
  const copy = () => {
    const now = tablesNow()[index]?.table ?? table;
    void copyText(tableTsv(now), tableHtml(now), 'Table copied to clipboard');
  };
  return (
    <section
      ref={sheet}
      aria-labelledby={headingId}
      className="border-t border-rule bg-paper"
      onPointerEnter={() => onHighlight(index, null)}
      onPointerLeave={() => onHighlight(null, null)}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-1.5 md:px-5">
        <Heading id={headingId} className="font-sans text-sm font-medium tracking-normal">
          {name}
          <span className="sr-only">, </span>{' '}
          <span className="ml-1 font-normal text-ink-soft">
            {counted(rows.length, 'row')}, {counted(heads.length, 'column')}
          </span>
        </Heading>
        <div className="-mr-2 flex flex-wrap">
          <Button variant="ghost" size="small" onClick={copy}>
            <Icon name="copy" />
            Copy table
          </Button>
          <Button variant="ghost" size="small" onClick={() => onReject(index)}>
            This is no table
          </Button>
        </div>
      </div>
      <section aria-label={`${name}, cells`} className="table-cells max-h-96 overflow-auto px-4 pb-3 md:px-5">
        <table dir={isRightToLeft(rows.flat().join(' ')) ? 'rtl' : undefined}>
          <tbody>
            {gridOf(table).map((places, y) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by their position
              <tr key={y}>
                {places.map((place) => (
                  <Cell
                    key={place.column}
                    place={place}
                    isHead={y < headerRows}
                    name={nameOf(place)}
                    width={Math.min(MAX_WIDTH, widths[place.column] ?? 0)}
                    isNumber={numeric[place.column] ?? false}
                    total={totals.find(({ row, column }) => row === place.row && column === place.column)}
                    onFocus={() => {
                      setCurrent(place);
                      onHighlight(index, place);
                    }}
                    onLeave={() => onHighlight(null, null)}
                    onOpenTools={() => focusElement('[role=toolbar] button:not(:disabled)')}
                    onCommit={(says) => onCell(index, place.row, place.column, says)}
                    onDiscard={setDiscarded}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p role="status" className="sr-only">
        {discarded !== null && `The cell as it was. Ctrl+Z brings back “${discarded}”.`}
      </p>
      {/* Below the cells, so that it does not move the cell under the pointer. */}
      {current && (
        <div
          role="toolbar"
          onKeyDown={({ key }) =>
            key === 'Escape' && focusElement(`[data-cell="${current.row} ${current.column}"]`)
          }
          aria-label={`Cell: ${nameOf({ ...current, text: '', rowSpan: 1, columnSpan: 1 })}`}
          className="flex flex-wrap gap-x-1 px-2 pb-1.5 md:px-3"
        >
          {EDITS.map(({ edit, label }) => (
            <Button
              key={edit}
              variant="ghost"
              size="small"
              disabled={!isPossible(table, edit, current)}
              onClick={() => onEdit(index, edit, current)}
            >
              {edit === 'heading' && headerRows === current.row + 1 ? 'No heading' : label}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}

/** Maximal width of a column in characters. Longer text scrolls in its field. */
const MAX_WIDTH = 36;

const EDITS: ReadonlyArray<{ edit: TableEdit; label: string }> = [
  { edit: 'insert-row', label: 'Insert row' },
  { edit: 'delete-row', label: 'Delete row' },
  { edit: 'insert-column', label: 'Insert column' },
  { edit: 'delete-column', label: 'Delete column' },
  { edit: 'merge-right', label: 'Merge right' },
  { edit: 'merge-below', label: 'Merge below' },
  { edit: 'split', label: 'Split cell' },
  { edit: 'heading', label: 'Mark as heading' },
];

const ANY_PICTURE = { lines: [], image: { width: 0, height: 0, rotation: 0 } };

/** Whether the edit is possible at the cell, for example whether it has a cell to merge with. */
function isPossible(
  { source }: Table,
  edit: TableEdit,
  { row, column }: Pick<GridCell, 'row' | 'column'>,
): boolean {
  const at = source?.rows[row];
  return (
    source !== undefined &&
    at !== undefined &&
    editedTable(source.table, edit, { row: at, column }, ANY_PICTURE) !== null
  );
}

interface CellProps {
  place: GridCell;
  isHead: boolean;
  name: string;
  /** The width of its column in characters. */
  width: number;
  /** Whether its column has numbers. */
  isNumber: boolean;
  /** The check of a stated sum; undefined if the cell states none. */
  total: Total | undefined;
  onFocus: () => void;
  onLeave: () => void;
  /** Moves the focus to the toolbar of the cell. */
  onOpenTools: () => void;
  onCommit: (says: string) => void;
  /** Called with the typed text that Escape discarded; null once it is restored or other text is typed. */
  onDiscard: (typed: string | null) => void;
}

function Cell({
  place,
  isHead,
  name,
  width,
  isNumber,
  total,
  onFocus,
  onLeave,
  onOpenTools,
  onCommit,
  onDiscard,
}: CellProps) {
  const note = useId();
  const { row, column, text, rowSpan, columnSpan } = place;
  const field = useRef<HTMLInputElement>(null);
  const committed = useRef(text);
  const dropped = useRef<string | null>(null);
  // The field is uncontrolled, so a correction or an undo updates its value here.
  useEffect(() => {
    committed.current = text;
    if (field.current) field.current.value = text;
  }, [text]);
  const commit = useEventCallback((says: string) => {
    const word = says.trim().replaceAll(/\s+/g, ' ');
    if (word === committed.current) return;
    committed.current = word;
    onCommit(says);
  });
  // An unmounted field has no blur event.
  useEffect(() => {
    const input = field.current;
    return () => {
      if (input) commit(input.value);
    };
  }, [commit]);
  const discard = (typed: string | null) => {
    if (dropped.current !== typed) onDiscard(typed);
    dropped.current = typed;
  };
  /** Escape restores the cell's text, and undo restores the typed text. @returns whether the key was handled */
  const restoreByKey = (event: KeyboardEvent<HTMLInputElement>): boolean => {
    const { currentTarget: input, key } = event;
    if (event.nativeEvent.isComposing) return false;
    if (key === 'Escape' && input.value !== text) {
      discard(input.value);
      input.value = text;
    } else if (isUndoKey(event) && dropped.current !== null) {
      event.preventDefault();
      input.value = dropped.current;
      discard(null);
    } else return false;
    return true;
  };
  const Part = isHead ? 'th' : 'td';
  return (
    <Part rowSpan={rowSpan} colSpan={columnSpan}>
      <input
        ref={field}
        defaultValue={text}
        dir="auto"
        size={Math.max(3, width)}
        aria-label={name}
        aria-describedby={total && note}
        aria-keyshortcuts="Alt+ArrowDown"
        data-cell={`${row} ${column}`}
        data-number={isNumber || undefined}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        onFocus={onFocus}
        onInput={() => discard(null)}
        onBlur={({ target }) => {
          onLeave();
          discard(null);
          commit(target.value);
        }}
        onKeyDown={(event) => {
          if (restoreByKey(event)) return;
          if (event.altKey && event.key === 'ArrowDown') onOpenTools();
          else if (event.key === 'Enter' && !focusCellBelowOrAbove(event)) commit(event.currentTarget.value);
          else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') focusCellBelowOrAbove(event);
        }}
      />
      {total && (
        <p id={note} className="doubt-legend px-2.5 pb-1 text-right text-xs text-ink-soft">
          {total.expectedSum === null ? (
            'Adds up'
          ) : (
            <span data-state="doubtful">The rows add up to {total.expectedSum}</span>
          )}
        </p>
      )}
    </Part>
  );
}

/** Moves the focus to the cell above for ArrowUp, or below otherwise. @returns whether there is such a cell */
function focusCellBelowOrAbove(event: KeyboardEvent<HTMLInputElement>): boolean {
  if (event.nativeEvent.isComposing) return false;
  const cell = event.currentTarget.closest('td, th');
  const row = cell?.closest('tr');
  if (!(cell instanceof HTMLTableCellElement) || !row) return false;
  const other = event.key === 'ArrowUp' ? row.previousElementSibling : row.nextElementSibling;
  const next =
    other instanceof HTMLTableRowElement ? other.cells[cell.cellIndex]?.querySelector('input') : null;
  event.preventDefault();
  next?.focus();
  next?.select();
  return Boolean(next);
}
