const MARGIN_PX = 24;
/** Longer than a smooth scroll of any browser. */
const MAX_SCROLL_MS = 2000;

/**
 * Scrolls the page until an element is at its top. If a notice appears above the element during the scroll, the page
 * scrolls again after it, unless the user has acted.
 * @returns a function that cancels it
 */
export function bringToTop(element: Element): () => void {
  const reducesMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const targetTop = () => Math.round(window.scrollY + element.getBoundingClientRect().top);
  let scrollTarget = targetTop();
  const scrollToElement = () => {
    scrollTarget = targetTop();
    element.scrollIntoView({ block: 'start', behavior: reducesMotion ? 'auto' : 'smooth' });
  };
  const scrolling = new AbortController();
  const stop = () => scrolling.abort();
  const { signal } = scrolling;
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    document.addEventListener(type, stop, { signal, passive: true });
  document.addEventListener('scrollend', () => (targetTop() === scrollTarget ? stop() : scrollToElement()), {
    signal,
  });
  setTimeout(stop, MAX_SCROLL_MS);
  scrollToElement();
  return stop;
}

/** Scrolls only the container until an element or a range in it is visible. */
export function revealIn(container: HTMLElement, element: Pick<Element, 'getBoundingClientRect'>): void {
  const bounds = container.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  const overshoot = (start: number, end: number, frameStart: number, frameEnd: number) => {
    if (start < frameStart + MARGIN_PX) return start - frameStart - MARGIN_PX;
    return end > frameEnd - MARGIN_PX ? end - frameEnd + MARGIN_PX : 0;
  };
  container.scrollBy({
    left: overshoot(box.left, box.right, bounds.left, bounds.left + container.clientWidth),
    top: overshoot(box.top, box.bottom, bounds.top, bounds.top + container.clientHeight),
  });
}
