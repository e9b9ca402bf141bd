import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

const STEP = 1.25;
const MAX_SCALE = 8;

interface Size {
  width: number;
  height: number;
}

/** A point of the content, as a share of its size, and where in the viewport it has to stay. */
interface Anchor {
  share: { x: number; y: number };
  at: { x: number; y: number };
}

/**
 * Zoom of a content inside a scrolling viewport. The scale is CSS pixels for one of the content's pixels;
 * `fit` follows the viewport's size. Ctrl and the wheel, or two fingers, zoom around where they are.
 */
export function useZoom(viewport: RefObject<HTMLElement | null>, content: Size) {
  const [space, setSpace] = useState<Size>({ width: 0, height: 0 });
  const [chosen, setChosen] = useState<number | 'fit'>('fit');
  const anchor = useRef<Anchor | null>(null);

  useEffect(() => {
    const element = viewport.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      // offset sizes: a scrollbar that comes with zooming in must not change what "fit" means.
      setSpace({ width: element.offsetWidth, height: element.offsetHeight });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [viewport]);

  const fit = Math.min(1, (space.width - 26) / content.width, (space.height - 26) / content.height);
  const fitScale = Number.isFinite(fit) && fit > 0 ? fit : 0.1;
  const scale = chosen === 'fit' ? fitScale : chosen;
  const minScale = Math.min(fitScale, 1);

  const zoomTo = useCallback(
    (next: number, client?: { x: number; y: number }) => {
      const element = viewport.current;
      const stage = element?.firstElementChild;
      if (element && stage) {
        const frame = element.getBoundingClientRect();
        const box = stage.getBoundingClientRect();
        const at = client ?? { x: frame.left + frame.width / 2, y: frame.top + frame.height / 2 };
        anchor.current = {
          share: { x: (at.x - box.left) / box.width, y: (at.y - box.top) / box.height },
          at: { x: at.x - frame.left, y: at.y - frame.top },
        };
      }
      setChosen(next <= minScale ? 'fit' : Math.min(next, MAX_SCALE));
    },
    [viewport, minScale],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: the anchor is applied whenever the scale was changed
  useLayoutEffect(() => {
    const element = viewport.current;
    const stage = element?.firstElementChild;
    if (!element || !stage || !anchor.current) return;
    const { share, at } = anchor.current;
    anchor.current = null;
    const frame = element.getBoundingClientRect();
    const box = stage.getBoundingClientRect();
    element.scrollBy({
      left: box.left + share.x * box.width - frame.left - at.x,
      top: box.top + share.y * box.height - frame.top - at.y,
      behavior: 'instant',
    });
  }, [scale]);

  const live = useRef({ scale, zoomTo });
  useEffect(() => {
    live.current = { scale, zoomTo };
  });

  useEffect(() => {
    const element = viewport.current;
    if (!element) return;
    // React listens to wheel and touch passively, and only an active listener can keep the page from zooming.
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const factor = Math.exp(-event.deltaY * (event.deltaMode === 0 ? 0.004 : 0.1));
      live.current.zoomTo(live.current.scale * factor, { x: event.clientX, y: event.clientY });
    };
    let pinch: { distance: number; scale: number } | null = null;
    const onTouch = (event: TouchEvent) => {
      const [a, b] = [event.touches[0], event.touches[1]];
      if (!a || !b) {
        pinch = null;
        return;
      }
      event.preventDefault();
      const distance = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      pinch ??= { distance, scale: live.current.scale };
      live.current.zoomTo(pinch.scale * (distance / pinch.distance), {
        x: (a.clientX + b.clientX) / 2,
        y: (a.clientY + b.clientY) / 2,
      });
    };
    const endPinch = () => {
      pinch = null;
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    element.addEventListener('touchmove', onTouch, { passive: false });
    element.addEventListener('touchend', endPinch);
    return () => {
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('touchmove', onTouch);
      element.removeEventListener('touchend', endPinch);
    };
  }, [viewport]);

  return {
    scale,
    isFit: chosen === 'fit',
    zoomIn: () => zoomTo(scale * STEP),
    zoomOut: () => zoomTo(scale / STEP),
    fit: () => setChosen('fit'),
    actualSize: () => {
      // When the picture fits at its own size there is nothing smaller to go back to, so this is the same as fit.
      zoomTo(1);
    },
  };
}
