import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';

/** The item that gets the focus when the menu opens. */
export type MenuFocus = 'first' | 'last';

/**
 * A menu button of the ARIA practices: arrow keys, Home, End and first letters move the focus; Escape and Tab close the
 * menu. Letters with a modifier are left to the browser.
 */
export function useMenu(initialFocus?: MenuFocus) {
  const menuId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<false | MenuFocus>(initialFocus ?? false);
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };

  useEffect(() => {
    if (!open) return;
    const all = [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    all.at(open === 'first' ? 0 : -1)?.focus();
    const onPointerDown = (event: PointerEvent) => {
      const { target } = event;
      if (!(target instanceof Node) || menu.current?.contains(target) || button.current?.contains(target)) {
        return;
      }
      setOpen(false);
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [open]);

  const onMenuKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const all = items();
    const { activeElement } = document;
    const index = activeElement instanceof HTMLElement ? all.indexOf(activeElement) : -1;
    const focusItem = (next: number) => all.at(next % all.length)?.focus();
    if (event.key === 'Tab') return setOpen(false);
    if (event.key === 'Escape') {
      event.stopPropagation();
      close();
    } else if (event.key === 'ArrowDown') focusItem(index + 1);
    else if (event.key === 'ArrowUp') focusItem(index - 1);
    else if (event.key === 'Home') focusItem(0);
    else if (event.key === 'End') focusItem(-1);
    else if (/^\p{L}$/u.test(event.key)) {
      const letter = event.key.toLowerCase();
      const order = [...all.slice(index + 1), ...all.slice(0, index + 1)];
      order.find((item) => item.textContent?.trim().toLowerCase().startsWith(letter))?.focus();
    } else return;
    event.preventDefault();
  };

  return { open: open !== false, openMenu: setOpen, close, menuId, button, menu, onMenuKeyDown };
}
