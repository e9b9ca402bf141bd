import { type RefObject, useLayoutEffect, useRef } from 'react';
import { coveredArea, freePlace, overlaps } from './free-place.ts';
import type { ToastEntry } from './toast-store.ts';

/** Controls that act on a press. Text fields are not among them. */
export const BUTTONS =
  'button, summary, label, select, a[href], input:is([type=checkbox], [type=radio], [type=file], [type=range]), [role=switch], [role=tab], [role=menuitem], [role=option]';

/** A toast never covers controls if there is another place; it covers areas before messages. */
const CONTROLS = `${BUTTONS}, input:not([type=hidden])`;
const MESSAGES = 'h1, h2, [role=alert], [data-badge], [data-review], [role=dialog]';
/** Messages that may appear after the toast, so it moves away from them. Headings only pass below it while scrolling. */
const LATE_MESSAGES = '[role=alert], [data-badge], [data-review]';
/** Lines of text, not their container: below the last line there is often room. */
const AREAS = '[data-lines] > div, textarea:not([data-lines] ~ textarea), [tabindex="0"]';

/** A scroll is over after this time without an event. During a scroll, controls pass below a toast without moving it. */
const SCROLL_END_MS = 100;
/** Square pixels. Measured boxes differ from computed ones by fractions of a pixel. */
const ROUNDING_ERROR = 1;

/**
 * Places the toast region where it covers no control, and moves it when a control or a short message appears there. It
 * also moves while the pointer is on it, but never during a press, so that a press starts and ends on the same element.
 */
export function useToastPlace(entries: readonly ToastEntry[]): RefObject<HTMLOListElement | null> {
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    if (!entries.some(({ open }) => open)) return;
    let accepted = placeToast(list.current);
    let isPressing = false;
    let scrolledAt = 0;
    // Checked in every frame, because a result or a growing list is rendered after its toast.
    let frame = 0;
    const watch = (now: number) => {
      frame = requestAnimationFrame(watch);
      const element = list.current;
      if (!element || isPressing || now - scrolledAt < SCROLL_END_MS) return;
      const box = element.getBoundingClientRect();
      const { viewport, boxesOf } = findObstacles();
      const isResized =
        viewport.width !== accepted.viewport.width || viewport.height !== accepted.viewport.height;
      const [controls, lateMessages] = [
        coveredArea(box, boxesOf(CONTROLS)),
        coveredArea(box, boxesOf(LATE_MESSAGES)),
      ];
      // Unavoidable overlap is accepted, so that the toast is not placed again in every frame.
      if (isResized || controls > accepted.controls || lateMessages > accepted.answers)
        accepted = placeToast(element);
      else
        accepted = { viewport, controls: controls + ROUNDING_ERROR, answers: lateMessages + ROUNDING_ERROR };
    };
    const watching = new AbortController();
    const options = { capture: true, signal: watching.signal };
    document.addEventListener('pointerdown', () => (isPressing = true), options);
    for (const end of ['pointerup', 'pointercancel'] as const) {
      document.addEventListener(end, () => (isPressing = false), options);
    }
    document.addEventListener('scroll', ({ timeStamp }) => (scrolledAt = timeStamp), options);
    frame = requestAnimationFrame(watch);
    return () => {
      watching.abort();
      cancelAnimationFrame(frame);
    };
  }, [entries]);
  return list;
}

/** @returns the viewport's size, and the covered areas of controls and late messages, which are accepted */
function placeToast(element: HTMLElement | null) {
  const { viewport, boxesOf } = findObstacles();
  if (!element) return { viewport, controls: 0, answers: 0 };
  const size = { width: element.offsetWidth, height: element.offsetHeight };
  const controls = boxesOf(CONTROLS);
  const { left, top } = freePlace(size, {
    viewport,
    controls,
    messages: boxesOf(MESSAGES),
    areas: boxesOf(AREAS),
  });
  element.style.left = `${left}px`;
  element.style.top = `${top}px`;
  const box = { left, top, right: left + size.width, bottom: top + size.height };
  return {
    viewport,
    controls: coveredArea(box, controls) + ROUNDING_ERROR,
    answers: coveredArea(box, boxesOf(LATE_MESSAGES)) + ROUNDING_ERROR,
  };
}

/** The visible elements. Below a dialog no element can be pressed, so only the dialog's elements count. */
function findObstacles() {
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const whole = { left: 0, top: 0, right: width, bottom: height };
  const dialog = [...document.querySelectorAll('[role=dialog]')].at(-1);
  const page = dialog ?? document.body;
  const boxesOf = (selector: string) =>
    [...page.querySelectorAll(selector), ...(dialog?.matches(selector) ? [dialog] : [])]
      .filter((element) => !element.closest('.toast-viewport') && element.checkVisibility())
      .map((element) => element.getBoundingClientRect())
      .filter((box) => overlaps(box, whole));
  return { viewport: { width, height }, boxesOf };
}
