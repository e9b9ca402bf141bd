import {
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { itemAt } from '#formats/checked';
import { fromFrame, intoFrame } from './picture-pose.ts';
import { boxBetween } from './rectangle.ts';
import type { SelectionState } from './use-marks.ts';
import { nearestWord, type Point } from './words-on-picture.ts';

/** A finger that rests so long on a word marks it, as it does in any text. */
const LONG_PRESS_MS = 450;
/** Further than this a pointer has been drawn, and was not pressed. */
const SLOP_PX = 4;
const FINGER_SLOP_PX = 10;
/** A part smaller than this was no part. */
const MIN_REGION_PX = 8;
/** So near to an edge the picture goes along, and so much of the overshoot with each frame. */
const EDGE_PX = 20;
const EDGE_SCROLL_FACTOR = 0.25;

interface Gesture {
  pointerId: number;
  kind: 'mouse' | 'finger';
  /** Words are marked from here; null for a part of the picture. */
  anchor: number | null;
  at: Point;
  from: Point;
  /** From the pointer to what it holds, for a handle. */
  offset: Point;
  started: boolean;
}

/** Whether words can be marked from where a pointer is. */
export const isOnText = ({ target }: MouseEvent) =>
  target instanceof Element && target.matches('[data-piece], [data-text-line], [data-found]');

/** Marks words, or a region, by a pointer that is drawn over the picture. One closure, because all handlers share one gesture. */
export function useSelectionGesture(marks: SelectionState) {
  const { viewport, on, scale, pose, tool, anchor, region, setRegion, marked, mark, clear, pointAt } = marks;
  const [drawing, setDrawing] = useState(false);
  const gesture = useRef<Gesture | null>(null);
  const longPress = useRef<ReturnType<typeof setTimeout>>(undefined);

  const updateSelection = (held: Gesture) => {
    const to = pointAt({ x: held.at.x + held.offset.x, y: held.at.y + held.offset.y });
    if (held.anchor === null) return setRegion(boxBetween(held.from, to, pose));
    const word = nearestWord(on, fromFrame(pose, to));
    if (word !== null) mark(held.anchor, word, held.kind);
  };
  useEdgeScroll({ viewport, gesture, isDue: drawing, onScrolled: updateSelection });
  usePreventTouchDefaults(viewport, gesture);
  useEffect(() => () => clearTimeout(longPress.current), []);

  const start = (held: Gesture) => {
    held.started = true;
    setDrawing(true);
    const element = viewport.current;
    if (element?.isConnected) element.setPointerCapture(held.pointerId);
    updateSelection(held);
  };
  const release = () => {
    clearTimeout(longPress.current);
    gesture.current = null;
    setDrawing(false);
  };

  const begin = (event: PointerEvent<HTMLElement>) => {
    if (gesture.current || !event.isPrimary) {
      // A second finger wants to zoom.
      if (gesture.current?.kind === 'finger') release();
      return;
    }
    const at = { x: event.clientX, y: event.clientY };
    const from = pointAt(at);
    const kind = event.pointerType === 'mouse' ? 'mouse' : 'finger';
    const isRegion = tool === 'region';
    const word = isRegion ? null : nearestWord(on, fromFrame(pose, from));
    if (!isRegion && (word === null || (tool === 'move' && !isOnText(event)))) {
      if (kind === 'mouse') clear();
      return;
    }
    const extended = event.shiftKey ? anchor : null;
    const held: Gesture = {
      pointerId: event.pointerId,
      kind,
      anchor: extended ?? word,
      at,
      from,
      offset: { x: 0, y: 0 },
      started: false,
    };
    gesture.current = held;
    if (extended !== null && !isRegion) return start(held);
    if (kind === 'mouse') return clear();
    if (tool === 'move')
      longPress.current = setTimeout(() => gesture.current === held && start(held), LONG_PRESS_MS);
  };

  /** True while this pointer marks, and moves nothing else. */
  const move = (event: PointerEvent<HTMLElement>): boolean => {
    const held = gesture.current;
    if (!held || held.pointerId !== event.pointerId) return false;
    const moved = Math.hypot(event.clientX - held.at.x, event.clientY - held.at.y);
    if (!held.started) {
      if (moved <= (held.kind === 'finger' ? FINGER_SLOP_PX : SLOP_PX)) return false;
      if (held.kind === 'finger' && tool === 'move') {
        release();
        return false;
      }
      start(held);
    }
    held.at = { x: event.clientX, y: event.clientY };
    updateSelection(held);
    return true;
  };

  /** True for a pointer that has marked something, and has pressed nothing. */
  const end = (event: PointerEvent<HTMLElement>): boolean => {
    const held = gesture.current;
    if (!held || held.pointerId !== event.pointerId) return false;
    release();
    const tapped = !held.started && tool === 'text' && held.kind === 'finger' ? held.anchor : null;
    if (tapped !== null) mark(tapped, tapped, 'finger');
    if (held.started && region && Math.min(region.width, region.height) * scale < MIN_REGION_PX)
      setRegion(null);
    if (held.started) viewport.current?.focus({ preventScroll: true });
    return held.started || tapped !== null;
  };

  /** Drags one end of the selection by its handle. */
  const grab = (event: PointerEvent<HTMLElement>, which: 'start' | 'end') => {
    const [first, last] = [marked[0], marked.at(-1)];
    const [draggedEnd, fixedEnd] = which === 'start' ? [first, last] : [last, first];
    if (draggedEnd === undefined || fixedEnd === undefined) return;
    event.stopPropagation();
    const frame = viewport.current?.firstElementChild?.getBoundingClientRect();
    const { x, y } = intoFrame(pose, itemAt(on.words, draggedEnd));
    const at = { x: event.clientX, y: event.clientY };
    const offset = { x: (frame?.left ?? 0) + x * scale - at.x, y: (frame?.top ?? 0) + y * scale - at.y };
    const held: Gesture = {
      pointerId: event.pointerId,
      kind: 'finger',
      anchor: fixedEnd,
      at,
      from: pointAt(at),
      offset,
      started: false,
    };
    gesture.current = held;
    start(held);
  };

  return { drawing, begin, move, end, cancel: release, grab };
}

interface EdgeScrollOptions {
  viewport: RefObject<HTMLElement | null>;
  gesture: RefObject<Gesture | null>;
  isDue: boolean;
  onScrolled: (held: Gesture) => void;
}

/** Scrolls the picture while a pointer that marks is at its edge or beyond. */
function useEdgeScroll({ viewport, gesture, isDue, onScrolled }: EdgeScrollOptions): void {
  const follow = useEffectEvent(onScrolled);
  useEffect(() => {
    const element = viewport.current;
    if (!element || !isDue) return;
    let frame = 0;
    const scrollAtEdge = () => {
      frame = requestAnimationFrame(scrollAtEdge);
      const held = gesture.current;
      if (!held) return;
      const box = element.getBoundingClientRect();
      const overshoot = (at: number, start: number, end: number) =>
        Math.min(0, at - start - EDGE_PX) + Math.max(0, at - end + EDGE_PX);
      const left = overshoot(held.at.x, box.left, box.right) * EDGE_SCROLL_FACTOR;
      const top = overshoot(held.at.y, box.top, box.bottom) * EDGE_SCROLL_FACTOR;
      if (left === 0 && top === 0) return;
      element.scrollBy({ left, top, behavior: 'instant' });
      follow(held);
    };
    frame = requestAnimationFrame(scrollAtEdge);
    return () => cancelAnimationFrame(frame);
  }, [viewport, gesture, isDue]);
}

/** Keeps a finger that marks from moving the picture or the page as well, and from opening a menu. */
function usePreventTouchDefaults(viewport: RefObject<HTMLElement | null>, gesture: RefObject<Gesture | null>): void {
  useEffect(() => {
    const element = viewport.current;
    if (!element) return;
    const onTouchMove = (event: TouchEvent) => {
      if (gesture.current?.started && event.cancelable) event.preventDefault();
    };
    const onMenu = (event: Event) => {
      if (gesture.current?.kind === 'finger') event.preventDefault();
    };
    // Only an active listener can prevent it.
    element.addEventListener('touchmove', onTouchMove, { passive: false });
    element.addEventListener('contextmenu', onMenu);
    return () => {
      element.removeEventListener('touchmove', onTouchMove);
      element.removeEventListener('contextmenu', onMenu);
    };
  }, [viewport, gesture]);
}
