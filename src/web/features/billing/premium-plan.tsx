import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';

const LINES = [
  { what: 'Extractions', amount: '1,500 per month' },
  { what: 'Storage for texts', amount: '1 GB' },
  { what: 'Languages', amount: '100+' },
  { what: 'Processing', amount: 'priority' },
  { what: 'Text recognition', amount: 'advanced' },
  { what: 'Support', amount: 'premium' },
] as const;

interface PremiumPlanProps {
  comingSoon: boolean;
  /** Already has it: nothing to press. */
  subscribed: boolean;
  onChoose: () => void;
}

/** The plan as an order slip: what is delivered, line by line, and what it costs underneath. */
export function PremiumPlan({ comingSoon, subscribed, onChoose }: PremiumPlanProps) {
  return (
    <section
      aria-labelledby="premium-plan"
      className="border border-rule-strong bg-sheet px-5 pt-5 pb-6 shadow-lifted md:px-7 md:pt-7"
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="premium-plan" className="text-2xl">
          Premium Plan
        </h2>
        {comingSoon && <Badge>Coming Soon</Badge>}
      </div>
      <dl className="mt-5">
        {LINES.map(({ what, amount }) => (
          <Line key={what} what={what}>
            {amount}
          </Line>
        ))}
      </dl>
      <p className="mt-3 flex items-baseline justify-between gap-4 border-t border-ink pt-4">
        <span>{comingSoon ? 'Price at opening' : 'Premium Monthly'}</span>{' '}
        <span className="font-mono text-xl tabular-nums">
          $4.99 <span className="text-sm text-ink-soft">a month</span>
        </span>
      </p>
      <div className="mt-6">
        {subscribed ? (
          <p className="text-ink-soft">This is your plan. Thank you.</p>
        ) : (
          <Button size="large" className="w-full" onClick={onChoose}>
            {comingSoon ? 'Get Notified When Available' : 'Subscribe'}
          </Button>
        )}
        <p className="mt-3 text-sm text-ink-soft">
          {comingSoon
            ? 'One mail on the day it opens. The free tool stays as it is.'
            : 'Billed monthly in US dollars. Cancel anytime.'}
        </p>
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
