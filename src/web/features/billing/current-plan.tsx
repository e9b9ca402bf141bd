import type { User } from '#contract/account';
import type { SubscriptionState } from '#contract/billing';
import type { Usage } from '#contract/usage';
import { useSite } from '../../site/site.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { Badge, Card, CardBody } from '../../ui/basics/display.tsx';
import { subscriptionInWords } from './subscription-in-words.ts';

interface CurrentPlanProps {
  user: User;
  usage: Usage | undefined;
  /** The plan and its end; undefined while unknown. */
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
