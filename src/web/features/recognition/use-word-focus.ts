import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { marksWithin } from './text-mapping.ts';
import type { TextDocument } from './use-text-document.ts';

/** Which words are looked at, by the caret, by the pointer or by stepping; the same in picture and text. */
export function useWordFocus(document: TextDocument, area: RefObject<HTMLTextAreaElement | null>) {
  const { mapped, doubtful } = document;
  const [selection, setSelection] = useState<{ start: number; end: number } | null>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const [examined, setExamined] = useState<number | null>(null);
  const { marks, text } = mapped;

  const active = useMemo(
    () => (selection ? marksWithin(marks, selection.start, selection.end).map((mark) => mark.piece) : []),
    [marks, selection],
  );
  const placed = useMemo(() => marks.map((mark) => mark.piece), [marks]);
  const currentDoubt = active.length === 1 && doubtful.includes(active[0]!) ? active[0]! : null;

  // A value that is set from outside sends the caret to the end; it belongs where the change was.
  const previous = useRef(text);
  useLayoutEffect(() => {
    const element = area.current;
    const before = previous.current;
    previous.current = text;
    if (!element || before === text || document.typing) return;
    let tail = 0;
    const limit = Math.min(before.length, text.length);
    while (tail < limit && before[before.length - 1 - tail] === text[text.length - 1 - tail]) tail += 1;
    const caret = text.length - tail;
    element.setSelectionRange(caret, caret);
    setSelection({ start: caret, end: caret });
  }, [text, area, document.typing]);

  const select = (piece: number, takesFocus: boolean) => {
    const mark = marks.find((other) => other.piece === piece);
    if (!mark) return;
    setSelection({ start: mark.start, end: mark.end });
    area.current?.setSelectionRange(mark.start, mark.end);
    if (takesFocus) area.current?.focus({ preventScroll: true });
  };

  const step = (direction: 1 | -1) => {
    const from = selection?.start ?? -1;
    const at = (piece: number) => marks.find((mark) => mark.piece === piece)?.start ?? 0;
    const next =
      direction === 1
        ? (doubtful.find((piece) => at(piece) > from) ?? doubtful[0])
        : (doubtful.findLast((piece) => at(piece) < from) ?? doubtful.at(-1));
    if (next === undefined) return;
    select(next, true);
    setExamined(next);
  };

  return {
    active,
    placed,
    hovered,
    currentDoubt,
    /** The doubtful word that was stepped to last. */
    examined,
    hover: setHovered,
    onSelection: (start: number, end: number) =>
      setSelection((now) => (now?.start === start && now.end === end ? now : { start, end })),
    /** A finger does not get the keyboard thrown over the picture; a mouse goes straight on to correcting. */
    pick: (piece: number, pointer: string) => select(piece, pointer === 'mouse'),
    step,
    /** The doubtful word is right; on to the next one. */
    confirm: () => {
      if (currentDoubt === null) return;
      document.confirm(currentDoubt);
      step(1);
    },
  };
}

export type WordFocus = ReturnType<typeof useWordFocus>;
