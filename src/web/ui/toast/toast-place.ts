import { type RefObject, useLayoutEffect, useRef } from 'react';
import { covered, freePlace, overlaps } from './free-place.ts';
import type { ToastEntry } from './toast-store.ts';

/** Controls that act when pressed; fields are not among them. */
export const PRESSED =
  'button, summary, label, select, a[href], input:is([type=checkbox], [type=radio], [type=file], [type=range]), [role=switch], [role=tab], [role=menuitem], [role=option]';

/** A toast never covers the first, and covers the second only if there is no other place, the last first. */
const CONTROLS = `${PRESSED}, input:not([type=hidden])`;
const READ = 'h1, h2, [role=alert], [data-badge], [data-asks], [role=dialog]';
/** Parts that appear with an answer, perhaps after its toast. Headings only pass below it while scrolling. */
const ANSWERS = '[role=alert], [data-badge], [data-asks]';
/** Below the last line of a text there is often room. */
const WIDE = '[data-lines] > div, textarea:not([data-lines] ~ textarea), [tabindex="0"]';

/** A page that scrolls stands still again after so long: until then controls only pass below a toast. */
const STILL_MS = 100;
/** Square pixels: what is measured lies within fractions of where it was put. */
const ROUNDED = 1;

/**
 * Places the region of toasts where no control is, and moves it when a control or a short message appears there: also
 * while the pointer is on it, but never during a press, so that a press ends on the element it began on.
 */
export function useFreePlace(entries: readonly ToastEntry[]): RefObject<HTMLOListElement | null> {
  const viewport = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    if (!entries.some(({ open }) => open)) return;
    let borne = put(viewport.current);
    let isPressing = false;
    let scrolled = 0;
    // In every frame: a result or a growing list is rendered after its toast.
    let frame = 0;
    const watch = (now: number) => {
      frame = requestAnimationFrame(watch);
      const element = viewport.current;
      if (!element || isPressing || now - scrolled < STILL_MS) return;
      const box = element.getBoundingClientRect();
      const { room, boxesOf } = surroundings();
      const isOther = room.width !== borne.room.width || room.height !== borne.room.height;
      const [controls, answers] = [covered(box, boxesOf(CONTROLS)), covered(box, boxesOf(ANSWERS))];
      // What cannot be helped is borne, or it would be put to the same place with every frame.
      if (isOther || controls > borne.controls || answers > borne.answers) borne = put(element);
      else borne = { room, controls: controls + ROUNDED, answers: answers + ROUNDED };
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

/** @returns the window's size, and how much of controls and of answers is covered there; it is moved away from more */
function put(element: HTMLElement | null) {
  const { room, boxesOf } = surroundings();
  if (!element) return { room, controls: 0, answers: 0 };
  const size = { width: element.offsetWidth, height: element.offsetHeight };
  const controls = boxesOf(CONTROLS);
  const { left, top } = freePlace(size, { room, controls, read: boxesOf(READ), wide: boxesOf(WIDE) });
  element.style.left = `${left}px`;
  element.style.top = `${top}px`;
  const box = { left, top, right: left + size.width, bottom: top + size.height };
  return {
    room,
    controls: covered(box, controls) + ROUNDED,
    answers: covered(box, boxesOf(ANSWERS)) + ROUNDED,
  };
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
