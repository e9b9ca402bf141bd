import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { Extraction } from '#contract/extraction';
import { DOUBTFUL_BELOW, GLANCE_BELOW } from '#contract/product';
import { type MappedText, mapText, piecesOf } from '#formats/pieces';
import {
  changed,
  redone,
  startHistory,
  type TextHistory,
  type TypedEdit,
  typed,
  undone,
} from './text-history.ts';
import { bringBack, hideAgain, type Layout, layOut } from './text-layout.ts';
import { isUntouched } from './text-mapping.ts';
import type { TextWork } from './workbench.ts';

type Step = (history: TextHistory) => TextHistory;

interface TextDocumentOptions {
  extraction: Extraction;
  /** What was done to the text when it was shown before; null for a new one. */
  earlierWork: TextWork | null;
  /** Hears of every step from now on. */
  onWork: (work: TextWork) => void;
}

/**
 * The text of one extraction while a person works on it: where each word stands, which words are doubtful,
 * what is hidden, and every step undoable. A new extraction needs a new instance (give the owner a `key`).
 */
export function useTextDocument({ extraction, earlierWork, onWork }: TextDocumentOptions) {
  const pieces = useMemo(() => piecesOf(extraction), [extraction]);
  const original = useMemo(() => mapText(extraction.extractedText, pieces), [extraction, pieces]);
  const [history, take] = useReducer(
    (now: TextHistory, step: Step) => step(now),
    original,
    (text) => earlierWork?.history ?? startHistory(text),
  );
  const [layout, setLayout] = useState<Layout>(earlierWork?.layout ?? 'lines');
  const [checked, setChecked] = useState<ReadonlySet<number>>(earlierWork?.checked ?? new Set());
  const mapped = history.present;
  const work = useMemo(() => ({ history, layout, checked }), [history, layout, checked]);
  useTelling(work, onWork);

  const placed = useMemo(() => new Set(mapped.marks.map((mark) => mark.piece)), [mapped]);
  const hidden = useMemo(
    () => pieces.flatMap((piece, index) => (piece.hidden === null ? [] : [index])),
    [pieces],
  );
  const { doubtful, unsure } = useMemo(() => {
    const below = (limit: number) =>
      mapped.marks
        .filter((mark) => {
          const piece = pieces[mark.piece];
          if (!piece || piece.hidden !== null || checked.has(mark.piece)) return false;
          return piece.confidence < limit && isUntouched(mapped, mark, piece);
        })
        .map((mark) => mark.piece);
    return { doubtful: below(DOUBTFUL_BELOW), unsure: below(GLANCE_BELOW) };
  }, [mapped, pieces, checked]);
  const untouched = layOut(original, pieces, layout);

  const apply = (change: (now: MappedText) => MappedText) => take((now) => changed(now, change(now.present)));

  return {
    pieces,
    mapped,
    layout,
    /** Pieces, in the order of the text, that are probably misread and that nobody has looked at yet. */
    doubtful,
    /** The doubtful ones and those that deserve a glance. */
    unsure,
    /** Whether there was any such word to begin with. */
    everDoubtful: pieces.some((piece) => piece.hidden === null && piece.confidence < DOUBTFUL_BELOW),
    /** The last step was typed by hand, so that the caret already is where it belongs. */
    typing: history.run !== null,
    /** All that the filter left out, and of it what is still out. */
    hidden,
    stillHidden: hidden.filter((piece) => !placed.has(piece)),
    edited: mapped.text !== untouched.text,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    type: (edit: TypedEdit) => take((now) => typed(now, edit)),
    undo: () => take(undone),
    redo: () => take(redone),
    resetEdits: () => apply(() => untouched),
    bringBack: (...which: number[]) =>
      apply((now) => which.reduce((text, piece) => bringBack(text, pieces, piece), now)),
    hideAgain: (...which: number[]) =>
      apply((now) => which.reduce((text, piece) => hideAgain(text, pieces, piece), now)),
    /** A person has looked at a doubtful word and found it right. */
    confirm: (piece: number) => setChecked((now) => new Set([...now, piece])),
    layOut: (next: Layout) => {
      setLayout(next);
      apply((now) => layOut(now, pieces, next));
    },
  };
}

export type TextDocument = ReturnType<typeof useTextDocument>;

/** Tells of a value whenever it is another than at first. */
function useTelling<T>(value: T, onChange: (value: T) => void): void {
  const told = useRef(value);
  const listener = useRef(onChange);
  useEffect(() => {
    listener.current = onChange;
  });
  useEffect(() => {
    if (told.current === value) return;
    told.current = value;
    listener.current(value);
  }, [value]);
}
