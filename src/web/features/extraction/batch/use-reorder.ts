import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useEventCallback } from '../../../ui/basics/events.ts';

/** CSS pixels from an edge of the list within which a dragged row scrolls the list. */
const EDGE = 36;

/**
 * Reorders rows by dragging a handle, or with the arrow keys while the handle has the focus. Dragging calls `move` for each
 * position on the way; Escape moves a dragged row back.
 */
export function useReorder(
  list: RefObject<HTMLElement | null>,
  places: readonly string[],
  move: (id: string, to: number) => void,
) {
  const [dragged, setDragged] = useState<string | null>(null);
  const placeOf = useEventCallback((id: string) => places.indexOf(id));
  const moveTo = useEventCallback(move);
  const ending = useRef<AbortController | null>(null);
  useEffect(() => () => ending.current?.abort(), []);

  const onPointerDown = (id: string) => (event: PointerEvent) => {
    if (event.button !== 0) return;
    const { pointerId } = event;
    const from = places.indexOf(id);
    const listening = new AbortController();
    ending.current = listening;
    // The listeners are on the window, because a row that moves loses its pointer capture.
    const options = { signal: listening.signal };
    const end = () => {
      listening.abort();
      setDragged(null);
    };
    const onMove = (moved: globalThis.PointerEvent) => {
      if (moved.pointerId !== pointerId || !list.current) return;
      setDragged(id);
      const frame = list.current.getBoundingClientRect();
      if (moved.clientY < frame.top + EDGE) list.current.scrollBy(0, -EDGE / 4);
      if (moved.clientY > frame.bottom - EDGE) list.current.scrollBy(0, EDGE / 4);
      const now = placeOf(id);
      const to = placeAt(list.current, moved.clientY, now);
      if (now >= 0 && to !== now) moveTo(id, to);
    };
    window.addEventListener('pointermove', onMove, options);
    for (const over of ['pointerup', 'pointercancel', 'blur']) window.addEventListener(over, end, options);
    window.addEventListener(
      'keydown',
      ({ key }) => {
        if (key !== 'Escape') return;
        moveTo(id, from);
        end();
      },
      options,
    );
  };

  const onKeyDown = (id: string) => (event: KeyboardEvent<HTMLElement>) => {
    const now = places.indexOf(id);
    const to = { ArrowUp: now - 1, ArrowDown: now + 1, Home: 0, End: places.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to === now || to < 0 || to >= places.length) return;
    move(id, to);
    const handle = event.currentTarget;
    // Moving an element removes the focus from it.
    requestAnimationFrame(() => {
      handle.focus();
      handle.closest('li')?.scrollIntoView({ block: 'nearest' });
    });
  };

  return { dragged, onPointerDown, onKeyDown };
}

/** Target index of a dragged row: the number of other rows whose middle is above the pointer. */
function placeAt(list: HTMLElement, y: number, now: number): number {
  const rows = [...list.children];
  const above = rows.filter((row, index) => {
    const { top, height } = row.getBoundingClientRect();
    return index !== now && top + height / 2 < y;
  });
  return above.length;
}
