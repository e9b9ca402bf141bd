import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Point, Size } from './rectangle.ts';

const STEP = 1.25;
const MAX_SCALE = 8;
/** Least zoom of a double tap, relative to the fitting scale. */
const MIN_DOUBLE_TAP_ZOOM = 2;
/** A content so tall that all of it at once would leave its viewport emptier than this at the sides fits by its width. */
const MIN_WIDTH_FILLED = 0.5;
/** The least line height of a text that is to be readable, in CSS pixels. */
const READABLE_PX = 28;

declare global {
  /** Safari's events for two fingers on a trackpad; other browsers send Ctrl and the wheel. */
  interface GestureEvent extends MouseEvent {
    /** Against the beginning of the gesture. */
    readonly scale: number;
  }
  interface HTMLElementEventMap {
    gesturestart: GestureEvent;
    gesturechange: GestureEvent;
  }
}

/** A point of the content, as a share of its size, and where on the screen it has to stay. */
interface Anchor {
  share: Point;
  at: Point;
}

const middleOf = ({ left, top, width, height }: DOMRect): Point => ({
  x: left + width / 2,
  y: top + height / 2,
});

const contentBox = (viewport: HTMLElement) =>
  (viewport.firstElementChild ?? viewport).getBoundingClientRect();

function shareAt(viewport: HTMLElement, { x, y }: Point): Point {
  const box = contentBox(viewport);
  return { x: (x - box.left) / box.width, y: (y - box.top) / box.height };
}

function scrollToAnchor(viewport: HTMLElement, { share, at }: Anchor): void {
  const box = contentBox(viewport);
  viewport.scrollBy({
    left: box.left + share.x * box.width - at.x,
    top: box.top + share.y * box.height - at.y,
    behavior: 'instant',
  });
}

/** The scale at which all of a content is seen, and the one that it begins with: of a tall one its width. */
export function fittingScales(viewportSize: Size, content: Size): { whole: number; fit: number } {
  const byWidth = Math.min(1, viewportSize.width / content.width);
  const whole = Math.min(byWidth, viewportSize.height / content.height);
  if (!Number.isFinite(whole) || whole <= 0) return { whole: 0.1, fit: 0.1 };
  const isTall = content.width * whole < viewportSize.width * MIN_WIDTH_FILLED;
  return { whole, fit: isTall ? byWidth : whole };
}

/**
 * Zoom of a content inside a scrolling viewport. The scale is CSS pixels for one of the content's pixels;
 * `fit` follows the viewport's size. Ctrl and the wheel, or two fingers, zoom around where they are. A finger alone moves
 * the content as it scrolls anything.
 */
