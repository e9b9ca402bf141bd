import { useSite } from '../../site/site.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { picturesADay } from '../../ui/basics/words.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';

interface ComingSoonDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Called by "Notify Me When Ready". */
  onNotify: () => void;
  /** Called by the link for visitors who already have an account. */
  onSignIn: () => void;
  returnFocusTo: () => HTMLElement | null;
}

/** The dialog of "Premium Sign In" while premium is coming soon. Users with an account can sign in from it. */
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
        Do you have an account already?{' '}
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
