import type { ReactNode } from 'react';
import { FORMAT_IDS, FORMATS } from '#contract/formats';
import { PAGES } from '#contract/paths';
import { numberInWords, PREMIUM_LANGUAGES, PRICE_TEXT, STORAGE_LIMIT_TEXT } from '#contract/product';
import { useSite } from '../../site/site.tsx';
import { Button, TextLink } from '../../ui/basics/button.tsx';
import { Badge } from '../../ui/basics/display.tsx';

const FILES = FORMAT_IDS.filter((id) => FORMATS[id].premium).map((id) => FORMATS[id].name);

const lines = (perMonth: number) => [
  { what: 'Extractions', amount: `${numberInWords(perMonth)} per month` },
  { what: 'Storage for texts', amount: STORAGE_LIMIT_TEXT },
  { what: 'Languages', amount: PREMIUM_LANGUAGES },
  { what: 'Processing', amount: 'priority' },
  { what: 'Text recognition', amount: 'advanced' },
  { what: 'Files', amount: FILES.join(', ') },
  { what: 'Support', amount: 'premium' },
];

interface PremiumPlanProps {
  comingSoon: boolean;
  /** The user has premium already. */
  subscribed: boolean;
  onChoose: () => void;
}

/** The features of the plan, its price and the button to subscribe. */
export function PremiumPlan({ comingSoon, subscribed, onChoose }: PremiumPlanProps) {
  const { premiumMonthlyLimit } = useSite();
  const announced = comingSoon && !subscribed;
  return (
    <section
      aria-labelledby="premium-plan"
      className="border border-rule-strong bg-sheet px-5 pt-5 pb-6 shadow-lifted md:px-7 md:pt-7"
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="premium-plan" className="text-2xl">
          Premium Plan
        </h2>
        {announced && <Badge>Coming Soon</Badge>}
      </div>
      <dl className="mt-5">
        {lines(premiumMonthlyLimit).map(({ what, amount }) => (
          <Line key={what} what={what}>
            {amount}
          </Line>
        ))}
      </dl>
      <p className="mt-3 flex items-baseline justify-between gap-4 border-t border-rule-heavy pt-4">
        <span>{announced ? 'Price at opening' : 'Premium Monthly'}</span>{' '}
        <span className="font-mono text-xl tabular-nums">
          {PRICE_TEXT} <span className="text-sm text-ink-soft">a month</span>
        </span>
      </p>
      <div className="mt-6">
        {subscribed ? (
          <p className="text-ink-soft">
            This is your plan. Thank you. Your <TextLink href={PAGES.account}>account page</TextLink> shows
            your usage and how to cancel.
          </p>
        ) : (
          <>
            <Button size="large" className="w-full" onClick={onChoose}>
              {comingSoon ? 'Get Notified When Available' : 'Subscribe'}
            </Button>
            <p className="mt-3 text-sm text-ink-soft">
              {comingSoon
                ? 'One mail on the day it opens. The free tool stays as it is.'
                : 'Billed monthly in US dollars. Cancel anytime.'}
            </p>
          </>
        )}
      </div>
    </section>
  );
}

function Line({ what, children }: { what: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline gap-2 py-1.5">
      <dt>{what}</dt>
      <span aria-hidden="true" className="flex-1 border-b border-dotted border-rule-strong" />
      <dd className="font-mono text-sm">{children}</dd>
    </div>
  );
}