export function useZoom(viewport: RefObject<HTMLElement | null>, content: Size) {
  const [space, setSpace] = useState<Size>({ width: 0, height: 0 });
  const [chosen, setChosen] = useState<number | 'fit'>('fit');
  const pendingAnchor = useRef<Anchor | null>(null);

  // Before the content is drawn for the first time: it must not be seen at another size first.
  useLayoutEffect(() => {
    const element = viewport.current;
    if (!element) return;
    // offset sizes: a scrollbar that comes with zooming in must not change what "fit" means.
    const measure = () => setSpace({ width: element.offsetWidth, height: element.offsetHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [viewport]);

  const { whole: minScale, fit: fitScale } = fittingScales(
    { width: space.width - 26, height: space.height - 26 },
    content,
  );
  const scale = chosen === 'fit' ? fitScale : chosen;

  const zoomTo = (next: number, at?: Point, share?: Point) => {
    const element = viewport.current;
    if (!element) return;
    const middle = at ?? middleOf(element.getBoundingClientRect());
    const anchor = { at: middle, share: share ?? shareAt(element, middle) };
    const within = Math.max(minScale, Math.min(next, MAX_SCALE));
    const wanted = within === fitScale ? 'fit' : within;
    const isSameScale = wanted === chosen;
    pendingAnchor.current = isSameScale ? null : anchor;
    if (isSameScale) scrollToAnchor(element, anchor);
    setChosen(wanted);
  };

  // After each rendering: there is an anchor only after the scale was changed.
  useLayoutEffect(() => {
    const anchor = pendingAnchor.current;
    pendingAnchor.current = null;
    if (viewport.current && anchor) scrollToAnchor(viewport.current, anchor);
  });

  useZoomGestures(viewport, scale, zoomTo);

  return {
    scale,
    isFit: chosen === 'fit',
    /** All of it is seen: there is nothing further away. */
    isWhole: scale <= minScale,
    zoomIn: () => zoomTo(scale * STEP),
    zoomOut: () => zoomTo(scale / STEP),
    fit: () => setChosen('fit'),
    // When the picture fits at its own size there is nothing smaller to go back to, so this is the same as fit.
    actualSize: () => zoomTo(1),
    /**
     * Puts a place of the content into the middle of the viewport, as large as it is or so much larger that it can be read.
     * `lineHeight`: of the text there, in the content's pixels.
     */
    show: (place: Point, lineHeight: number) => {
      const element = viewport.current;
      if (!element || content.width === 0 || content.height === 0) return;
      const share = { x: place.x / content.width, y: place.y / content.height };
      const readable = READABLE_PX / Math.max(1, lineHeight);
      zoomTo(Math.max(scale, readable), middleOf(element.getBoundingClientRect()), share);
    },
    /** What two quick taps do: close up around them, or all of it again. */
    toggle: (at: Point) =>
      chosen === 'fit' ? zoomTo(Math.max(1, fitScale * MIN_DOUBLE_TAP_ZOOM), at) : setChosen('fit'),
  };
}

type ZoomTo = (scale: number, at?: Point, share?: Point) => void;

/** Ctrl and the wheel, two fingers on a touch screen, and Safari's gestures on a trackpad. */
function useZoomGestures(viewport: RefObject<HTMLElement | null>, scale: number, zoomTo: ZoomTo): void {
  const scaleNow = useEffectEvent(() => scale);
  const zoom = useEffectEvent(zoomTo);
  useEffect(() => {
    const element = viewport.current;
    if (!element) return;
    const listening = new AbortController();
    // React listens to wheel and touch passively, and only an active listener can keep the page from zooming.
    const options = { passive: false, signal: listening.signal };
    /** The start of a pinch: the content between the fingers stays between them. */
    let pinch: { distance: number; scale: number; share: Point } | null = null;

    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const factor = Math.exp(-event.deltaY * (event.deltaMode === 0 ? 0.004 : 0.1));
      zoom(scaleNow() * factor, { x: event.clientX, y: event.clientY });
    };
    const fingersOf = ({ touches: [a, b] }: TouchEvent) =>
      a && b
        ? {
            distance: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY),
            middle: { x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2 },
          }
        : null;
    const onTouchStart = (event: TouchEvent) => {
      const fingers = fingersOf(event);
      pinch = fingers && {
        distance: fingers.distance,
        scale: scaleNow(),
        share: shareAt(element, fingers.middle),
      };
    };
    const onTouchMove = (event: TouchEvent) => {
      const fingers = fingersOf(event);
      if (!pinch || !fingers) return;
      event.preventDefault();
      // Two fingers may begin at one point.
      zoom(pinch.scale * (fingers.distance / Math.max(1, pinch.distance)), fingers.middle, pinch.share);
    };
    const onTouchEnd = () => {
      pinch = null;
    };
    let scaleBefore = 1;
    const onGesture = (event: GestureEvent) => {
      event.preventDefault();
      if (event.type === 'gesturestart') scaleBefore = scaleNow();
      // On a touch screen it repeats the touch events.
      else if (!pinch) zoom(scaleBefore * event.scale, { x: event.clientX, y: event.clientY });
    };
    element.addEventListener('wheel', onWheel, options);
    element.addEventListener('touchstart', onTouchStart, options);
    element.addEventListener('touchmove', onTouchMove, options);
    element.addEventListener('touchend', onTouchEnd, options);
    element.addEventListener('touchcancel', onTouchEnd, options);
    element.addEventListener('gesturestart', onGesture, options);
    element.addEventListener('gesturechange', onGesture, options);
    return () => listening.abort();
  }, [viewport]);
}

export type Zoom = ReturnType<typeof useZoom>;
