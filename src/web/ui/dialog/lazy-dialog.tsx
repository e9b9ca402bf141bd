import type { ComponentProps } from 'react';
import { lazyModule, useLazy } from '../../hydration/lazy.tsx';
import { Button } from '../basics/button.tsx';
import { toastError } from '../toast/toast-store.ts';
import type { Dialog } from './dialog.tsx';

const dialog = lazyModule(() => import('./dialog.tsx'));

/** A dialog of a page, whose code is fetched when it is first opened. Where that fails, it says so and is closed again. */
export function LazyDialog(props: ComponentProps<typeof Dialog>) {
  const { open, onOpenChange } = props;
  const loaded = useLazy(dialog, {
    enabled: open,
    onFailure() {
      toastError('This could not be loaded. Check your connection and try again.');
      onOpenChange(false);
    },
  });
  if (loaded) return <loaded.Dialog {...props} />;
  if (!open) return null;
  return (
    <p role="status" className="early-status">
      One moment, this is still loading.
    </p>
  );
}

interface ConfirmActionsProps {
  onKeep: () => void;
  /** The irreversible action as the button says it, and while it is running. */
  action: string;
  working: string;
  busy: boolean;
  onAct: () => void;
}

/** The two buttons of a confirmation; the harmless one has the focus. */
export function ConfirmActions({ onKeep, action, working, busy, onAct }: ConfirmActionsProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button data-first-focus onClick={onKeep}>
        Keep it
      </Button>
      <Button variant="secondary" busy={busy} onClick={onAct}>
        {busy ? working : action}
      </Button>
    </div>
  );
}
