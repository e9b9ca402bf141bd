import { Dialog } from '../../ui/dialog.tsx';
import { OwnClaim } from './claim-form.tsx';

interface ClaimDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDone: () => void;
  returnFocusTo: () => HTMLElement | null;
}

/** Paid, but the name or the address was lost meanwhile. */
export function ClaimDialog({ open, onOpenChange, onDone, returnFocusTo }: ClaimDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      returnFocusTo={returnFocusTo}
      title="Finish your registration"
      description="Your payment has arrived. While it was under way, somebody else took the username or the address: choose another, and your premium account is ready."
    >
      <OwnClaim onDone={onDone} />
    </Dialog>
  );
}
