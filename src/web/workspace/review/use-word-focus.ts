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
  /** A person has placed it: a change of the text elsewhere leaves it at its words. */
  stays?: true;
}

interface TypedWord {
  piece: number;
  says: string;
  /** At every place that was read as the same word. */
  everywhere: boolean | undefined;
}

interface Laid extends MappedText {
  layout: Layout;
}

/** The selected part of the text and the words in it. */
function useTextSelection(document: TextDocument, area: RefObject<HTMLTextAreaElement | null>) {
  const { mapped, layout } = document;
  const { marks, text } = mapped;
  const [selection, setSelection] = useState<Selection | null>(null);

  // A change from outside, such as undo, moves the selection while rendering: in an effect, the word that happens to stand at
  // the old place would be marked and scrolled to first.
  const laid = useMemo(() => ({ text, marks, layout }), [text, marks, layout]);
  const [before, setBefore] = useState(laid);
  const [changesFromOutside, setChangesFromOutside] = useState(0);
  if (before !== laid) {
    setBefore(laid);
    if (!document.typing && before.text !== text) {
      setSelection(selectionAfter(selection, before, laid));
      setChangesFromOutside(changesFromOutside + 1);
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
    if (changesFromOutside > 0) restoreCaret();
  }, [changesFromOutside]);

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

  /** Selects a part of the text and leaves the keys where they are. */
  const show = useEventCallback((start: number, end: number) => {
    setSelection({ start, end });
    area.current?.setSelectionRange(start, end);
  });

  /** Looks at words that are written elsewhere, and leaves the keys where they are. */
  const lookAt = useEventCallback((pieces: readonly number[]) => {
    const looked = marks.filter(({ piece }) => pieces.includes(piece));
    if (looked.length === 0) return;
    const [start, end] = [
      Math.min(...looked.map((mark) => mark.start)),
      Math.max(...looked.map((mark) => mark.end)),
    ];
    setSelection({ start, end });
  });

  const onSelection = useEventCallback((start: number, end: number) =>
    setSelection((now) => (now?.start === start && now.end === end ? now : { start, end })),
  );

  /** The next change of the text leaves the caret where it is, if the keys go to the text. */
  const stay = () => {
    const field = area.current;
    if (field?.matches(':focus'))
      setSelection({ start: field.selectionStart, end: field.selectionEnd, stays: true });
  };

  return { selection, active, select, selectRange, show, lookAt, onSelection, stay };
}

/**
 * The words with the focus, by caret, pointer or stepping; the same in picture and text. One closure, because every step
 * starts from the same doubtful word.
 */
