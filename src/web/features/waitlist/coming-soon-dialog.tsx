import { useSite } from '../../site/site.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { picturesADay } from '../../ui/basics/words.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';

interface ComingSoonDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** "Notify Me When Ready" was pressed. */
  onNotify: () => void;
  /** Called by visitors who already have an account. */
  onSignIn: () => void;
  returnFocusTo: () => HTMLElement | null;
}

/** The answer to "Premium Sign In" while premium is only announced; existing accounts can still sign in. */
export function ComingSoonDialog({
  open,
  onOpenChange,
  onNotify,
  onSignIn,
  returnFocusTo,
}: ComingSoonDialogProps) {
  const { freeDailyLimit } = useSite();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      returnFocusTo={returnFocusTo}
      title="Coming Soon"
      description={`Premium is not open to everyone yet. ${freeInWords(freeDailyLimit)}`}
    >
      <div className="flex flex-wrap gap-3">
        <Button data-first-focus onClick={onNotify}>
          Notify Me When Ready
        </Button>
        <Button variant="secondary" onClick={() => onOpenChange(false)}>
          Close
        </Button>
      </div>
      <p className="mt-5 border-t border-rule pt-4 text-sm text-ink-soft">
        You have an account already?{' '}
        <Button variant="quiet" onClick={onSignIn}>
          Sign in
        </Button>
      </p>
    </Dialog>
  );
}

function freeInWords(perDay: number): string {
  return `Until then, ${picturesADay(perDay)} ${perDay === 1 ? 'is' : 'are'} free, and no account is needed.`;
}
