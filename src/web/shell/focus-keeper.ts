/*
 * If the focused element disappears or is disabled for a while, the browser moves the focus to the body: Tab starts at
 * the top, and a screen reader is silent. This module then moves the focus to the nearest element that can have it,
 * unless a component moves the focus within two frames.
 */

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), textarea, summary, [tabindex]';

const canHaveFocus = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement &&
  element.isConnected &&
  !element.matches(':disabled') &&
  element.checkVisibility();

const isLost = () => document.activeElement === null || document.activeElement === document.body;

/** Starts to restore lost focus, for the lifetime of the page. */
export function keepFocus(): void {
  let last: Element | null = null;
  /** The ancestors of `last`, the nearest first: a removed element no longer has them. */
  let ancestors: Element[] = [];
  let isScheduled = false;

  const remember = (element: Element | null) => {
    last = element;
    ancestors = [];
    for (let parent = element?.parentElement; parent; parent = parent.parentElement) ancestors.push(parent);
  };

  const recover = () => {
    isScheduled = false;
    if (!last || !isLost() || !document.hasFocus()) return;
    if (last.isConnected) {
      // A disabled element may only be busy: it gets the focus back when it is enabled.
      if (canHaveFocus(last)) last.focus({ preventScroll: true });
      if (!isLost() || last.matches(':disabled')) return;
    }
    for (const ancestor of ancestors.filter(({ isConnected }) => isConnected)) {
      const next = [...ancestor.querySelectorAll(FOCUSABLE)].find(canHaveFocus);
      if (ancestor === document.body) break;
      (next ?? (canHaveFocus(ancestor) ? ancestor : undefined))?.focus({ preventScroll: true });
      if (!isLost()) return;
    }
    document
      .querySelector<HTMLElement>('[role=dialog] :is(button, input), main')
      ?.focus({ preventScroll: true });
  };

  // Components move the focus themselves by the next frame.
  const scheduleRecovery = () => {
    if (isScheduled || !last || !isLost()) return;
    isScheduled = true;
    requestAnimationFrame(() => requestAnimationFrame(recover));
  };

  if (!isLost()) remember(document.activeElement);
  document.addEventListener('focusin', ({ target }) => remember(target instanceof Element ? target : null));
  // A press on an empty area removes the focus on purpose.
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Element && !target.closest(FOCUSABLE) && !target.closest('label')) remember(null);
  });
  new MutationObserver(scheduleRecovery).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled', 'hidden'],
  });
}
