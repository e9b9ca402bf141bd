import { useQuery } from '@tanstack/react-query';
import { usageQuery } from '../../session/queries.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { useNow } from '../../ui/basics/browser-state.ts';
import { Button } from '../../ui/basics/button.tsx';
import { momentInWords, timeUntil } from '../../ui/basics/words.ts';

interface LimitNoticeProps {
  /** Undefined without a waitlist. */
  onWaitlist?: (() => void) | undefined;
  /** Undefined if premium is not available, or in the payment dialog. */
  onPremium?: (() => void) | undefined;
}

/**
 * The notice in a dialog that the daily limit opened: the usage, when the count resets, and a button. The button gets
 * the focus first, so that a small screen shows the notice and not the fields below it.
 */
export function LimitNotice({ onWaitlist, onPremium }: LimitNoticeProps) {
  const { data: usage, isFetching } = useQuery(usageQuery);
  if (!usage) return null;
  const { imageCount, dailyLimit, resetsAt } = usage;
  const used = imageCount >= dailyLimit;
  const action = onWaitlist
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
        action && (
          <Button data-first-focus variant="secondary" size="small" onClick={action.open}>
            {action.label}
          </Button>
        )
      }
    >
      The count resets <Until at={resetsAt} />.
    </Alert>
  );
}

/** "in 19 h", kept up to date, with the exact time as a tooltip. */
function Until({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={momentInWords(at)}>
      {timeUntil(at, now)} ({at.slice(11, 16)} UTC)
    </time>
  );
}
