import { SILENCE_SECONDS } from '#contract/product';
import { useOnline } from '../../../ui/basics/browser-state.ts';
import { Button } from '../../../ui/basics/button.tsx';

export interface SilenceProps {
  /** The picture has not left yet. */
  isSending: boolean;
  /** Retries in parallel with the pending request. */
  onTryAgain: () => void;
}

/** Announces that there is no progress, and what can be done about it. */
export function Silence({ isSending, onTryAgain }: SilenceProps) {
  const isOnline = useOnline();
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 flex-[1_1_16rem] text-sm">
        {isOnline
          ? `${isSending ? 'No upload progress' : 'No response'} for ${SILENCE_SECONDS} seconds. The answer may still come; trying again costs nothing, it is counted once.`
          : 'You are offline. What is under way may still arrive once you are connected.'}
      </p>
      {isOnline && (
        <Button variant="secondary" size="small" onClick={onTryAgain}>
          Try again
        </Button>
      )}
    </div>
  );
}
