import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Site } from '#contract/page';
import { PAGES } from '#contract/paths';
import { MAX_IMAGE_MB, numberInWords, PREMIUM_LANGUAGES, PRICE_TEXT } from '#contract/product';
import { useDialogs } from '../dialogs/dialogs.tsx';
import { UnfinishedRegistrationBar } from '../dialogs/unfinished-registration-bar.tsx';
import { CurrentPlan } from '../features/billing/current-plan.tsx';
import { PremiumPlan } from '../features/billing/premium-plan.tsx';
import { breadcrumbs } from '../router/head.ts';
import type { Page } from '../router/page.ts';
import { subscriptionQuery, usageQuery, userQuery } from '../session/queries.ts';
import { useSite } from '../site/site.tsx';
import { TextLink } from '../ui/basics/button.tsx';
import { Badge } from '../ui/basics/display.tsx';
import { picturesADay } from '../ui/basics/words.ts';

interface Row {
  what: string;
  free: string;
  premium: string;
  /** Link to the benchmark. */
  figures?: string;
}

const rows = ({ freeDailyLimit, premiumMonthlyLimit }: Site): Row[] => [
  {
    what: 'Extractions',
    free: `${freeDailyLimit} per day`,
    premium: `${premiumMonthlyLimit} per month`,
  },
  { what: 'Languages', free: 'English only', premium: PREMIUM_LANGUAGES },
  { what: 'Processing', free: 'standard speed', premium: 'priority queue' },
  { what: 'Features', free: 'basic OCR', premium: 'advanced OCR', figures: '#advanced' },
];

const QUESTIONS = [
  {
    question: 'What happens to my usage when I upgrade?',
    answer:
      'The usage counter resets on upgrade. Pictures you read today as a free user are not counted against the month.',
  },
  {
    question: 'Can I cancel anytime?',
    answer: 'Yes. You keep access until the period end, and nothing more is charged after it.',
  },
  {
    question: 'How are payments handled?',
    answer:
      'Payments are handled by a payment provider. No payment data is stored here: no card number, no bank account.',
  },
  {
    question: 'Which formats are supported?',
    answer: `JPG, PNG, WEBP, GIF and BMP, up to ${MAX_IMAGE_MB}MB.`,
  },
] as const;

function Premium() {
  const { premiumAvailability, freeDailyLimit } = useSite();
  const { openFor } = useDialogs();
  const user = useQuery(userQuery).data;
  const usage = useQuery(usageQuery).data;
  const isPremium = user?.isPremium ?? false;
  // Only signed-in users have a subscription.
  const subscription = useQuery({ ...subscriptionQuery, enabled: user !== null && user !== undefined }).data;
  const comingSoon = premiumAvailability === 'coming-soon';
  const upgrade = () => openFor('upgrade');
  return (
    <div className="page-width py-10 md:py-16">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <h1 className="text-4xl">Premium</h1>
        {comingSoon && !isPremium && <Badge>Coming Soon</Badge>}
      </div>
      <p className="mt-5 max-w-xl text-lg text-ink-soft">
        For those who read more than {picturesADay(freeDailyLimit)}: more of them, in more languages, and
        ahead of the queue.
      </p>
      <UnfinishedRegistrationBar className="mt-8" />
      <div className="mt-10 grid items-start gap-x-14 gap-y-12 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="lg:order-2">
          <PremiumPlan comingSoon={comingSoon} subscribed={isPremium} onChoose={upgrade} />
        </div>
        <div className="grid gap-12">
          {user && <CurrentPlan user={user} usage={usage} subscription={subscription} onUpgrade={upgrade} />}
          <Comparison />
          <AdvancedRecognition />
        </div>
      </div>
      <Questions />
    </div>
  );
}

function Comparison() {
  const site = useSite();
  return (
    <section aria-labelledby="comparison">
      <h2 id="comparison" className="text-2xl">
        Free and Premium compared
      </h2>
      <FreeAndPremium labelledBy="comparison" of="Feature">
        {rows(site).map(({ what, free, premium, figures }) => (
          <tr key={what} className="border-b border-rule align-baseline">
            <th scope="row" className="py-4 pr-4 font-display text-xl font-medium max-sm:text-lg">
              {what}
            </th>
            <td className="py-4 pr-4 text-ink-soft">{free}</td>
            <td className="py-4 font-medium">
              {figures ? <TextLink href={figures}>{premium}</TextLink> : premium}
            </td>
          </tr>
        ))}
      </FreeAndPremium>
      <p className="mt-4 text-sm text-ink-soft">
        <TextLink href={PAGES.languages}>How well each language is read</TextLink>, measured one by one.
      </p>
    </section>
  );
}

