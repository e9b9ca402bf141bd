import { Close, Content, Description, Portal, Root, Title } from '@radix-ui/react-dialog';
import { clsx } from 'clsx';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { Icon } from '../basics/icon.tsx';
import { enterDialogHistory } from './dialog-history.ts';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  className?: string;
  'data-testid'?: string;
  /**
   * Returns the element to focus after closing, or null to keep the focus, for example if another dialog follows. By
   * default, the focus returns to the element that had it before the dialog opened.
   */
  returnFocusTo?: () => HTMLElement | null;
}

/**
 * A modal dialog. It traps the focus, closes on Escape, on the browser's Back and on a click outside, and restores the
 * focus. The element with `data-first-focus` gets the focus first; by default, the first focusable element.
 * No first view needs this code: pages use `LazyDialog`.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  className,
  returnFocusTo,
  ...rest
}: DialogProps) {
  const opener = useRef<Element | null>(null);
  const close = useEffectEvent(() => onOpenChange(false));
  useEffect(() => (open ? enterDialogHistory(() => close()) : undefined), [open]);
  return (
    <Root open={open} onOpenChange={onOpenChange}>
      <Portal>
        {/* The library's overlay locks scrolling with a style element, which the content security policy blocks. */}
        <div className="scrim motion-fade fixed inset-0 z-40 bg-scrim" />
        <Content
          {...rest}
          ref={keepFocusVisible}
          onKeyDown={(event) => {
            // With a newer toast above the dialog, the library would send Escape only to the toast.
            if (event.key === 'Escape') onOpenChange(false);
          }}
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement;
            const { target } = event;
            const first = target instanceof Element && target.querySelector('[data-first-focus]');
            if (!(first instanceof HTMLElement)) return;
            event.preventDefault();
            first.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const target = returnFocusTo ? returnFocusTo() : opener.current;
            if (!(target instanceof HTMLElement)) return;
            target.focus();
            // If the element was removed or hidden, the focus moves to the page's content.
            if (document.activeElement !== target) document.querySelector('main')?.focus();
          }}
          {...(description === undefined && { 'aria-describedby': undefined })}
          className={clsx(
            'dialog-sheet motion-rise fixed inset-x-4 z-50 mx-auto max-w-md -translate-y-1/2 overflow-y-auto',
            'rounded-sheet border border-rule-strong bg-sheet p-6 shadow-lifted',
            className,
          )}
        >
          <div className="flex items-start justify-between gap-4">
            <Title className="font-display text-2xl">{title}</Title>
            <Close
              aria-label="Close"
              className="-m-2.5 rounded-control p-2.5 text-ink-soft hover:bg-sunk hover:text-ink"
            >
              <Icon name="close" />
            </Close>
          </div>
          {description !== undefined && (
            <Description className="mt-1 text-ink-soft">{description}</Description>
          )}
          <div data-sheet-body className="mt-5">
            {children}
          </div>
        </Content>
      </Portal>
    </Root>
  );
}

/** Keeps the focused field visible when content appears above it. */
function keepFocusVisible(sheet: HTMLElement | null) {
  if (!sheet) return;
  const observer = new ResizeObserver(() => {
    const { activeElement } = document;
    if (sheet.contains(activeElement)) activeElement?.scrollIntoView({ block: 'nearest' });
  });
  observer.observe(sheet);
  for (const body of sheet.querySelectorAll('[data-sheet-body]')) observer.observe(body);
  return () => observer.disconnect();
}
