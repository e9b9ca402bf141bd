import { type KeyboardEvent, memo, useEffect, useId, useRef, useState } from 'react';
import { itemAt } from '#formats/checked';
import { type Place, placesOf, tableHtml, tableTsv } from '#formats/html';
import { editedTable, type TableEdit } from '#formats/table-edits';
import type { Table } from '#formats/tables';
import { runsLeftwards } from '#formats/transcript';
import { Button } from '../../ui/basics/button.tsx';
import { useEventCallback } from '../../ui/basics/events.ts';
import { Icon } from '../../ui/basics/icon.tsx';
import { counted } from '../../ui/basics/words.ts';
import { copyText } from '../export/copy-and-save.ts';
import { isUndoKey, useCommitOnLeave } from '../typing.ts';
import type { FoundTable } from './found-tables.ts';
import { isNumeric, type Total, totalsOf } from './totals.ts';

export interface TablePanelProps {
  tables: readonly FoundTable[];
  /** The current tables. */
  tablesNow: () => readonly FoundTable[];
  onCell: (index: number, row: number, column: number, says: string) => void;
  /** Changes the form of a table at one of its cells. */
  onEdit: (index: number, edit: TableEdit, cell: { row: number; column: number }) => void;
  /** A cell, or a table as a whole, is looked at; null for none. */
  onLook: (index: number | null, cell: { row: number; column: number } | null) => void;
  onNoTable: (index: number) => void;
  /** The heading level, one below the one above. */
  heading?: 'h2' | 'h3';
}

/** The tables of the page, with editable cells, to be copied as cells. */
export const TablePanel = memo(function TablePanel(props: TablePanelProps) {
  return props.tables.map((_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a table is the one it is by its place on the page
    <TableSheet key={index} {...props} index={index} />
  ));
});

