/**
 * Gives the focus of a pressed control that disappears to what `find` returns, or to the page. It waits for the next frame,
 * when the successor is rendered and enabled, and leaves a focus alone that has moved on by then: text typed in the meantime
 * must not go elsewhere.
 */
export function focusInstead(find: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() => {
    const { activeElement: active } = document;
    if (active && active !== document.body && !active.matches(':disabled')) return;
    (find() ?? document.querySelector('main'))?.focus();
  });
}
