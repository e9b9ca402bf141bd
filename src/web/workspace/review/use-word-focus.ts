import { type RefObject, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { MappedText, Mark } from '#formats/pieces';
import { useEventCallback } from '../../ui/basics/events.ts';
import type { Layout } from '../text/text-history.ts';
import { marksWithin } from '../text/text-mapping.ts';
import type { TextDocument } from '../text/use-text-document.ts';
import { useStableList } from '../use-derived.ts';

interface Selection {
  start: number;
  end: number;
  /** The user placed the caret, so that a change elsewhere keeps it at its word. */
  stays?: true;
}

interface Correction {
  piece: number;
  text: string;
  /** Whether to replace every word that was read the same. */
  everywhere: boolean | undefined;
}

interface TextInLayout extends MappedText {
  layout: Layout;
}

/** The selected part of the text and the words in it. */
function useTextSelection(document: TextDocument, area: RefObject<HTMLTextAreaElement | null>) {
  const { mapped, layout } = document;
  const { marks, text } = mapped;
  const [selection, setSelection] = useState<Selection | null>(null);

  // An external change, such as undo, updates the selection during rendering. In an effect, the word at the old
  // position would
  // be highlighted and scrolled to first.
  const current = useMemo(() => ({ text, marks, layout }), [text, marks, layout]);
  const [before, setBefore] = useState(current);
  const [externalChanges, setExternalChanges] = useState(0);
  if (before !== current) {
    setBefore(current);
    if (!document.typing && before.text !== text) {
      setSelection(selectionAfter(selection, before, current));
      setExternalChanges(externalChanges + 1);
    }
  }

  const active = useStableList(
    useMemo(
      () => (selection ? marksWithin(marks, selection.start, selection.end).map((mark) => mark.piece) : []),
      [marks, selection],
    ),
  );

  // Setting the value of a text area moves its caret to the end.
  const restoreCaret = useEffectEvent(() =>
    area.current?.setSelectionRange(selection?.start ?? 0, selection?.end ?? 0),
  );
  useLayoutEffect(() => {
    if (externalChanges > 0) restoreCaret();
  }, [externalChanges]);

  const select = (piece: number, takesFocus: boolean) => {
    const mark = marks.find((other) => other.piece === piece);
    if (!mark) return;
    setSelection({ start: mark.start, end: mark.end });
    area.current?.setSelectionRange(mark.start, mark.end);
    if (takesFocus) area.current?.focus({ preventScroll: true });
  };

  const selectRange = useEventCallback((start: number, end: number) => {
    setSelection({ start, end });
    area.current?.focus({ preventScroll: true });
    area.current?.setSelectionRange(start, end);
  });

  /** Selects a part of the text without moving the focus. */
  const selectWithoutFocus = useEventCallback((start: number, end: number) => {
    setSelection({ start, end });
    area.current?.setSelectionRange(start, end);
  });

  /** Selects the range of these pieces without moving the focus. */
  const selectPieces = useEventCallback((pieces: readonly number[]) => {
    const selected = marks.filter(({ piece }) => pieces.includes(piece));
    if (selected.length === 0) return;
    const [start, end] = [
      Math.min(...selected.map((mark) => mark.start)),
      Math.max(...selected.map((mark) => mark.end)),
    ];
    setSelection({ start, end });
  });

  const onSelection = useEventCallback((start: number, end: number) =>
    setSelection((now) => (now?.start === start && now.end === end ? now : { start, end })),
  );

  /** Keeps the caret at its word during the next change, if the text has the focus. */
  const keepCaret = () => {
    const field = area.current;
    if (field?.matches(':focus'))
      setSelection({ start: field.selectionStart, end: field.selectionEnd, stays: true });
  };

  return { selection, active, select, selectRange, selectWithoutFocus, selectPieces, onSelection, keepCaret };
}

/**
 * The active words, by caret, pointer or review step. They are the same in picture and text. One closure, because every
 * action starts from the current doubtful word.
 */
export function useWordFocus(document: TextDocument, area: RefObject<HTMLTextAreaElement | null>) {
  const { selection, active, select, keepCaret, ...selecting } = useTextSelection(document, area);
  const { marks } = document.mapped;
  const [includesSlight, setIncludesSlight] = useState(false);
  /** The words to review. */
  const doubtful = includesSlight ? document.uncertain : document.doubtful;
  const [hovered, setHovered] = useState<number | null>(null);
  const [reviewed, setReviewed] = useState<number | null>(null);
  const [stepCount, setStepCount] = useState(0);
  const [single] = active;
  const currentDoubt =
    single !== undefined && active.length === 1 && doubtful.includes(single) ? single : null;

  const examine = (piece: number) => {
    select(piece, false);
    setReviewed(piece);
    setStepCount((count) => count + 1);
  };

  const step = (direction: 1 | -1) => {
    const from = selection?.start ?? -1;
    const at = new Map(marks.map((mark) => [mark.piece, mark.start]));
    const placeOf = (piece: number) => at.get(piece) ?? 0;
    const next =
      direction === 1
        ? (doubtful.find((piece) => placeOf(piece) > from) ?? doubtful[0])
        : (doubtful.findLast((piece) => placeOf(piece) < from) ?? doubtful.at(-1));
    if (next !== undefined) examine(next);
  };

  /** A tap does not open the on-screen keyboard over the picture; a mouse click focuses the text for typing. */
  const pick = useEventCallback((piece: number, pointer: string) => {
    select(piece, pointer === 'mouse');
    if (pointer !== 'mouse') setReviewed(piece);
  });
  /** The typed correction that is not committed yet. */
  const pendingCorrection = useRef<Correction | null>(null);
  const type = useEventCallback((word: Correction | null) => {
    pendingCorrection.current = word;
  });
  const replace = ({ piece, text, everywhere }: Correction) =>
    document.replace(everywhere ? document.sameReadings(piece) : [piece], text);
  /** Commits a typed correction, as Enter does. */
  const commitCorrection = useEventCallback(() => {
    const word = pendingCorrection.current;
    if (!word) return;
    pendingCorrection.current = null;
    keepCaret();
    replace(word);
  });
  const stepTo = useEventCallback(step);
  // The change must be rendered before the step, because it changes the list of doubtful words.
  const commitAndStep = useEventCallback((direction: 1 | -1) => {
    flushSync(commitCorrection);
    stepTo(direction);
  });
  const confirm = useEventCallback(() => {
    if (currentDoubt === null) return;
    if (!pendingCorrection.current) flushSync(() => document.confirm(currentDoubt));
    commitAndStep(1);
  });
  /** Replaces the doubtful word, here or everywhere, and steps to the next one. */
  const correct = useEventCallback((says: string, everywhere?: boolean) => {
    if (currentDoubt === null) return;
    pendingCorrection.current = null;
    flushSync(() => replace({ piece: currentDoubt, text: says, everywhere }));
    stepTo(1);
  });
  const examineRestored = useEventCallback((doubtfulBefore: ReadonlySet<number>) => {
    const restored = doubtful.find((piece) => !doubtfulBefore.has(piece));
    if (restored !== undefined) examine(restored);
  });
  /** Undoes one step. During a review, it also steps to the word that is doubtful again. */
  const undoStep = useEventCallback(() => {
    if (reviewed === null) return document.undo();
    const before = new Set(doubtful);
    flushSync(() => document.undo());
    examineRestored(before);
  });
  const undo = useEventCallback(() => {
    flushSync(commitCorrection);
    undoStep();
  });
  const close = useEventCallback(() => {
    commitCorrection();
    setReviewed(null);
  });
  const toggleSlight = useEventCallback(() => {
    flushSync(() => setIncludesSlight(!includesSlight));
    if (!includesSlight) commitAndStep(1);
  });

  /** The doubtful word under review, while it is doubtful and active. */
  const reviewedWord = reviewed === currentDoubt ? currentDoubt : null;
  const doubt = useMemo(
    () => ({
      current: currentDoubt,
      reviewedWord,
      list: doubtful,
      includesSlight,
      toggleSlight,
      /** Increases with every step, even to the same word. */
      stepCount,
      step: commitAndStep,
      confirm,
      correct,
      undo,
      type,
      commitCorrection,
      close,
    }),
    [
      currentDoubt,
      reviewedWord,
      doubtful,
      includesSlight,
      toggleSlight,
      stepCount,
      commitAndStep,
      confirm,
      correct,
      undo,
      type,
      commitCorrection,
      close,
    ],
  );
  return { ...selecting, active, hovered, hover: setHovered, pick, doubt };
}

/** The current doubtful word and its actions. Memoized while the word is current. */
export type DoubtFocus = ReturnType<typeof useWordFocus>['doubt'];
export type WordFocus = ReturnType<typeof useWordFocus>;

/**
 * The caret after an external change: at the change, or at the same word if only the layout changed or `keepCaret` was
 * called.
 */
function selectionAfter(
  selection: Selection | null,
  before: TextInLayout,
  { text, marks, layout }: TextInLayout,
): Selection | null {
  if (selection?.stays) {
    return {
      start: mapOffset(selection.start, before.marks, marks),
      end: mapOffset(selection.end, before.marks, marks),
    };
  }
  const stays = before.layout !== layout;
  if (stays && !selection) return null;
  const caret = stays
    ? mapOffsetInWord(selection?.start ?? 0, before.marks, marks)
    : text.length - commonSuffixLength(before.text, text);
  return { start: caret, end: caret };
}

/** The length of the common suffix of two texts. */
function commonSuffixLength(one: string, other: string): number {
  const limit = Math.min(one.length, other.length);
  let tail = 0;
  while (tail < limit && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  return tail;
}

/** Maps an offset to a text with replaced words but the same spaces and line breaks. */
function mapOffset(at: number, before: readonly Mark[], after: readonly Mark[]): number {
  const was = before.findLast(({ start }) => start <= at);
  const is = was && after.find(({ piece }) => piece === was.piece);
  if (!was || !is) return at;
  return at < was.end ? Math.min(is.end, is.start + at - was.start) : is.end + at - was.end;
}

/** Maps an offset to a text with another layout, relative to the word at the offset. */
function mapOffsetInWord(at: number, before: readonly Mark[], after: readonly Mark[]): number {
  const was = before.findLast(({ start }) => start <= at);
  const is = was && after.find(({ piece }) => piece === was.piece);
  return was && is ? Math.min(is.end, is.start + at - was.start) : 0;
}