function TableSheet({
  tables,
  tablesNow,
  index,
  onCell,
  onEdit,
  onLook,
  onNoTable,
  heading: Heading = 'h3',
}: TablePanelProps & { index: number }) {
  const headingId = useId();
  const sheet = useRef<HTMLElement>(null);
  const goTo = (selector: string) => sheet.current?.querySelector<HTMLElement>(selector)?.focus();
  const [current, setCurrent] = useState<Pick<Place, 'row' | 'column'> | null>(null);
  const [dropped, setDropped] = useState<string | null>(null);
  useCommitOnLeave(() => sheet.current?.querySelector<HTMLElement>('[data-cell]:focus')?.blur());
  const { table } = itemAt(tables, index);
  const { rows, cells, headerRows } = table;
  const name = tables.length > 1 ? `Table ${index + 1}` : 'Table';
  const heads = rows[0] ?? [];
  // A cell over several columns has the room of all of them.
  const widths = heads.map((_, at) =>
    Math.max(
      ...cells.flatMap(({ column, columnSpan, text }) =>
        column === at && columnSpan === 1 ? text.length : [],
      ),
    ),
  );
  const numeric = heads.map((_, column) => isNumeric(rows, column, headerRows));
  const totals = totalsOf(rows, headerRows);
  const nameOf = ({ row, column }: Place) => {
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
      onPointerEnter={() => onLook(index, null)}
      onPointerLeave={() => onLook(null, null)}
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
          <Button variant="ghost" size="small" onClick={() => onNoTable(index)}>
            This is no table
          </Button>
        </div>
      </div>
      <section aria-label={`${name}, cells`} className="table-cells max-h-96 overflow-auto px-4 pb-3 md:px-5">
        <table dir={runsLeftwards(rows.flat().join(' ')) ? 'rtl' : undefined}>
          <tbody>
            {placesOf(table).map((places, y) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their places
              <tr key={y}>
                {places.map((place) => (
                  <Cell
                    key={place.column}
                    place={place}
                    isHead={y < headerRows}
                    name={nameOf(place)}
                    letters={Math.min(MAX_LETTERS, widths[place.column] ?? 0)}
                    isNumber={numeric[place.column] ?? false}
                    total={totals.find(({ row, column }) => row === place.row && column === place.column)}
                    onFocus={() => {
                      setCurrent(place);
                      onLook(index, place);
                    }}
                    onLeave={() => onLook(null, null)}
                    onTools={() => goTo('[role=toolbar] button:not(:disabled)')}
                    onSay={(says) => onCell(index, place.row, place.column, says)}
                    onDrop={setDropped}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p role="status" className="sr-only">
        {dropped !== null && `The cell as it was. Ctrl+Z brings back “${dropped}”.`}
      </p>
      {/* Below the cells: nothing moves under the pointer that has come to one. */}
      {current && (
        <div
          role="toolbar"
          onKeyDown={({ key }) => key === 'Escape' && goTo(`[data-cell="${current.row} ${current.column}"]`)}
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

/** A column with more is no wider: the rest is read in the field. */
const MAX_LETTERS = 36;

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

/** Whether a cell has a next one to be joined with, is one of several, and so on. */
function isPossible(
  { source }: Table,
  edit: TableEdit,
  { row, column }: Pick<Place, 'row' | 'column'>,
): boolean {
  const at = source?.rows[row];
  return (
    source !== undefined &&
    at !== undefined &&
    editedTable(source.table, edit, { row: at, column }, ANY_PICTURE) !== null
  );
}

interface CellProps {
  place: Place;
  isHead: boolean;
  name: string;
  /** As many as its column is wide. */
  letters: number;
  /** Of a column of numbers. */
  isNumber: boolean;
  /** It states a sum. */
  total: Total | undefined;
  onFocus: () => void;
  onLeave: () => void;
  /** The keys go to what can be done to the cell. */
  onTools: () => void;
  onSay: (says: string) => void;
  /** What was typed gave way to the cell's text; null once it is back or another is typed. */
  onDrop: (typed: string | null) => void;
}

function Cell({
  place,
  isHead,
  name,
  letters,
  isNumber,
  total,
  onFocus,
  onLeave,
  onTools,
  onSay,
  onDrop,
}: CellProps) {
  const note = useId();
  const { row, column, text, rowSpan, columnSpan } = place;
  const field = useRef<HTMLInputElement>(null);
  const said = useRef(text);
  const dropped = useRef<string | null>(null);
  // It was corrected or undone; the focus stays.
  useEffect(() => {
    said.current = text;
    if (field.current) field.current.value = text;
  }, [text]);
  const say = useEventCallback((says: string) => {
    const word = says.trim().replaceAll(/\s+/g, ' ');
    if (word === said.current) return;
    said.current = word;
    onSay(says);
  });
  // A field that goes away while one types in it is not left.
  useEffect(() => {
    const input = field.current;
    return () => {
      if (input) say(input.value);
    };
  }, [say]);
  const drop = (typed: string | null) => {
    if (dropped.current !== typed) onDrop(typed);
    dropped.current = typed;
  };
  /** Escape brings the cell's text back, and undo what was typed instead. */
  const takeBack = (event: KeyboardEvent<HTMLInputElement>): boolean => {
    const { currentTarget: input, key } = event;
    if (event.nativeEvent.isComposing) return false;
    if (key === 'Escape' && input.value !== text) {
      drop(input.value);
      input.value = text;
    } else if (isUndoKey(event) && dropped.current !== null) {
      event.preventDefault();
      input.value = dropped.current;
      drop(null);
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
        size={Math.max(3, letters)}
        aria-label={name}
        aria-describedby={total && note}
        aria-keyshortcuts="Alt+ArrowDown"
        data-cell={`${row} ${column}`}
        data-number={isNumber || undefined}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        onFocus={onFocus}
        onInput={() => drop(null)}
        onBlur={({ target }) => {
          onLeave();
          drop(null);
          say(target.value);
        }}
        onKeyDown={(event) => {
          if (takeBack(event)) return;
          if (event.altKey && event.key === 'ArrowDown') onTools();
          else if (event.key === 'Enter' && !stepFrom(event)) say(event.currentTarget.value);
          else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') stepFrom(event);
        }}
      />
      {total && (
        <p id={note} className="doubt-legend px-2.5 pb-1 text-right text-xs text-ink-soft">
          {total.instead === null ? (
            'Adds up'
          ) : (
            <span data-state="doubtful">The rows add up to {total.instead}</span>
          )}
        </p>
      )}
    </Part>
  );
}

/** Enter and the arrow keys go to the cell below or above, as in a spreadsheet; false where there is none. */
function stepFrom(event: KeyboardEvent<HTMLInputElement>): boolean {
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
