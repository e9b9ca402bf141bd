import { useEffect, useEffectEvent, useMemo, useReducer, useRef } from 'react';
import type { Extraction } from '#contract/extraction';
import { DOUBTFUL_BELOW, REVIEW_BELOW } from '#contract/product';
import { itemAt } from '#formats/checked';
import { type MappedText, mapText, type Piece, piecesOf } from '#formats/pieces';
import { fillCell, rewriteCell } from '#formats/table-cells';
import { editedTable, type TableEdit } from '#formats/table-edits';
import type { Table, TableCell } from '#formats/tables';
import { withTables } from '../reading.ts';
import { useDerivedState, useStableList } from '../use-derived.ts';
import { initialState, storeLayout } from './first-layout.ts';
import {
  type Layout,
  recordChange,
  recordTyping,
  redo,
  startHistory,
  type TextHistory,
  type TextState,
  type TextWork,
  type TypedEdit,
  undo,
} from './text-history.ts';
import { applyInReadingOrder, hideRestored, inReadingOrder, restoreHidden, toLayout } from './text-layout.ts';
import { editText, isUntouched, replacePiece, replaceRange } from './text-mapping.ts';

const NO_PIECES: readonly Piece[] = [];
const NO_TABLES: ReadonlySet<number> = new Set();

type Step = (history: TextHistory) => TextHistory;

interface TextDocumentOptions {
  extraction: Extraction;
  /** Earlier edits of the text; null for a new text. */
  earlierWork: TextWork | null;
  onWork: (work: TextWork) => void;
}

/**
 * The editable text of one extraction, with the marks of its words, doubtful words, hidden pieces and undo. A new extraction
 * needs a new instance (give the owner a `key`).
 */
export function useTextDocument({ extraction, earlierWork, onWork }: TextDocumentOptions) {
  const read = useMemo(() => piecesOf(extraction), [extraction]);
  const original = useMemo(() => mapText(extraction.extractedText, read), [extraction, read]);
  const [history, dispatch] = useReducer(
    (now: TextHistory, step: Step) => step(now),
    extraction,
    (fresh) => earlierWork?.history ?? startHistory(initialState(fresh)),
  );
  const { mapped, layout, checked, filled = NO_PIECES, notTables = NO_TABLES } = history.present;
  const own = useMemo(() => (filled.length > 0 ? [...read, ...filled] : read), [read, filled]);
  // A component with a deferred render of an older text still needs its pieces.
  const pieces = useDerivedState<readonly Piece[], readonly Piece[]>(own, (now, before) =>
    before && now.length < before.length ? [...now, ...before.slice(now.length)] : now,
  );
  const page = useMemo(() => ({ pieces, image: extraction.image }), [pieces, extraction]);
  const work = useMemo(() => ({ history }), [history]);
  useChangeListener(work, onWork);

  const placed = useStableList(useMemo(() => mapped.marks.map((mark) => mark.piece), [mapped]));
  const hidden = useMemo(() => hiddenOf(pieces), [pieces]);
  const stillHidden = useMemo(() => {
    const isPlaced = new Set(placed);
    return hidden.filter((piece) => !isPlaced.has(piece));
  }, [hidden, placed]);
  const uncertainNow = useMemo(
    () =>
      mapped.marks
        .filter((mark) => {
          const piece = pieces[mark.piece];
          if (!piece || checked.has(mark.piece)) return false;
          return isUncertain(piece) && isUntouched(mapped, mark, piece);
        })
        .map((mark) => mark.piece),
    [mapped, pieces, checked],
  );
  const uncertain = useStableList(uncertainNow);
  const doubtful = useMemo(
    () => uncertain.filter((piece) => isDoubtful(itemAt(pieces, piece))),
    [uncertain, pieces],
  );
  const unedited = useMemo(() => toLayout(layout, original, page), [original, page, layout]);
  const isEdited =
    history.present.tables !== undefined ||
    mapped.text !== unedited.mapped.text ||
    history.present.lines?.text !== unedited.lines?.text;

  // Memoized by the extraction, so that components that only use the steps do not re-render on every keystroke.
  const steps = useMemo(
    () => documentSteps({ dispatch, read, page, original, extraction }),
    [read, page, original, extraction],
  );

  return {
    /** The current edits. */
    state: history.present,
    pieces,
    mapped,
    /** The input of the export formats: the text in reading order, in every layout, and its tables. */
    exportSource: () => ({
      edited: inReadingOrder(history.present, page),
      filled,
      notTables,
      extraction: withTables(extraction, history.present.tables),
    }),
    /** Pieces of formerly empty cells, and pieces in rejected tables. */
    filled,
    notTables,
    /** The unedited words that were read the same as this one, including itself. */
    sameReadings: (piece: number) =>
      mapped.marks
        .filter((mark) => pieces[mark.piece]?.text === pieces[piece]?.text)
        .filter((mark) => isUntouched(mapped, mark, itemAt(pieces, mark.piece)))
        .map((mark) => mark.piece),
    /** The pieces in the text, in its order. */
    placed,
    layout,
    /** Unchecked doubtful pieces in text order. */
    doubtful,
    /** Doubtful words, and words below `REVIEW_BELOW`. */
    uncertain,
    /** Whether the text had doubtful words at first. */
    hadDoubtful: useMemo(() => pieces.some((piece) => piece.hidden === null && isDoubtful(piece)), [pieces]),
    hadUncertain: useMemo(() => pieces.some(isUncertain), [pieces]),
    /** Whether the last step was typing, after which the browser has set the caret. */
    typing: history.run !== null,
    /** All filtered pieces, and those that are still hidden. */
    hidden,
    stillHidden,
    edited: isEdited,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    ...steps,
  };
}

