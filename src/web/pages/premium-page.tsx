import { PREMIUM_MONTHLY_LIMIT } from '#contract/limits';
import { PAGES } from '#contract/paths';
import { breadcrumbs } from '../head.ts';
import type { Page } from '../page.ts';
import { useSite } from '../site.tsx';
import { Badge } from '../ui/badge.tsx';
import { ButtonLink } from '../ui/button.tsx';

const ROWS = [
  { what: 'Extractions', free: '3 per day', premium: `${PREMIUM_MONTHLY_LIMIT} per month` },
  { what: 'Languages', free: 'English only', premium: '100+' },
  { what: 'Processing', free: 'standard speed', premium: 'priority queue' },
  { what: 'Features', free: 'basic OCR', premium: 'advanced OCR' },
] as const;

function Premium() {
  const { premiumAvailability } = useSite();
  return (
    <div className="page-width py-10 md:py-16">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <h1 className="text-4xl">Premium</h1>
        {premiumAvailability === 'coming-soon' && <Badge>Coming Soon</Badge>}
      </div>
      <p className="mt-5 max-w-xl text-lg text-ink-soft">
        For those who read more than three pictures a day: more of them, in more languages, and ahead of the
        queue.
      </p>
      <table className="mt-10 w-full max-w-3xl border-t border-ink text-left">
        <caption className="sr-only">The free plan and the premium plan compared</caption>
        <thead>
          <tr className="border-b border-rule text-sm text-ink-soft">
            <td className="py-3" />
            <th scope="col" className="py-3 pr-4 font-normal">
              Free
            </th>
            <th scope="col" className="py-3 font-normal">
              Premium
            </th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map(({ what, free, premium }) => (
            <tr key={what} className="border-b border-rule align-baseline">
              <th scope="row" className="py-4 pr-4 font-display text-xl font-medium max-sm:text-lg">
                {what}
              </th>
              <td className="py-4 pr-4 text-ink-soft">{free}</td>
              <td className="py-4 font-medium">{premium}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ButtonLink to={PAGES.home} variant="secondary" className="mt-10">
        Use the free tool
      </ButtonLink>
    </div>
  );
}

export const page: Page = {
  Component: Premium,
  meta: ({ site }) => ({
    title: 'Premium: more pictures, more languages',
    description:
      '1,500 extractions per month, 100+ languages and a place ahead of the queue for $4.99 a month.',
    path: PAGES.premium,
    jsonLd: [breadcrumbs(site, [{ name: 'Premium', path: PAGES.premium }])],
  }),
};
