import { Action, Close, Description, Provider, Root, Title, Viewport } from '@radix-ui/react-toast';
import { clsx } from 'clsx';
import { useEffect, useSyncExternalStore } from 'react';
import { Button } from '../basics/button.tsx';
import { Icon } from '../basics/icon.tsx';
import { PRESSED, useFreePlace } from './toast-place.ts';
import { TOAST_DURATION_MS, type ToastMessage, toastStore } from './toast-store.ts';

const SWIPE_THRESHOLD_PX = 50;
const NOTHING: readonly never[] = [];

/**
 * The region where toasts appear; F8 moves the focus into it. Loaded after the first view,
 * which is why it is rendered in the browser only.
 */
export function Toaster() {
  useEffect(leaveWithNextAction, []);
  const entries = useSyncExternalStore(toastStore.subscribe, toastStore.list, () => NOTHING);
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
            // The dialog with the focus comes first.
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
      <Viewport ref={useFreePlace(entries)} className="toast-viewport" />
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

/** A toast is about the last action, so the next one closes it. Returns a function that stops this. */
function leaveWithNextAction(): () => void {
  const watching = new AbortController();
  // Capturing, so that a toast which the action itself opens is not closed.
  const options = { capture: true, signal: watching.signal };
  const leave = ({ target }: Event) => {
    if (!(target instanceof Element) || target.closest('.toast-viewport') || !target.closest(PRESSED)) return;
    toastStore.dismiss();
  };
  // Not at `pointerdown`: what is pressed stays as it is until the pointer is released.
  document.addEventListener('click', leave, options);
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Enter' || event.key === ' ') leave(event);
    },
    options,
  );
  return () => watching.abort();
}
