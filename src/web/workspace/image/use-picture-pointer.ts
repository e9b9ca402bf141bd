import { type PointerEvent, useRef } from 'react';
import type { Finding } from '../findings/use-findings.ts';
import type { PictureSelection } from './use-picture-selection.ts';
import type { Zoom } from './use-zoom.ts';

/** A pointer that moved further has dragged the picture and not pressed a word. */
const CLICK_SLOP_PX = 4;
/** Two taps within this time and distance are a double tap. */
const DOUBLE_TAP_MS = 300;
const DOUBLE_TAP_PX = 30;

interface PicturePointerOptions {
  zoom: Zoom;
  selection: PictureSelection;
  hovered: number | null;
  onHover: (piece: number | null) => void;
  found: readonly Finding[];
  onFound: (found: Finding) => void;
  onPick: (piece: number, pointer: string) => void;
}

const pieceUnder = (event: PointerEvent) => {
  const under = event.target instanceof Element ? event.target.getAttribute('data-piece') : null;
  return under === null ? null : Number(under);
};

/**
 * The pointer handlers of the picture's viewport: selection, moving the picture, presses on words and findings, double
 * taps.
 */
export function usePicturePointer(options: PicturePointerOptions) {
  const { zoom, selection, hovered, onHover, found, onFound, onPick } = options;
  const drag = useRef<{ x: number; y: number; left: number; top: number; moved: boolean } | null>(null);
  const tap = useRef<{ x: number; y: number; time: number } | null>(null);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    selection.begin(event);
    const { scrollLeft, scrollTop } = event.currentTarget;
    drag.current = { x: event.clientX, y: event.clientY, left: scrollLeft, top: scrollTop, moved: false };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (selection.move(event)) {
      if (hovered !== null) onHover(null);
      return;
    }
    const held = drag.current;
    if (!held) {
      if (event.pointerType === 'mouse') onHover(pieceUnder(event));
      return;
    }
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    held.moved ||= Math.hypot(dx, dy) > CLICK_SLOP_PX;
    // A finger scrolls the picture natively.
    if (!held.moved || event.pointerType !== 'mouse') return;
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.scrollTo({ left: held.left - dx, top: held.top - dy, behavior: 'instant' });
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    const isPress = drag.current !== null && !drag.current.moved;
    drag.current = null;
    if (selection.end(event) || !isPress) return;
    const code = event.target instanceof Element ? event.target.getAttribute('data-found') : null;
    const pressed = found.find(({ key }) => key === code);
    if (pressed) return onFound(pressed);
    if (isSecondTap(event)) return zoom.toggle({ x: event.clientX, y: event.clientY });
    const piece = pieceUnder(event);
    if (piece !== null) onPick(piece, event.pointerType);
  };
  const isSecondTap = ({ pointerType, clientX: x, clientY: y, timeStamp: time }: PointerEvent) => {
    if (pointerType !== 'touch') return false;
    const before = tap.current;
    const isSecond =
      before !== null &&
      time - before.time < DOUBLE_TAP_MS &&
      Math.hypot(x - before.x, y - before.y) < DOUBLE_TAP_PX;
    tap.current = isSecond ? null : { x, y, time };
    return isSecond;
  };
  const onPointerCancel = () => {
    drag.current = null;
    selection.cancel();
  };
  return {
    onPointerDown,
    onPointerMove,
    onPointerUp,
    onPointerCancel,
    onPointerLeave: () => onHover(null),
  };
}
