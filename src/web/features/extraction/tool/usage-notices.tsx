import type { Usage } from '#contract/extraction';
import { PAGES } from '#contract/paths';
import { DAILY_LIMIT_REACHED } from '#contract/product';
import { useSite } from '../../../site/site.tsx';
import { Alert } from '../../../ui/basics/alert.tsx';
import { useNow } from '../../../ui/basics/browser-state.ts';
import { Button, TextLink } from '../../../ui/basics/button.tsx';
import { timeUntil } from '../../../ui/basics/words.ts';

/** The warning text if at most one extraction is left; null otherwise. */
export function limitWarning({
  imageCount,
  dailyLimit,
}: Pick<Usage, 'imageCount' | 'dailyLimit'>): string | null {
  if (imageCount < dailyLimit - 1) return null;
  return imageCount < dailyLimit
    ? 'Only 1 extraction remaining today. Upgrade to Premium for unlimited access!'
    : DAILY_LIMIT_REACHED;
}

/** The warning before and at the limit. Not for premium users, who cannot upgrade. */
export function LimitWarning({ usage, onUpgrade }: { usage: Usage; onUpgrade: () => void }) {
  const warning = limitWarning(usage);
  if (warning === null) return null;
  return (
    <Alert
      tone="warning"
      action={
        <Button variant="secondary" size="small" onClick={onUpgrade}>
          Upgrade Now
        </Button>
      }
    >
      <p>{warning}</p>
      <CountReset usage={usage} />
    </Alert>
  );
}

/** At the limit: the usage, and when the count resets. */
export function CountReset({ usage: { imageCount, dailyLimit, period, resetsAt } }: { usage: Usage }) {
  const now = useNow();
  if (imageCount < dailyLimit) return null;
  const when = period === 'day' ? 'today' : 'this month';
  return (
    <p className="text-ink-soft">
      You have read {imageCount} of {dailyLimit} pictures {when}. Your count resets {timeUntil(resetsAt, now)}
      .
    </p>
  );
}

/** The free quota of an anonymous visitor, with a link to premium. */
export function FreeAllowance({ usage }: { usage: Usage }) {
  const { premiumMonthlyLimit } = useSite();
  return (
    <p className="text-sm text-ink-soft">
      Free users get {usage.dailyLimit} extractions daily.{' '}
      <TextLink href={PAGES.premium}>Upgrade for upto {premiumMonthlyLimit} extractions per month</TextLink>
    </p>
  );
}