interface StepsOptions {
  dispatch: (step: Step) => void;
  /** The pieces of the extraction, without filled cells. */
  read: readonly Piece[];
  page: { pieces: readonly Piece[]; image: Extraction['image'] };
  /** The unedited text. */
  original: MappedText;
  extraction: Extraction;
}

/** All steps of the document. Each can be undone. */
function documentSteps({ dispatch, read, page, original, extraction }: StepsOptions) {
  const { pieces } = page;
  const change = (step: (now: TextState) => Partial<TextState>) =>
    dispatch((now) => recordChange(now, { ...now.present, ...step(now.present) }));
  const apply = (step: (now: MappedText) => MappedText) =>
    change((now) => applyInReadingOrder(now, page, step));
  return {
    type: (edit: TypedEdit) => dispatch((now) => recordTyping(now, edit)),
    /** Replaces the whole text. Words in both texts keep their marks. */
    rewrite: (text: string) => apply((now) => editText(now, text, text.length)),
    undo: () => dispatch(undo),
    redo: () => dispatch(redo),
    resetEdits: () => change((now) => ({ ...toLayout(now.layout, original, page), tables: undefined })),
    restoreHidden: (...which: number[]) =>
      apply((now) => which.reduce((text, piece) => restoreHidden(text, pieces, piece), now)),
    hideRestored: (...which: number[]) =>
      apply((now) => which.reduce((text, piece) => hideRestored(text, pieces, piece), now)),
    /** Hides or restores all pieces that the filter rejected. */
    setFiltering: (useFiltering: boolean) =>
      apply((now) =>
        hiddenOf(pieces).reduce(
          (text, piece) => (useFiltering ? hideRestored : restoreHidden)(text, pieces, piece),
          now,
        ),
      ),
    /** Marks a doubtful word as checked. */
    confirm: (piece: number) => change(({ checked: before }) => ({ checked: new Set([...before, piece]) })),
    /** Replaces words by a reading, in one step. */
    replace: (which: readonly number[], reading: string) =>
      apply((now) => which.reduce((text, piece) => replacePiece(text, pieces, piece, reading), now)),
    /** Replaces ranges of the shown text, in one step. The ranges must be in order. */
    replaceAt: (places: ReadonlyArray<{ start: number; end: number }>, inserted: string) =>
      change(({ mapped: before }) => ({
        mapped: places.toReversed().reduce((now, place) => replaceRange(now, { ...place, inserted }), before),
      })),
    correctCell(table: Table | undefined, place: { row: number; column: number }, says: string) {
      const cell = table?.cells.find(({ row, column }) => row === place.row && column === place.column);
      if (cell) return apply((now) => rewriteCell(now, cell, says));
      if (!table) return;
      change((now) => {
        const own = [...read, ...(now.filled ?? [])];
        const made = fillCell(inReadingOrder(now, page), own, page.image, table, place, says);
        if (!made) return {};
        const after = { ...page, pieces: [...own, made.piece] };
        return { ...toLayout(now.layout, made.mapped, after), filled: [...(now.filled ?? []), made.piece] };
      });
    },
    /** Edits the structure of a table at a cell. Deleting a row or column also deletes its text. */
    editTable(found: Table | undefined, edit: TableEdit, place: { row: number; column: number }) {
      if (!found?.source) return;
      const { table, rows } = found.source;
      const at = { row: itemAt(rows, place.row), column: place.column };
      const next = editedTable(table, edit, at, extraction);
      if (!next) return;
      const deleted = deletedCells(edit, found, place);
      change((now) => ({
        ...applyInReadingOrder(now, page, (text) =>
          deleted.reduce((left, cell) => rewriteCell(left, cell, ''), text),
        ),
        tables: (now.tables ?? extraction.layout?.tables ?? []).map((one) => (one === table ? next : one)),
      }));
    },
    /** Rejects a table. */
    rejectTable: (which: readonly number[]) =>
      change(({ notTables: before = NO_TABLES }) => ({ notTables: new Set([...before, ...which]) })),
    layOut(next: Layout) {
      storeLayout(next);
      change((now) => toLayout(next, inReadingOrder(now, page), page));
    },
  };
}

