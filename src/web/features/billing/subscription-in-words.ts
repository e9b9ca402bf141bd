import type { SubscriptionState } from '#contract/billing';
import { longDate } from '#contract/long-date';
import { PRICE_SHOWN } from '#contract/product';

const PROVIDERS = { paypal: 'PayPal', demo: 'the demo provider', granted: 'a grant' } as const;

/** A subscription's state in a sentence for its owner, the same wherever a plan is shown. Days are UTC. */
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
      return `${since} The next payment of ${PRICE_SHOWN} is due on ${end}.`;
    case 'cancelled':
      if (provider === 'granted') return `${since} It ends on ${end}.`;
      return `${since} Cancelled: nothing more is charged, and premium stays yours until ${end}.`;
    case 'ended':
      // A refunded subscription ends before its period does.
      return `Your premium ${Date.parse(periodEnd) > now ? 'has ended' : `ended on ${end}`}. Your saved texts are still here.`;
  }
}