/** Mean word F1 in percent over all pictures of a kind, from `docs/benchmark.md`. */
const GAINS = [
  { what: 'Photographed receipts', free: '96.6', premium: '97.0' },
  { what: 'Worn receipts', free: '95.1', premium: '95.3' },
  { what: 'Photographed pages', free: '95.4', premium: '95.5' },
  { what: 'Old books', free: '84.8', premium: '85.0' },
  { what: 'Signs', free: '28.3', premium: '29.5' },
  { what: 'Handwriting', free: '56.1', premium: '56.0' },
] as const;

function AdvancedRecognition() {
  return (
    <section aria-labelledby="advanced" className="scroll-mt-24">
      <h2 id="advanced" className="text-2xl">
        What advanced recognition gains
      </h2>
      <p className="mt-3 max-w-xl text-ink-soft">
        Lines with a word in doubt are read once more, in three views of the picture that are weighed against
        one another. That pays where print is worn, small or photographed. Clean print is read as well and as
        fast without it, and for handwriting it has made no difference.
      </p>
      <FreeAndPremium labelledBy="advanced" of="Words right of 100">
        {GAINS.map(({ what, free, premium }) => (
          <tr key={what} className="border-b border-rule align-baseline">
            <th scope="row" className="py-2.5 pr-4 font-medium">
              {what}
            </th>
            <td className="py-2.5 pr-4 font-mono text-sm text-ink-soft tabular-nums">{free}</td>
            <td className="py-2.5 font-mono text-sm tabular-nums">{premium}</td>
          </tr>
        ))}
      </FreeAndPremium>
      <p className="mt-3 max-w-xl text-sm text-ink-soft">
        Measured on 78 hard pictures. Words that are missing or made up count as wrong.
      </p>
    </section>
  );
}

function Questions() {
  return (
    <section aria-labelledby="questions" className="mt-16 md:mt-20">
      <h2 id="questions" className="text-3xl">
        Frequently asked questions
      </h2>
      <dl className="mt-6 border-t border-rule-heavy">
        {QUESTIONS.map(({ question, answer }) => (
          <div
            key={question}
            className="grid gap-x-10 gap-y-1.5 border-b border-rule py-5 md:grid-cols-[18.75rem_minmax(0,1fr)]"
          >
            <dt className="font-display text-xl font-medium text-balance">{question}</dt>
            <dd className="max-w-xl text-ink-soft">{answer}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export const page: Page = {
  Component: Premium,
  load: async ({ queryClient, data }) => {
    await queryClient.prefetchQuery({ ...subscriptionQuery, queryFn: () => data.subscription() });
    return undefined;
  },
  meta: ({ site }) => ({
    title: 'Premium: more pictures, more languages',
    description: `${site.premiumAvailability === 'coming-soon' ? 'Coming soon: ' : ''}${numberInWords(site.premiumMonthlyLimit)} extractions per month, ${PREMIUM_LANGUAGES} languages and a place ahead of the queue for ${PRICE_TEXT} a month.`,
    path: PAGES.premium,
    jsonLd: [breadcrumbs(site, [{ name: 'Premium', path: PAGES.premium }])],
  }),
};

interface FreeAndPremiumProps {
  labelledBy: string;
  /** Title of the first column. */
  of: string;
  /** Rows. */
  children: ReactNode;
}

/** A table with a column for each plan. */
function FreeAndPremium({ labelledBy, of, children }: FreeAndPremiumProps) {
  return (
    <table aria-labelledby={labelledBy} className="mt-4 w-full border-t border-rule-heavy text-left">
      <thead>
        <tr className="border-b border-rule text-sm text-ink-soft">
          <th scope="col" className="py-3 pr-4 font-normal">
            {of}
          </th>
          <th scope="col" className="py-3 pr-4 font-normal">
            Free
          </th>
          <th scope="col" className="py-3 font-normal">
            Premium
          </th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
