import { type RefObject, useLayoutEffect, useRef } from 'react';
import { freePlace, overlaps } from './free-place.ts';
import type { ToastEntry } from './toast-store.ts';

/** What is pressed to have something happen; words that are only looked at or written are not. */
export const PRESSED =
  'button, summary, label, select, a[href], input:is([type=checkbox], [type=radio], [type=file], [type=range]), [role=switch], [role=tab], [role=menuitem], [role=option]';

/** What a toast never covers, and what it covers only where there is no other place, the last first. */
const CONTROLS = `${PRESSED}, input:not([type=hidden])`;
const READ = 'h1, h2, [role=alert], [data-badge], [role=dialog]';
const WIDE = 'textarea, [tabindex="0"]';

/** A page that scrolls stands still again after so long: until then controls only pass below a toast. */
const STILL_MS = 100;

/**
 * Puts the region of toasts where no control lies, and moves it when one comes to lie there: never while something is
 * pressed, so that a press ends on what it began on, and not while the toast itself is pointed at or has the focus.
 */
export function useFreePlace(entries: readonly ToastEntry[]): RefObject<HTMLOListElement | null> {
  const viewport = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    if (!entries.some(({ open }) => open)) return;
    put(viewport.current);
    let isPressing = false;
    let scrolled = 0;
    // With every frame: a result, or a list that grows, is drawn after the toast that tells of it.
    let frame = 0;
    const watch = (now: number) => {
      frame = requestAnimationFrame(watch);
      const element = viewport.current;
      if (isPressing || now - scrolled < STILL_MS) return;
      if (!element || element.matches(':hover, :focus-within')) return;
      const box = element.getBoundingClientRect();
      const { room, boxesOf } = surroundings();
      const isOutside = box.right > room.width || box.bottom > room.height;
      if (isOutside || boxesOf(CONTROLS).some((control) => overlaps(control, box))) put(element);
    };
    const watching = new AbortController();
    const options = { capture: true, signal: watching.signal };
    document.addEventListener('pointerdown', () => (isPressing = true), options);
    for (const end of ['pointerup', 'pointercancel'] as const) {
      document.addEventListener(end, () => (isPressing = false), options);
    }
    document.addEventListener('scroll', ({ timeStamp }) => (scrolled = timeStamp), options);
    frame = requestAnimationFrame(watch);
    return () => {
      watching.abort();
      cancelAnimationFrame(frame);
    };
  }, [entries]);
  return viewport;
}

function put(element: HTMLElement | null): void {
  if (!element) return;
  const { room, boxesOf } = surroundings();
  const { left, top } = freePlace(
    { width: element.offsetWidth, height: element.offsetHeight },
    { room, controls: boxesOf(CONTROLS), read: boxesOf(READ), wide: boxesOf(WIDE) },
  );
  element.style.left = `${left}px`;
  element.style.top = `${top}px`;
}

/** What lies in the window. Of a page below a dialog nothing can be pressed. */
function surroundings() {
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const whole = { left: 0, top: 0, right: width, bottom: height };
  const dialog = [...document.querySelectorAll('[role=dialog]')].at(-1);
  const page = dialog ?? document.body;
  const boxesOf = (selector: string) =>
    [...page.querySelectorAll(selector), ...(dialog?.matches(selector) ? [dialog] : [])]
      .filter((element) => !element.closest('.toast-viewport') && element.checkVisibility())
      .map((element) => element.getBoundingClientRect())
      .filter((box) => overlaps(box, whole));
  return { room: { width, height }, boxesOf };
}
