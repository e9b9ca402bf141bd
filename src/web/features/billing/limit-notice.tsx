import { useQuery } from '@tanstack/react-query';
import { usageQuery } from '../../session/queries.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { useNow } from '../../ui/basics/browser-state.ts';
import { Button } from '../../ui/basics/button.tsx';
import { momentInWords, timeUntil } from '../../ui/basics/words.ts';

interface WhyNowProps {
  /** Left out where there is no list to wait on. */
  onWaitlist?: (() => void) | undefined;
  /** Left out where premium cannot be bought, or the dialog sells it already. */
  onPremium?: (() => void) | undefined;
}

/**
 * In a dialog that the daily limit opened: the reason, when the count resets, and what is free. It gets the focus
 * first, so that a small screen shows the reason and not the fields below it.
 */
export function WhyNow({ onWaitlist, onPremium }: WhyNowProps) {
  const { data: usage, isFetching } = useQuery(usageQuery);
  if (!usage) return null;
  const { imageCount, dailyLimit, resetsAt } = usage;
  const used = imageCount >= dailyLimit;
  const door = onWaitlist
    ? { label: 'Join the waitlist', open: onWaitlist }
    : onPremium && { label: 'Get Premium', open: onPremium };
  return (
    <Alert
      tone="warning"
      className="mb-5"
      title={
        used
          ? `You have used ${imageCount} of ${dailyLimit} free extractions today`
          : isFetching
            ? 'Today’s free extractions are used up'
            : 'The free extractions of your network are used up for today'
      }
      action={
        door && (
          <Button data-first-focus variant="secondary" size="small" onClick={door.open}>
            {door.label}
          </Button>
        )
      }
    >
      The count resets <Until at={resetsAt} />.
    </Alert>
  );
}

/** "in 19 h", kept up to date, with the moment itself behind it. */
function Until({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={momentInWords(at)}>
      {timeUntil(at, now)} ({at.slice(11, 16)} UTC)
    </time>
  );
}
