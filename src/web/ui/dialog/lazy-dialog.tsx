import { type ComponentProps, useEffect, useState } from 'react';
import { toastError } from '../toast/toast-store.ts';
import type { Dialog } from './dialog.tsx';

type DialogProps = ComponentProps<typeof Dialog>;

/** A dialog of a page, whose code is fetched when it is first opened. Where that fails, it says so and is closed again. */
export function LateDialog(props: DialogProps) {
  const { open, onOpenChange } = props;
  const [Sheet, setSheet] = useState<typeof Dialog | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the one who opened it is who is told
  useEffect(() => {
    if (!open || Sheet) return;
    let left = false;
    import('./dialog.tsx').then(
      ({ Dialog }) => left || setSheet(() => Dialog),
      () => {
        if (left) return;
        toastError('This could not be loaded. Check your connection and try again.');
        onOpenChange(false);
      },
    );
    return () => {
      left = true;
    };
  }, [open, Sheet]);
  if (Sheet) return <Sheet {...props} />;
  if (!open) return null;
  return (
    <p role="status" className="early-status">
      One moment, this is still loading.
    </p>
  );
}
