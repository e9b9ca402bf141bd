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
import type { SelectionState } from './use-selection-state.ts';
import { nearestWord, type Point } from './words-on-picture.ts';

/** A touch of this duration on a word selects it, as in other text. */
const LONG_PRESS_MS = 450;
/** A pointer that moved further is dragging. */
const SLOP_PX = 4;
const FINGER_SLOP_PX = 10;
/** A smaller region is discarded. */
const MIN_REGION_PX = 8;
/** Within this distance of an edge the picture scrolls, in each frame by a fraction of the overshoot. */
const EDGE_PX = 20;
const EDGE_SCROLL_FACTOR = 0.25;

interface Gesture {
  pointerId: number;
  kind: 'mouse' | 'finger';
  /** The index of the word where the selection starts; null for a region. */
  anchor: number | null;
  /** The position of the pointer, in client pixels. */
  pointer: Point;
  /** Where the gesture started, in pixels of the picture's frame. */
  start: Point;
  /** The offset from the pointer to the dragged handle's end of the selection. */
  offset: Point;
  started: boolean;
}

/** Whether a selection of words can start at the pointer. */
export const isOnText = ({ target }: MouseEvent) =>
  target instanceof Element && target.matches('[data-piece], [data-text-line], [data-found]');

/** Selects words or a region by dragging over the picture. Not split, because all handlers share one gesture. */
export function useSelectionGesture(state: SelectionState) {
  const {
    viewport,
    pictureWords,
    scale,
    pose,
    tool,
    anchor,
    region,
    setRegion,
    selectedWords,
    selectWords,
    clear,
    pointAt,
  } = state;
  const [drawing, setDrawing] = useState(false);
  const gesture = useRef<Gesture | null>(null);
  const longPress = useRef<ReturnType<typeof setTimeout>>(undefined);

  const updateSelection = (held: Gesture) => {
    const to = pointAt({ x: held.pointer.x + held.offset.x, y: held.pointer.y + held.offset.y });
    if (held.anchor === null) return setRegion(boxBetween(held.start, to, pose));
    const word = nearestWord(pictureWords, fromFrame(pose, to));
    if (word !== null) selectWords(held.anchor, word, held.kind);
  };
  useEdgeScroll({ viewport, gesture, enabled: drawing, onScrolled: updateSelection });
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
      // A second finger starts a pinch zoom.
      if (gesture.current?.kind === 'finger') release();
      return;
    }
    const pointer = { x: event.clientX, y: event.clientY };
    const from = pointAt(pointer);
    const kind = event.pointerType === 'mouse' ? 'mouse' : 'finger';
    const isRegion = tool === 'region';
    const word = isRegion ? null : nearestWord(pictureWords, fromFrame(pose, from));
    if (!isRegion && (word === null || (tool === 'move' && !isOnText(event)))) {
      if (kind === 'mouse') clear();
      return;
    }
    const extended = event.shiftKey ? anchor : null;
    const held: Gesture = {
      pointerId: event.pointerId,
      kind,
      anchor: extended ?? word,
      pointer,
      start: from,
      offset: { x: 0, y: 0 },
      started: false,
    };
    gesture.current = held;
    if (extended !== null && !isRegion) return start(held);
    if (kind === 'mouse') return clear();
    if (tool === 'move')
      longPress.current = setTimeout(() => gesture.current === held && start(held), LONG_PRESS_MS);
  };

  /** @returns whether the pointer is selecting, so that it must not move the picture */
  const move = (event: PointerEvent<HTMLElement>): boolean => {
    const held = gesture.current;
    if (!held || held.pointerId !== event.pointerId) return false;
    const moved = Math.hypot(event.clientX - held.pointer.x, event.clientY - held.pointer.y);
    if (!held.started) {
      if (moved <= (held.kind === 'finger' ? FINGER_SLOP_PX : SLOP_PX)) return false;
      if (held.kind === 'finger' && tool === 'move') {
        release();
        return false;
      }
      start(held);
    }
    held.pointer = { x: event.clientX, y: event.clientY };
    updateSelection(held);
    return true;
  };

  /** @returns whether the pointer has selected something, so that its release is not a click */
  const end = (event: PointerEvent<HTMLElement>): boolean => {
    const held = gesture.current;
    if (!held || held.pointerId !== event.pointerId) return false;
    release();
    const tapped = !held.started && tool === 'text' && held.kind === 'finger' ? held.anchor : null;
    if (tapped !== null) selectWords(tapped, tapped, 'finger');
    if (held.started && region && Math.min(region.width, region.height) * scale < MIN_REGION_PX)
      setRegion(null);
    if (held.started) viewport.current?.focus({ preventScroll: true });
    return held.started || tapped !== null;
  };

  /** Drags one end of the selection by its handle. */
  const grab = (event: PointerEvent<HTMLElement>, which: 'start' | 'end') => {
    const [first, last] = [selectedWords[0], selectedWords.at(-1)];
    const [draggedEnd, fixedEnd] = which === 'start' ? [first, last] : [last, first];
    if (draggedEnd === undefined || fixedEnd === undefined) return;
    event.stopPropagation();
    const frame = viewport.current?.firstElementChild?.getBoundingClientRect();
    const { x, y } = intoFrame(pose, itemAt(pictureWords.words, draggedEnd));
    const pointer = { x: event.clientX, y: event.clientY };
    const offset = {
      x: (frame?.left ?? 0) + x * scale - pointer.x,
      y: (frame?.top ?? 0) + y * scale - pointer.y,
    };
    const held: Gesture = {
      pointerId: event.pointerId,
      kind: 'finger',
      anchor: fixedEnd,
      pointer,
      start: pointAt(pointer),
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
  enabled: boolean;
  onScrolled: (held: Gesture) => void;
}

/** Scrolls the picture while a selecting pointer is at its edge or outside. */
function useEdgeScroll({ viewport, gesture, enabled, onScrolled }: EdgeScrollOptions): void {
  const onScroll = useEffectEvent(onScrolled);
  useEffect(() => {
    const element = viewport.current;
    if (!element || !enabled) return;
    let frame = 0;
    const scrollAtEdge = () => {
      frame = requestAnimationFrame(scrollAtEdge);
      const held = gesture.current;
      if (!held) return;
      const box = element.getBoundingClientRect();
      const overshoot = (at: number, start: number, end: number) =>
        Math.min(0, at - start - EDGE_PX) + Math.max(0, at - end + EDGE_PX);
      const left = overshoot(held.pointer.x, box.left, box.right) * EDGE_SCROLL_FACTOR;
      const top = overshoot(held.pointer.y, box.top, box.bottom) * EDGE_SCROLL_FACTOR;
      if (left === 0 && top === 0) return;
      element.scrollBy({ left, top, behavior: 'instant' });
      onScroll(held);
    };
    frame = requestAnimationFrame(scrollAtEdge);
    return () => cancelAnimationFrame(frame);
  }, [viewport, gesture, enabled]);
}

/** Prevents scrolling and the context menu while a finger is selecting. */
function usePreventTouchDefaults(
  viewport: RefObject<HTMLElement | null>,
  gesture: RefObject<Gesture | null>,
): void {
  useEffect(() => {
    const element = viewport.current;
    if (!element) return;
    const onTouchMove = (event: TouchEvent) => {
      if (gesture.current?.started && event.cancelable) event.preventDefault();
    };
    const onMenu = (event: Event) => {
      if (gesture.current?.kind === 'finger') event.preventDefault();
    };
    // Only a listener that is not passive can prevent scrolling.
    element.addEventListener('touchmove', onTouchMove, { passive: false });
    element.addEventListener('contextmenu', onMenu);
    return () => {
      element.removeEventListener('touchmove', onTouchMove);
      element.removeEventListener('contextmenu', onMenu);
    };
  }, [viewport, gesture]);
}
