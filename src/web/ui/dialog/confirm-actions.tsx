import { Button } from '../basics/button.tsx';

interface ConfirmActionsProps {
  onKeep: () => void;
  /** What cannot be undone, as the button says it, and says it while it is under way. */
  action: string;
  working: string;
  busy: boolean;
  onAct: () => void;
}

/** The two ways out of a dialog that asks once more before something goes; the keyboard begins at the harmless one. */
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
