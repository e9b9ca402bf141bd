import { SILENCE_SECONDS } from '#contract/product';
import { useOnline } from '../../../ui/basics/browser-state.ts';
import { Button } from '../../../ui/basics/button.tsx';

export interface SilenceNoticeProps {
  /** Whether the picture is still being sent. */
  isSending: boolean;
  /** Sends the request again in parallel with the pending one. */
  onTryAgain: () => void;
}

/** Announces that there is no progress, with a button to send the request again. */
export function SilenceNotice({ isSending, onTryAgain }: SilenceNoticeProps) {
  const isOnline = useOnline();
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <p className="min-w-0 flex-[1_1_16rem] text-sm">
        {isOnline
          ? `${isSending ? 'No upload progress' : 'No response'} for ${SILENCE_SECONDS} seconds. The response may still come. You can try again: it is counted once.`
          : 'You are offline. The response may still arrive when you are connected again.'}
      </p>
      {isOnline && (
        <Button variant="secondary" size="small" onClick={onTryAgain}>
          Try again
        </Button>
      )}
    </div>
  );
}