/** The cells inside a deleted row or column, without spanning cells, from last to first in the text. */
function deletedCells(edit: TableEdit, { cells }: Table, place: { row: number; column: number }) {
  const isTaken = {
    'delete-row': ({ row, rowSpan }: TableCell) => row === place.row && rowSpan === 1,
    'delete-column': ({ column, columnSpan }: TableCell) => column === place.column && columnSpan === 1,
  }[edit as string];
  const startOf = ({ words }: TableCell) => Math.min(...words.map(({ start }) => start));
  return isTaken ? cells.filter(isTaken).toSorted((one, other) => startOf(other) - startOf(one)) : [];
}

const hiddenOf = (pieces: readonly Piece[]) =>
  pieces.flatMap((piece, index) => (piece.hidden === null ? [] : [index]));

export type TextDocument = ReturnType<typeof useTextDocument>;

/** Calls `onChange` with every new value, but not with the first. */
function useChangeListener<T>(value: T, onChange: (value: T) => void): void {
  const last = useRef(value);
  const report = useEffectEvent(onChange);
  useEffect(() => {
    if (last.current === value) return;
    last.current = value;
    report(value);
  }, [value]);
}

type Read = Pick<Piece, 'text' | 'confidence' | 'hidden'>;

/** Matches letters, digits and currency symbols. A word without any, such as a bullet or a rule, needs no review. */
const MEANINGFUL = /[\p{L}\p{N}\p{Sc}]/u;

/** Whether a piece has a confidence below `REVIEW_BELOW`, and is underlined. */
export const isUncertain = ({ confidence, hidden }: Read) => hidden === null && confidence < REVIEW_BELOW;

/** Whether a piece is part of the review by default. */
export const isDoubtful = (piece: Read) =>
  isUncertain(piece) && piece.confidence < DOUBTFUL_BELOW && MEANINGFUL.test(piece.text);
