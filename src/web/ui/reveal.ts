const MARGIN_PX = 24;

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
