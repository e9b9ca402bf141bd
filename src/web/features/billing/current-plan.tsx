import type { User } from '#contract/account';
import type { SubscriptionState } from '#contract/billing';
import type { Usage } from '#contract/extraction';
import { longDate } from '#contract/long-date';
import { PRICE_TEXT } from '#contract/product';
import { useSite } from '../../site/site.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { Badge, Card, CardBody } from '../../ui/basics/display.tsx';

interface CurrentPlanProps {
  user: User;
  usage: Usage | undefined;
  /** Null without a subscription; undefined while it is loading. */
  subscription: SubscriptionState | null | undefined;
  onUpgrade: () => void;
}

export function CurrentPlan({ user, usage, subscription, onUpgrade }: CurrentPlanProps) {
  const { freeDailyLimit } = useSite();
  return (
    <Card as="section" aria-labelledby="current-plan">
      <CardBody className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
        <div>
          <h2 id="current-plan" className="text-xl">
            Current Plan
          </h2>
          {user.isPremium ? (
            <p className="mt-2 flex flex-wrap items-center gap-3">
              <Badge tone="solid">Premium</Badge> Unlimited usage
            </p>
          ) : (
            <p className="mt-2 flex flex-wrap items-center gap-3">
              <Badge>Free Plan</Badge>
              <span className="tabular-nums">
                {usage?.imageCount ?? 0}/{usage?.dailyLimit ?? freeDailyLimit} images today
              </span>
            </p>
          )}
          {subscription && <p className="mt-2 max-w-md text-ink-soft">{subscriptionInWords(subscription)}</p>}
        </div>
        {!user.isPremium && (
          <Button variant="secondary" onClick={onUpgrade}>
            Upgrade Now
          </Button>
        )}
      </CardBody>
    </Card>
  );
}

const PROVIDERS = { paypal: 'PayPal', demo: 'the demo provider', granted: 'a grant' } as const;

/** The state of a subscription in a sentence for its owner. Days are UTC. */
export function subscriptionInWords(subscription: SubscriptionState, now = Date.now()): string {
  const { status, provider, startedAt, periodEnd, graceUntil } = subscription;
  const since = `Premium Monthly since ${longDate(startedAt)}, by ${PROVIDERS[provider]}.`;
  const end = longDate(periodEnd);
  switch (status) {
    case 'active':
      if (provider === 'demo') return `${since} It renews on ${end}; no money moves.`;
      if (graceUntil !== null) {
        return `${since} The payment that was due on ${end} has not arrived yet. Premium stays yours until ${longDate(graceUntil)}.`;
      }
      return `${since} The next payment of ${PRICE_TEXT} is due on ${end}.`;
    case 'cancelled':
      if (provider === 'granted') return `${since} It ends on ${end}.`;
      return `${since} Cancelled: nothing more is charged, and premium stays yours until ${end}.`;
    case 'ended':
      // A refunded subscription ends before its period.
      return `Your premium ${Date.parse(periodEnd) > now ? 'has ended' : `ended on ${end}`}. Your saved texts are still here.`;
  }
}
