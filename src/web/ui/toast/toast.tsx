import { Action, Close, Description, Provider, Root, Title, Viewport } from '@radix-ui/react-toast';
import { clsx } from 'clsx';
import { useEffect, useSyncExternalStore } from 'react';
import { Button } from '../basics/button.tsx';
import { Icon } from '../basics/icon.tsx';
import { BUTTONS, useToastPlace } from './toast-place.ts';
import { TOAST_DURATION_MS, type ToastMessage, toastStore } from './toast-store.ts';

const SWIPE_THRESHOLD_PX = 50;
const EMPTY: readonly never[] = [];

/**
 * The region where toasts appear. F8 moves the focus into it. It is loaded after the first view and rendered only in the
 * browser.
 */
export function Toaster() {
  useEffect(dismissOnNextAction, []);
  const entries = useSyncExternalStore(toastStore.subscribe, toastStore.list, () => EMPTY);
  return (
    <Provider swipeDirection="right" swipeThreshold={SWIPE_THRESHOLD_PX} duration={TOAST_DURATION_MS}>
      {entries.map(({ id, open, title, description, variant = 'default', onUndo }) => (
        <Root
          key={id}
          open={open}
          onOpenChange={(next) => {
            if (!next) toastStore.dismiss(id);
          }}
          onEscapeKeyDown={(event) => {
            // Escape closes an open dialog first.
            if (document.querySelector('[role=dialog]')) event.preventDefault();
          }}
          type={variant === 'destructive' ? 'foreground' : 'background'}
          className={clsx(
            'toast flex items-start gap-3 rounded-sheet border p-4 shadow-lifted',
            variant === 'destructive'
              ? 'border-danger bg-danger-wash text-ink'
              : 'border-ink bg-ink text-paper',
          )}
        >
          <Icon
            name={variant === 'destructive' ? 'danger' : 'check'}
            className={clsx('mt-0.5', variant === 'destructive' && 'text-danger')}
          />
          <div className="min-w-0 flex-1">
            <Title className="font-medium">{title}</Title>
            {description && <Description className="mt-0.5 text-sm">{description}</Description>}
            {onUndo && <Undo onUndo={onUndo} />}
          </div>
          <Close aria-label="Close" className="-m-2 rounded-control p-2 opacity-80 hover:opacity-100">
            <Icon name="close" className="size-4" />
          </Close>
        </Root>
      ))}
      <Viewport ref={useToastPlace(entries)} className="toast-viewport" />
    </Provider>
  );
}

function Undo({ onUndo }: Required<Pick<ToastMessage, 'onUndo'>>) {
  return (
    <Action asChild altText="Press F8 to reach Undo">
      <Button variant="secondary" size="small" className="mt-2 max-md:min-h-11" onClick={onUndo}>
        Undo
      </Button>
    </Action>
  );
}

/** Dismisses a toast on the next user action. Returns a function that stops this. */
function dismissOnNextAction(): () => void {
  const watching = new AbortController();
  // The capture phase runs before the action's own handlers, so a toast that they open is not dismissed.
  const options = { capture: true, signal: watching.signal };
  const dismissIfAction = ({ target }: Event) => {
    if (!(target instanceof Element) || target.closest('.toast-viewport') || !target.closest(BUTTONS)) return;
    toastStore.dismiss();
  };
  // Not on `pointerdown`, because the layout must not change during a press.
  document.addEventListener('click', dismissIfAction, options);
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Enter' || event.key === ' ') dismissIfAction(event);
    },
    options,
  );
  return () => watching.abort();
}
