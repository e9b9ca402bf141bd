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
   * The element that gets the focus after closing; null leaves it where it is, as when another dialog follows. By
   * default, the element that had it before the dialog opened.
   */
  returnFocusTo?: () => HTMLElement | null;
}

/**
 * A modal sheet: traps the focus, closes on Escape, on the browser's Back and outside, gives the focus back. An element with
 * `data-first-focus` starts with the focus; otherwise it is the first that can have it.
 * No first view needs it: what stands in a page opens a `LazyDialog`.
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
        {/* Not the library's own overlay: that one locks scrolling by a style element, which the content policy refuses. */}
        <div className="scrim motion-fade fixed inset-0 z-40 bg-scrim" />
        <Content
          {...rest}
          ref={keepFocusInSight}
          onKeyDown={(event) => {
            // A newer toast lies above the dialog, and the library would send Escape to that alone.
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
            // It may be gone or hidden by now: then the focus moves to the page's content.
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

/** Content that arrives above a field must not move it while the user is typing. */
function keepFocusInSight(sheet: HTMLElement | null) {
  if (!sheet) return;
  const observer = new ResizeObserver(() => {
    const { activeElement } = document;
    if (sheet.contains(activeElement)) activeElement?.scrollIntoView({ block: 'nearest' });
  });
  observer.observe(sheet);
  for (const body of sheet.querySelectorAll('[data-sheet-body]')) observer.observe(body);
  return () => observer.disconnect();
}
