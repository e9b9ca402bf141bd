import type { ComponentProps } from 'react';
import { lazyModule, useLazy } from '../../hydration/lazy.tsx';
import { Button } from '../basics/button.tsx';
import { toastError } from '../toast/toast-store.ts';
import type { Dialog } from './dialog.tsx';

const dialog = lazyModule(() => import('./dialog.tsx'));

/** A dialog whose code is loaded when it first opens. If loading fails, it shows an error message and closes. */
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
  /** The label of the irreversible action; `working` while it is running. */
  action: string;
  working: string;
  busy: boolean;
  onAct: () => void;
}

/** The two buttons of a confirmation. "Keep it" has the focus. */
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
