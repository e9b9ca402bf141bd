import { useSite } from '../../site.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { picturesADay } from '../../words.ts';

interface ComingSoonDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** "Notify Me When Ready" was pressed. */
  onNotify: () => void;
  returnFocusTo: () => HTMLElement | null;
}

/** The answer to "Premium Sign In" while there is nothing to sign in to. */
export function ComingSoonDialog({ open, onOpenChange, onNotify, returnFocusTo }: ComingSoonDialogProps) {
  const { freeDailyLimit } = useSite();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      returnFocusTo={returnFocusTo}
      title="Coming Soon"
      description={`Premium accounts are not open yet. Until they are, ${picturesADay(freeDailyLimit)} ${freeDailyLimit === 1 ? 'is' : 'are'} free, and no account is needed.`}
    >
      <div className="flex flex-wrap gap-3">
        <Button data-first-focus onClick={onNotify}>
          Notify Me When Ready
        </Button>
        <Button variant="secondary" onClick={() => onOpenChange(false)}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
