import type { ComponentProps } from 'react';
import { lazyModule, useLazy } from '../../hydration/lazy.tsx';
import { toastError } from '../toast/toast-store.ts';
import type { Dialog } from './dialog.tsx';

const dialog = lazyModule(async () => (await import('./dialog.tsx')).Dialog);

/** A dialog of a page, whose code is fetched when it is first opened. Where that fails, it says so and is closed again. */
export function LazyDialog(props: ComponentProps<typeof Dialog>) {
  const { open, onOpenChange } = props;
  const Sheet = useLazy(dialog, {
    isDue: open,
    onFailure() {
      toastError('This could not be loaded. Check your connection and try again.');
      onOpenChange(false);
    },
  });
  if (Sheet) return <Sheet {...props} />;
  if (!open) return null;
  return (
    <p role="status" className="early-status">
      One moment, this is still loading.
    </p>
  );
}