export function useWordFocus(document: TextDocument, area: RefObject<HTMLTextAreaElement | null>) {
  const { selection, active, select, stay, ...selecting } = useTextSelection(document, area);
  const { marks } = document.mapped;
  const [withSlight, setWithSlight] = useState(false);
  /** The words that are stepped through. */
  const doubtful = withSlight ? document.unsure : document.doubtful;
  const [hovered, setHovered] = useState<number | null>(null);
  const [steppedTo, setSteppedTo] = useState<number | null>(null);
  const [calls, setCalls] = useState(0);
  const [looked] = active;
  const currentDoubt =
    looked !== undefined && active.length === 1 && doubtful.includes(looked) ? looked : null;

  const examine = (piece: number) => {
    select(piece, false);
    setSteppedTo(piece);
    setCalls((count) => count + 1);
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
    if (pointer !== 'mouse') setSteppedTo(piece);
  });
  /** What was typed for the word and is not taken yet. */
  const typed = useRef<TypedWord | null>(null);
  const type = useEventCallback((word: TypedWord | null) => {
    typed.current = word;
  });
  const replace = ({ piece, says, everywhere }: TypedWord) =>
    document.replace(everywhere ? document.alike(piece) : [piece], says);
  /** What was typed is taken, also where Enter was not pressed. */
  const leave = useEventCallback(() => {
    const word = typed.current;
    if (!word) return;
    typed.current = null;
    stay();
    replace(word);
  });
  const stepTo = useEventCallback(step);
  // What follows a change of the document is another word of the changed one: it must be rendered first.
  const stepOn = useEventCallback((direction: 1 | -1) => {
    flushSync(leave);
    stepTo(direction);
  });
  const confirm = useEventCallback(() => {
    if (currentDoubt === null) return;
    if (!typed.current) flushSync(() => document.confirm(currentDoubt));
    stepOn(1);
  });
  /** The doubtful word is something else, `everywhere` or here; on to the next one. */
  const take = useEventCallback((says: string, everywhere?: boolean) => {
    if (currentDoubt === null) return;
    typed.current = null;
    flushSync(() => replace({ piece: currentDoubt, says, everywhere }));
    stepTo(1);
  });
  const backTo = useEventCallback((doubtfulBefore: ReadonlySet<number>) => {
    const back = doubtful.find((piece) => !doubtfulBefore.has(piece));
    if (back !== undefined) examine(back);
  });
  /** One step back, and to the word that is doubtful again by that if words are being stepped through. */
  const undoStep = useEventCallback(() => {
    if (steppedTo === null) return document.undo();
    const before = new Set(doubtful);
    flushSync(() => document.undo());
    backTo(before);
  });
  const undo = useEventCallback(() => {
    flushSync(leave);
    undoStep();
  });
  const close = useEventCallback(() => {
    leave();
    setSteppedTo(null);
  });
  const toggleSlight = useEventCallback(() => {
    flushSync(() => setWithSlight(!withSlight));
    if (!withSlight) stepOn(1);
  });

  /** The doubtful word that was stepped to, for as long as it is one and is looked at. */
  const examined = steppedTo === currentDoubt ? currentDoubt : null;
  const doubt = useMemo(
    () => ({
      current: currentDoubt,
      examined,
      list: doubtful,
      withSlight,
      toggleSlight,
      /** Rises with every step, even to the same word. */
      calls,
      step: stepOn,
      confirm,
      take,
      undo,
      type,
      leave,
      close,
    }),
    [
      currentDoubt,
      examined,
      doubtful,
      withSlight,
      toggleSlight,
      calls,
      stepOn,
      confirm,
      take,
      undo,
      type,
      leave,
      close,
    ],
  );
  return { ...selecting, active, hovered, hover: setHovered, pick, doubt };
}

/** The current doubtful word and the actions on it. The same object until another word is current. */
export type DoubtFocus = ReturnType<typeof useWordFocus>['doubt'];
export type WordFocus = ReturnType<typeof useWordFocus>;

/**
 * The caret after the text was changed from outside: at the change; at the same word if only the layout changed, or if a
 * person has placed it elsewhere.
 */
function selectionAfter(
  selection: Selection | null,
  before: Laid,
  { text, marks, layout }: Laid,
): Selection | null {
  if (selection?.stays) {
    return {
      start: movedAlong(selection.start, before.marks, marks),
      end: movedAlong(selection.end, before.marks, marks),
    };
  }
  const stays = before.layout !== layout;
  if (stays && !selection) return null;
  const caret = stays
    ? placeAgain(selection?.start ?? 0, before.marks, marks)
    : text.length - commonTail(before.text, text);
  return { start: caret, end: caret };
}

/** How many characters two texts end in alike. */
function commonTail(one: string, other: string): number {
  const limit = Math.min(one.length, other.length);
  let tail = 0;
  while (tail < limit && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  return tail;
}

/** A position in a text whose words were replaced and whose spaces and breaks are the same. */
function movedAlong(at: number, before: readonly Mark[], after: readonly Mark[]): number {
  const was = before.findLast(({ start }) => start <= at);
  const is = was && after.find(({ piece }) => piece === was.piece);
  if (!was || !is) return at;
  return at < was.end ? Math.min(is.end, is.start + at - was.start) : is.end + at - was.end;
}

/** A position in a text, relative to its word, after that word has moved. */
function placeAgain(at: number, before: readonly Mark[], after: readonly Mark[]): number {
  const was = before.findLast(({ start }) => start <= at);
  const is = was && after.find(({ piece }) => piece === was.piece);
  return was && is ? Math.min(is.end, is.start + at - was.start) : 0;
}
