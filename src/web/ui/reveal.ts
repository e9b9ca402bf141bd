const MARGIN_PX = 24;
/** Longer than a browser takes to scroll smoothly. */
const SCROLLING_MS = 2000;

/**
 * Scrolls the page until an element is at its top. A notice that appears above it meanwhile moves the target, so the page
 * scrolls again when the first scroll ends, unless the user has acted.
 * @returns a function that cancels it
 */
export function bringToTop(element: Element): () => void {
  const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const placeOnPage = () => Math.round(window.scrollY + element.getBoundingClientRect().top);
  let aimedAt = placeOnPage();
  const aim = () => {
    aimedAt = placeOnPage();
    element.scrollIntoView({ block: 'start', behavior: isCalm ? 'auto' : 'smooth' });
  };
  const aiming = new AbortController();
  const stop = () => aiming.abort();
  const { signal } = aiming;
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    document.addEventListener(type, stop, { signal, passive: true });
  document.addEventListener('scrollend', () => (placeOnPage() === aimedAt ? stop() : aim()), { signal });
  setTimeout(stop, SCROLLING_MS);
  aim();
  return stop;
}

/** Scrolls a container, and nothing around it, so far that an element or a range in it can be seen. */
export function revealIn(container: HTMLElement, element: Pick<Element, 'getBoundingClientRect'>): void {
  const frame = container.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  const overshoot = (start: number, end: number, frameStart: number, frameEnd: number) => {
    if (start < frameStart + MARGIN_PX) return start - frameStart - MARGIN_PX;
    return end > frameEnd - MARGIN_PX ? end - frameEnd + MARGIN_PX : 0;
  };
  container.scrollBy({
    left: overshoot(box.left, box.right, frame.left, frame.left + container.clientWidth),
    top: overshoot(box.top, box.bottom, frame.top, frame.top + container.clientHeight),
  });
}
