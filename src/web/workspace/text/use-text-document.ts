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
import { firstState, storeLayout } from './first-layout.ts';
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
  /** The edits of the text when it was shown before; null for a new one. */
  earlierWork: TextWork | null;
  onWork: (work: TextWork) => void;
}

/**
 * The text of one extraction while a person works on it: where each word stands, which words are doubtful,
 * what is hidden, and every step undoable. A new extraction needs a new instance (give the owner a `key`).
 */
export function useTextDocument({ extraction, earlierWork, onWork }: TextDocumentOptions) {
  const read = useMemo(() => piecesOf(extraction), [extraction]);
  const original = useMemo(() => mapText(extraction.extractedText, read), [extraction, read]);
  const [history, dispatch] = useReducer(
    (now: TextHistory, step: Step) => step(now),
    extraction,
    (fresh) => earlierWork?.history ?? startHistory(firstState(fresh)),
  );
  const { mapped, layout, checked, filled = NO_PIECES, notTables = NO_TABLES } = history.present;
  const own = useMemo(() => (filled.length > 0 ? [...read, ...filled] : read), [read, filled]);
  // A component that renders a deferred, older text still needs the pieces of that.
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
  const unsureNow = useMemo(
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
  const unsure = useStableList(unsureNow);
  const doubtful = useMemo(
    () => unsure.filter((piece) => isDoubtful(itemAt(pieces, piece))),
    [unsure, pieces],
  );
  const untouched = useMemo(() => toLayout(layout, original, page), [original, page, layout]);
  const isEdited =
    history.present.tables !== undefined ||
    mapped.text !== untouched.mapped.text ||
    history.present.lines?.text !== untouched.lines?.text;

  // Stable as long as the extraction is, so that components that only take steps do not render with every letter.
  const steps = useMemo(
    () => documentSteps({ dispatch, read, page, original, extraction }),
    [read, page, original, extraction],
  );

  return {
    /** The current edits. */
    state: history.present,
    pieces,
    mapped,
    /** The input of file writers: the text in reading order, whatever its layout, and its tables. */
    exportSource: () => ({
      edited: inReadingOrder(history.present, page),
      filled,
      notTables,
      extraction: withTables(extraction, history.present.tables),
    }),
    /** Contents of formerly empty cells, and pieces that are not a table. */
    filled,
    notTables,
    /** The words of the text that were read as this one was, itself included, and are still so. */
    sameReadings: (piece: number) =>
      mapped.marks
        .filter((mark) => pieces[mark.piece]?.text === pieces[piece]?.text)
        .filter((mark) => isUntouched(mapped, mark, itemAt(pieces, mark.piece)))
        .map((mark) => mark.piece),
    /** Pieces that stand in the text, in its order. */
    placed,
    layout,
    /** Pieces, in text order, that are probably misread and not checked yet. */
    doubtful,
    /** Doubtful words, and words below `REVIEW_BELOW`. */
    unsure,
    /** Whether there was any such word to begin with. */
    hadDoubtful: useMemo(() => pieces.some((piece) => piece.hidden === null && isDoubtful(piece)), [pieces]),
    hadUncertain: useMemo(() => pieces.some(isUncertain), [pieces]),
    /** The last step was typed by hand, so that the caret already is where it belongs. */
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
  /** The pieces of the extraction, without those that a person added. */
  read: readonly Piece[];
  page: { pieces: readonly Piece[]; image: Extraction['image'] };
  /** The text as it was read. */
  original: MappedText;
  extraction: Extraction;
}

/** Every step on the document, each of which can be undone. Long because all are listed here. */
function documentSteps({ dispatch, read, page, original, extraction }: StepsOptions) {
  const { pieces } = page;
  const change = (step: (now: TextState) => Partial<TextState>) =>
    dispatch((now) => recordChange(now, { ...now.present, ...step(now.present) }));
  const apply = (step: (now: MappedText) => MappedText) =>
    change((now) => applyInReadingOrder(now, page, step));
  return {
    type: (edit: TypedEdit) => dispatch((now) => recordTyping(now, edit)),
    /** Replaces the whole text; words that are in both stay mapped. */
    rewrite: (text: string) => apply((now) => editText(now, text, text.length)),
    undo: () => dispatch(undo),
    redo: () => dispatch(redo),
    resetEdits: () => change((now) => ({ ...toLayout(now.layout, original, page), tables: undefined })),
    bringBack: (...which: number[]) =>
      apply((now) => which.reduce((text, piece) => restoreHidden(text, pieces, piece), now)),
    hideAgain: (...which: number[]) =>
      apply((now) => which.reduce((text, piece) => hideRestored(text, pieces, piece), now)),
    /** Hides all that the filter left out, or brings all of it back. */
    setFiltering: (useFiltering: boolean) =>
      apply((now) =>
        hiddenOf(pieces).reduce(
          (text, piece) => (useFiltering ? hideRestored : restoreHidden)(text, pieces, piece),
          now,
        ),
      ),
    /** A person has looked at a doubtful word and found it right. */
    confirm: (piece: number) => change(({ checked: before }) => ({ checked: new Set([...before, piece]) })),
    /** Replaces words by the chosen reading, in one step. */
    replace: (which: readonly number[], reading: string) =>
      apply((now) => which.reduce((text, piece) => replacePiece(text, pieces, piece, reading), now)),
    /** Replaces parts of the text as it is shown, in one step; they are in its order. */
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
    /** Changes a table's form at one of its cells. A row or column that is deleted takes its text along. */
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
    /** Rejects a wrongly found table. */
    rejectTable: (which: readonly number[]) =>
      change(({ notTables: before = NO_TABLES }) => ({ notTables: new Set([...before, ...which]) })),
    layOut(next: Layout) {
      storeLayout(next);
      change((now) => toLayout(next, inReadingOrder(now, page), page));
    },
  };
}

/** The cells of a deleted row or column that reach into no other, the last one in the text first. */
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

/** Holds something that a person would look up in the picture: a bullet, a rule or a speck is not worth the way. */
const MEANINGFUL = /[\p{L}\p{N}\p{Sc}]/u;

/** Whether a piece of the text is underlined as what deserves a glance. */
export const isUncertain = ({ confidence, hidden }: Read) => hidden === null && confidence < REVIEW_BELOW;

/** Whether a person is led to it. */
export const isDoubtful = (piece: Read) =>
  isUncertain(piece) && piece.confidence < DOUBTFUL_BELOW && MEANINGFUL.test(piece.text);
