import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Point, Size } from './rectangle.ts';

const STEP = 1.25;
const MAX_SCALE = 8;
/** Minimal zoom of a double tap, relative to the fitting scale. */
const MIN_DOUBLE_TAP_ZOOM = 2;
/** If the whole content would fill less than this fraction of the viewport's width, it is fitted by width. */
const MIN_WIDTH_FILLED = 0.5;
/** Minimal line height of legible text, in CSS pixels. */
const READABLE_PX = 28;

declare global {
  /** Safari's events for trackpad pinches; other browsers send wheel events with Ctrl. */
  interface GestureEvent extends MouseEvent {
    /** Relative to the start of the gesture. */
    readonly scale: number;
  }
  interface HTMLElementEventMap {
    gesturestart: GestureEvent;
    gesturechange: GestureEvent;
  }
}

/** A point of the content, as fractions of its size, and the screen position that it must keep. */
interface Anchor {
  fraction: Point;
  at: Point;
}

const middleOf = ({ left, top, width, height }: DOMRect): Point => ({
  x: left + width / 2,
  y: top + height / 2,
});

const contentBox = (viewport: HTMLElement) =>
  (viewport.firstElementChild ?? viewport).getBoundingClientRect();

function fractionAt(viewport: HTMLElement, { x, y }: Point): Point {
  const box = contentBox(viewport);
  return { x: (x - box.left) / box.width, y: (y - box.top) / box.height };
}

function scrollToAnchor(viewport: HTMLElement, { fraction, at }: Anchor): void {
  const box = contentBox(viewport);
  viewport.scrollBy({
    left: box.left + fraction.x * box.width - at.x,
    top: box.top + fraction.y * box.height - at.y,
    behavior: 'instant',
  });
}

/** The scale that shows the whole content, and the initial scale, which fits tall content by width. */
export function fittingScales(viewportSize: Size, content: Size): { whole: number; fit: number } {
  const byWidth = Math.min(1, viewportSize.width / content.width);
  const whole = Math.min(byWidth, viewportSize.height / content.height);
  if (!Number.isFinite(whole) || whole <= 0) return { whole: 0.1, fit: 0.1 };
  const isTall = content.width * whole < viewportSize.width * MIN_WIDTH_FILLED;
  return { whole, fit: isTall ? byWidth : whole };
}

/**
 * Zoom of the content of a scroll container. The scale is in CSS pixels per pixel of the content; `fit` follows the
 * viewport's size. Ctrl with the wheel, and pinches, zoom around the pointer. One finger scrolls natively.
 */
export function useZoom(viewport: RefObject<HTMLElement | null>, content: Size) {
  const [space, setSpace] = useState<Size>({ width: 0, height: 0 });
  const [chosen, setChosen] = useState<number | 'fit'>('fit');
  const pendingAnchor = useRef<Anchor | null>(null);

  // Measured before the first paint, so that the content is not shown at another size first.
  useLayoutEffect(() => {
    const element = viewport.current;
    if (!element) return;
    // Offset sizes include scrollbars, so that a scrollbar does not change the fitting scale.
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

  const zoomTo = (next: number, at?: Point, fraction?: Point) => {
    const element = viewport.current;
    if (!element) return;
    const middle = at ?? middleOf(element.getBoundingClientRect());
    const anchor = { at: middle, fraction: fraction ?? fractionAt(element, middle) };
    const within = Math.max(minScale, Math.min(next, MAX_SCALE));
    const wanted = within === fitScale ? 'fit' : within;
    const isSameScale = wanted === chosen;
    pendingAnchor.current = isSameScale ? null : anchor;
    if (isSameScale) scrollToAnchor(element, anchor);
    setChosen(wanted);
  };

  // Runs after each render, but an anchor is pending only after the scale has changed.
  useLayoutEffect(() => {
    const anchor = pendingAnchor.current;
    pendingAnchor.current = null;
    if (viewport.current && anchor) scrollToAnchor(viewport.current, anchor);
  });

  useZoomGestures(viewport, scale, zoomTo);

  return {
    scale,
    isFit: chosen === 'fit',
    /** Whether the whole content is visible, at the minimal scale. */
    isWhole: scale <= minScale,
    zoomIn: () => zoomTo(scale * STEP),
    zoomOut: () => zoomTo(scale / STEP),
    fit: () => setChosen('fit'),
    // For a picture that fits at 100 %, this is the same as `fit`.
    actualSize: () => zoomTo(1),
    /**
     * Centers a point of the content, and zooms in if the text there is not legible. `lineHeight`: of this text, in pixels
     * of the content.
     */
    show: (place: Point, lineHeight: number) => {
      const element = viewport.current;
      if (!element || content.width === 0 || content.height === 0) return;
      const fraction = { x: place.x / content.width, y: place.y / content.height };
      const readable = READABLE_PX / Math.max(1, lineHeight);
      zoomTo(Math.max(scale, readable), middleOf(element.getBoundingClientRect()), fraction);
    },
    /** The action of a double tap: zooms in around it, or back to `fit`. */
    toggle: (at: Point) =>
      chosen === 'fit' ? zoomTo(Math.max(1, fitScale * MIN_DOUBLE_TAP_ZOOM), at) : setChosen('fit'),
  };
}

type ZoomTo = (scale: number, at?: Point, fraction?: Point) => void;

/** Ctrl with the wheel, pinches on a touch screen, and Safari's trackpad gestures. */
function useZoomGestures(viewport: RefObject<HTMLElement | null>, scale: number, zoomTo: ZoomTo): void {
  const scaleNow = useEffectEvent(() => scale);
  const zoom = useEffectEvent(zoomTo);
  useEffect(() => {
    const element = viewport.current;
    if (!element) return;
    const listening = new AbortController();
    // React's wheel and touch listeners are passive and cannot prevent the page from zooming.
    const options = { passive: false, signal: listening.signal };
    /** The start of a pinch. The content between the fingers stays between them. */
    let pinch: { distance: number; scale: number; fraction: Point } | null = null;

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
        fraction: fractionAt(element, fingers.middle),
      };
    };
    const onTouchMove = (event: TouchEvent) => {
      const fingers = fingersOf(event);
      if (!pinch || !fingers) return;
      event.preventDefault();
      // Two fingers may start at the same point.
      zoom(pinch.scale * (fingers.distance / Math.max(1, pinch.distance)), fingers.middle, pinch.fraction);
    };
    const onTouchEnd = () => {
      pinch = null;
    };
    let scaleBefore = 1;
    const onGesture = (event: GestureEvent) => {
      event.preventDefault();
      if (event.type === 'gesturestart') scaleBefore = scaleNow();
      // On a touch screen, Safari also sends touch events, which are handled above.
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
