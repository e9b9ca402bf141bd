import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SubscriptionState } from '#contract/billing';
import { longDate } from '#contract/long-date';
import { billing, reasonOf } from '../../api/client.ts';
import { refreshPerson, subscriptionQuery, usageQuery } from '../../session/queries.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { Badge, Skeleton } from '../../ui/basics/display.tsx';
import { LazyDialog } from '../../ui/dialog/lazy-dialog.tsx';
import { toast } from '../../ui/toast/toast-store.ts';
import { subscriptionInWords } from './current-plan.tsx';

/** The plan, its usage, its payment method, and how to cancel it. */
export function PlanSettings({ onUpgrade }: { onUpgrade: () => void }) {
  const { data: subscription, isError } = useQuery(subscriptionQuery);
  const usage = useQuery(usageQuery).data;
  if (isError)
    return <Alert tone="danger">Your subscription could not be loaded. Please reload the page.</Alert>;
  if (subscription === undefined) return <Skeleton className="h-28" />;
  const premium = subscription?.premium ?? false;
  return (
    <div className="grid justify-items-start gap-4">
      <p>{premium ? <Badge tone="solid">Premium</Badge> : <Badge>Free Plan</Badge>}</p>
      {usage && (
        <p className="tabular-nums">
          {usage.imageCount} of {usage.dailyLimit} extractions used{' '}
          {usage.period === 'month' ? 'this month' : 'today'}; resets on {longDate(usage.resetsAt)}.
        </p>
      )}
      {subscription && <p className="text-ink-soft">{subscriptionInWords(subscription)}</p>}
      {subscription?.status === 'active' && <Cancellation subscription={subscription} />}
      {!premium && <Button onClick={onUpgrade}>Upgrade</Button>}
    </div>
  );
}

function Cancellation({ subscription }: { subscription: SubscriptionState }) {
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => billing.ask('POST /api/subscription/cancel'),
    onSuccess: async (next) => {
      queries.setQueryData(subscriptionQuery.queryKey, next.subscription);
      await refreshPerson(queries);
      setOpen(false);
      toast({
        title: 'Subscription cancelled',
        description: `Premium stays yours until ${longDate(subscription.periodEnd)}.`,
      });
    },
    onError: async (failure) => {
      const description = await reasonOf(failure, 'Nothing was cancelled. Please try again.');
      toast({ title: 'Error', description, variant: 'destructive' });
    },
  });
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Cancel subscription
      </Button>
      <LazyDialog
        open={open}
        onOpenChange={setOpen}
        title="Cancel your subscription?"
        description={`Nothing more is charged, and premium stays yours until ${longDate(subscription.periodEnd)}. Afterwards your account becomes a free one and keeps its saved texts.`}
      >
        {error && (
          <Alert tone="danger" isAnnouncedElsewhere className="mb-4">
            It could not be cancelled. Please try again, or write to our support.
          </Alert>
        )}
        <div className="flex flex-wrap gap-3">
          <Button data-first-focus onClick={() => setOpen(false)}>
            Keep premium
          </Button>
          <Button variant="secondary" busy={isPending} onClick={() => mutate()}>
            {isPending ? 'Cancelling...' : 'Cancel subscription'}
          </Button>
        </div>
      </LazyDialog>
    </>
  );
}
