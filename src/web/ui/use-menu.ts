import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';

/** At which of its items a menu opens. */
export type MenuEnd = 'first' | 'last';

/** A menu button as ARIA describes it: arrows, Home, End and first letters move, Escape and Tab leave. */
export function useMenu(opensAtOnce?: MenuEnd) {
  const menuId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<false | MenuEnd>(opensAtOnce ?? false);
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };

  useEffect(() => {
    if (!open) return;
    const all = [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    all.at(open === 'first' ? 0 : -1)?.focus();
    const onPress = (event: PointerEvent) => {
      const { target } = event;
      if (!(target instanceof Node) || menu.current?.contains(target) || button.current?.contains(target)) {
        return;
      }
      setOpen(false);
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, [open]);

  const onMenuKeyDown = (event: KeyboardEvent) => {
    const all = items();
    const { activeElement } = document;
    const at = activeElement instanceof HTMLElement ? all.indexOf(activeElement) : -1;
    const go = (index: number) => all.at(index % all.length)?.focus();
    if (event.key === 'Tab') return setOpen(false);
    if (event.key === 'Escape') {
      event.stopPropagation();
      close();
    } else if (event.key === 'ArrowDown') go(at + 1);
    else if (event.key === 'ArrowUp') go(at - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(-1);
    else if (/^\p{L}$/u.test(event.key)) {
      const letter = event.key.toLowerCase();
      const order = [...all.slice(at + 1), ...all.slice(0, at + 1)];
      order.find((item) => item.textContent?.trim().toLowerCase().startsWith(letter))?.focus();
    } else return;
    event.preventDefault();
  };

  return { open: open !== false, openMenu: setOpen, close, menuId, button, menu, onMenuKeyDown };
}
