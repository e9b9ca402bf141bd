/*
 * If the focused element disappears or is disabled for a while, the browser moves the focus to the body: Tab starts at
 * the top, and a screen reader is silent. Parts that move the focus themselves are left alone.
 */

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), textarea, summary, [tabindex]';

const canHaveFocus = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement &&
  element.isConnected &&
  !element.matches(':disabled') &&
  element.checkVisibility();

const isLost = () => document.activeElement === null || document.activeElement === document.body;

/** Begins to look after the focus, for as long as the page is there. */
export function keepFocus(): void {
  let last: Element | null = null;
  /** Its ancestors, the nearest first. */
  let around: Element[] = [];
  let isDue = false;

  const note = (element: Element | null) => {
    last = element;
    around = [];
    for (let parent = element?.parentElement; parent; parent = parent.parentElement) around.push(parent);
  };

  const recover = () => {
    isDue = false;
    if (!last || !isLost() || !document.hasFocus()) return;
    if (last.isConnected) {
      // It may only be busy, and is waited for.
      if (canHaveFocus(last)) last.focus({ preventScroll: true });
      if (!isLost() || last.matches(':disabled')) return;
    }
    for (const place of around.filter(({ isConnected }) => isConnected)) {
      const next = [...place.querySelectorAll(FOCUSABLE)].find(canHaveFocus);
      if (place === document.body) break;
      (next ?? (canHaveFocus(place) ? place : undefined))?.focus({ preventScroll: true });
      if (!isLost()) return;
    }
    document
      .querySelector<HTMLElement>('[role=dialog] :is(button, input), main')
      ?.focus({ preventScroll: true });
  };

  // Intended focus changes happen by the next frame.
  const lookLater = () => {
    if (isDue || !last || !isLost()) return;
    isDue = true;
    requestAnimationFrame(() => requestAnimationFrame(recover));
  };

  if (!isLost()) note(document.activeElement);
  document.addEventListener('focusin', ({ target }) => note(target instanceof Element ? target : null));
  // A press on an empty area removes the focus on purpose.
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Element && !target.closest(FOCUSABLE) && !target.closest('label')) note(null);
  });
  new MutationObserver(lookLater).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled', 'hidden'],
  });
}
